/* The common fields of a description file. A method's own stand in src/method/. */
#include "experiment/plan.h"

#include <math.h>
#include <string.h>

#define ANY -INFINITY, INFINITY, false

/* Fields of one kind of body, by the beginning of their paths: they are there only where the kind's first is given. */
static const struct {
    const char *prefix, *first;
} kinds[] = {{"body.cloth.", "body.cloth.nodes"},
             {"scene.push.", "scene.push.acceleration"},
             {"body.mesh", "body.mesh"},
             {"body.surface.", "body.mesh"},
             {"scene.ground.velocity_factor", "scene.ground.velocity_factor"},
             {"scene.ground.", "scene.ground.height"},
             {"scene.plate.", "scene.plate.speed"},
             {"scene.twist.", "scene.twist.torque"},
             {"scene.sphere.", "scene.sphere.radius"},
             {"scene.convex.", "scene.convex.mesh"},
             {"scene.wind.", "scene.wind.kind"}};

const char *field_belongs_to(const struct field *field) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        if (!strncmp(field->path, kinds[k].prefix, strlen(kinds[k].prefix)))
            return kinds[k].first;
    return NULL;
}

/* The order is the order of a run's parameters, of its canonical text, and of the manual. */
const struct field experiment_fields[] = {
    {"body.cloth.nodes", TYPE_PAIR, "1", NULL, 2, 65536, false, NULL, "Nodes along the cloth's first and second side."},
    {"body.cloth.springs", TYPE_SET, "1", "[structural, shear, bend]", ANY, "structural shear bend",
     "The types of spring: structural to the next node along a side, shear to the next along a diagonal, bend to the "
     "one after the next along a side."},
    {"body.cloth.size", TYPE_REAL2, "m", "[1 m, 1 m]", 0, 1e6, true, NULL, "Lengths of the cloth's sides at rest."},
    {"body.cloth.plane", TYPE_CHOICE, "1", "horizontal", ANY, "horizontal vertical",
     "How the cloth lies at the start: in the plane y = 0, or hanging in the plane z = 0 from its first row."},
    {"body.cloth.pins", TYPE_CHOICE, "1", "none", ANY, "none corners row border",
     "Nodes that never move: none, the four corners, the first row, or the whole border."},
    {"body.cloth.neighbours", TYPE_CHOICE, "1", "index", ANY, "index stored",
     "Whether a node finds its neighbours from its row and column, or from a stored list of springs as a general "
     "network does; the bits are the same."},
    {"body.mesh", TYPE_TEXT, "1", NULL, ANY, NULL,
     "In place of a cloth: a body of data/meshes.yaml by its name, which `springback meshes` prepares, or the path "
     "of an OBJ, OFF, PLY or STL file, which has a slash or such an ending. Its edges are the springs."},
    {"body.surface.clean", TYPE_SET, "1", "[nothing]", ANY,
     "nothing weld drop_degenerate drop_duplicates keep_largest drop_unused orient",
     "What is done to a mesh file, in this order and no more: vertices of equal coordinates made one, triangles "
     "of equal corners or no area taken out, triangles that are there twice, all but the part with most triangles, "
     "vertices without triangles; triangles turned alike, outward where closed."},
    {"body.surface.length", TYPE_REAL, "m", "0 m", 0, 1e6, false, NULL,
     "The longest side of a mesh's bounding box, to which it is scaled; 0 leaves it as it is, a file's in metres."},
    {"body.surface.inside", TYPE_CHOICE, "1", "none", ANY, "none tetrahedra links",
     "Springs inside a mesh, beside those of its edges: none, the further edges of its tetrahedra, or its inner links; "
     "a prepared body may have them."},
    {"body.surface.requires", TYPE_SET, "1", "[manifold]", ANY, "manifold closed oriented",
     "What a mesh file must be, or it is refused."},
    {"body.surface.up", TYPE_CHOICE, "1", "y", ANY, "y z x",
     "Which of a mesh's axes points up in the scene: y as it is; z by a quarter turn about the x axis, x by one about "
     "the z axis, so that a level cloth hangs. Coordinates change places, and no digit of them."},
    {"body.surface.pins", TYPE_CHOICE, "1", "none", ANY, "none lowest highest highest_ends",
     "Nodes of a mesh that never move: none; those of the lowest or the highest layer, as thick as "
     "body.surface.pins_depth; or of the highest layer the two that lie outermost along the longer horizontal side of "
     "the mesh, as the corners that a cloth is held by."},
    {"body.surface.pins_depth", TYPE_REAL, "1", "0.01", 0, 1, false, NULL,
     "How thick the layer of body.surface.pins is: so much of the mesh's height."},
    {"body.node_mass", TYPE_REAL, "kg", NULL, 0, 1e9, true, NULL, "Mass of each node."},
    {"body.noise", TYPE_INTEGER, "1", "0", 0, 1e6, false, NULL,
     "If not 0, each coordinate of a free node starts one unit in the last place of the body's largest coordinate more "
     "or "
     "less, or as it is, by a random sequence of this number: what then changes is decided by rounding."},
    {"method.name", TYPE_CHOICE, "1", NULL, ANY, NULL, "The method; its own fields stand beside its name."},
    {"scene.gravity", TYPE_REAL3, "m/s^2", "[0, -9.8 m/s^2, 0]", -1e6, 1e6, false, NULL,
     "Acceleration of free fall; y points up."},
    {"scene.push.acceleration", TYPE_REAL3, "m/s^2", "[0, 0, 0]", -1e9, 1e9, false, NULL,
     "A push on a cloth for a while: the acceleration that it gives the nodes within its radius."},
    {"scene.push.from", TYPE_REAL, "s", "0 s", 0, 1e6, false, NULL, "When the push begins."},
    {"scene.push.until", TYPE_REAL, "s", "0 s", 0, 1e6, false, NULL, "When the push ends."},
    {"scene.push.centre", TYPE_REAL2, "1", "[0.5, 0.5]", 0, 1, false, NULL,
     "Where the push acts: fractions of the cloth's sides."},
    {"scene.push.radius", TYPE_REAL, "m", "0.25 m", 0, 1e6, true, NULL,
     "How far from its centre the push acts, measured on the cloth at rest."},
    {"scene.ground.height", TYPE_REAL, "m", NULL, -1e6, 1e6, false, NULL,
     "A plane that no node of a mesh passes: its height. A node that is below after a step is put back onto it."},
    {"scene.ground.drop", TYPE_REAL, "m", "0 m", 0, 1e6, false, NULL,
     "How far the mesh's lowest node lies above the ground at the start: the mesh is moved there, up or down."},
    {"scene.ground.restitution", TYPE_REAL, "1", "0", 0, 1, false, NULL,
     "How much of its velocity into a plane a node has away from it afterwards; of the plate, too."},
    {"scene.ground.friction", TYPE_REAL, "1", "0", 0, 1e3, false, NULL,
     "Coulomb's coefficient of friction of a node on a plane; of the plate, too."},
    {"scene.ground.lift", TYPE_REAL, "m", "0 m", -1, 1, false, NULL,
     "How far above the ground a node is placed that is below after a step. In position based dynamics the ground then "
     "has no restitution and no friction: velocities follow from positions alone."},
    {"scene.ground.velocity_factor", TYPE_REAL, "1", NULL, -1, 1, false, NULL,
     "In place of restitution and friction on the ground: the whole velocity of a node that is below after a step is "
     "multiplied by this number. For mass_spring and volume_constraint."},
    {"scene.plate.speed", TYPE_REAL, "m/s", NULL, 0, 1e6, true, NULL,
     "A horizontal plate comes down on a mesh from above, until it stands still: how fast."},
    {"scene.plate.gap", TYPE_REAL, "m", "0 m", 0, 1e6, false, NULL,
     "How far the plate is above the mesh's highest node at the start."},
    {"scene.plate.depth", TYPE_REAL, "1", "0.5", 0, 1, false, NULL,
     "Where the plate stands still: so much of the mesh's height at rest below its highest node at the start."},
    {"scene.plate.until", TYPE_REAL, "s", "1e6 s", 0, 1e6, false, NULL, "When the plate is taken away."},
    {"scene.twist.torque", TYPE_REAL, "N m", NULL, -1e12, 1e12, false, NULL,
     "A torque about the vertical axis through the middle of a mesh's highest nodes, those within a hundredth of its "
     "height, which acts on these: forces that grow with the distance from the axis, and add up to it while these "
     "nodes keep the distances that they have at the start."},
    {"scene.sphere.radius", TYPE_REAL, "m", NULL, 0, 1e6, true, NULL,
     "A sphere that lies still, and that no node enters: its radius. For methods that take obstacles."},
    {"scene.sphere.centre", TYPE_REAL3, "m", NULL, -1e6, 1e6, false, NULL, "Where the sphere's centre is."},
    {"scene.convex.mesh", TYPE_TEXT, "1", NULL, ANY, NULL,
     "Convex bodies that lie still, and that no node enters: a mesh file's path or a prepared body's name, as "
     "body.mesh has it. What hangs together in it is a body, and must be closed, turned outward, and convex within a "
     "ten-thousandth of its longest side. For methods that take obstacles."},
    {"scene.convex.length", TYPE_REAL, "m", "0 m", 0, 1e6, false, NULL,
     "The longest side of the box about all convex bodies, to which they are scaled together; 0 leaves them as they "
     "are."},
    {"scene.convex.centre", TYPE_REAL3, "m", NULL, -1e6, 1e6, false, NULL,
     "Where the middle of the box about all convex bodies is put."},
    {"scene.wind.kind", TYPE_CHOICE, "1", NULL, ANY, "triangles uniform normals",
     "A wind, which streams at one velocity everywhere: on triangles it pulls as it meets them, by Terzopoulos et "
     "al.'s law of 1987, and a third of the pull goes to each corner; uniform gives all nodes one acceleration; "
     "normals "
     "gives a node, for each of its triangles, the part of an acceleration along the triangle's normal, as a later "
     "public program of cetinaslan2019's author does. For methods that take a wind."},
    {"scene.wind.velocity", TYPE_REAL3, "m/s", "[0, 0, 0]", -1e6, 1e6, false, NULL,
     "How fast the air goes, and where to: of triangles, for which it must be given."},
    {"scene.wind.drag", TYPE_REAL, "kg/m^2/s", "0 kg/m^2/s", 0, 1e9, false, NULL,
     "What a triangle's area, times the part of the air's velocity against it along its normal, is multiplied with to "
     "give the force along that normal: of triangles, for which it must be given."},
    {"scene.wind.acceleration", TYPE_REAL3, "m/s^2", "[0, 0, 0]", -1e6, 1e6, false, NULL,
     "What a uniform wind gives each node, and one of normals each triangle's nodes along its normal: of these, for "
     "which it must be given."},
    {"scene.collisions", TYPE_CHOICE, "1", "device", ANY, "device host",
     "Where nodes are kept out of ground and plate: where the method runs, or on the host, to which a device's "
     "positions and velocities are read back for it in each step; the bits are the same."},
    {"time.step", TYPE_REAL, "s", NULL, 0, 1e3, true, NULL, "Time step of the integration."},
    {"time.steps_per_frame", TYPE_INTEGER, "1", "1", 1, 1e6, false, NULL, "Steps that make one frame."},
    {"time.frames", TYPE_INTEGER, "1", NULL, 1, 1e7, false, NULL, "Frames to run; frame 0 is the start."},
    {"time.repeats", TYPE_INTEGER, "1", "0", 0, 1000, false, NULL,
     "How often the run is repeated for timing, interleaved with the runs that differ only in backend or "
     "time.read_back; 0 takes no timings that are compared."},
    {"time.read_back", TYPE_CHOICE, "1", "none", ANY, "none positions",
     "What each timed frame reads back from where it is computed, as a program does that draws by the CPU; it is "
     "within what is timed, and is a copy where the CPU computes. The bits are the same, and runs that differ in it "
     "alone are "
     "timed in turn."},
    {"record.every", TYPE_INTEGER, "1", "1", 0, 1e7, false, NULL,
     "Record series and state hash every so many frames; 0 for the first and the last only."},
    {"record.mesh_every", TYPE_INTEGER, "1", "0", 0, 1e7, false, NULL,
     "Record positions and velocities every so many frames, a multiple of record.every; 0 for none."},
    {"record.mesh_of", TYPE_CHOICE, "1", "main", ANY, "main all",
     "Which runs record geometry: those of the main sweep, or those that vary an assumption, too, so that verdicts on "
     "shapes can say whether they hang on it."},
    {"backend", TYPE_CHOICE, "1", "serial", ANY, NULL,
     "Where the run is computed. A number of threads, or a device of `springback devices`, stands behind the colon; "
     "1... is any number from 1."},
    {.path = NULL},
};
