/* The common fields of an experiment file. The fields of the methods are in src/method/. */
#include "experiment/plan.h"

#include <math.h>
#include <string.h>

#define ANY -INFINITY, INFINITY, false

/* Fields of one kind of body or scene, by the beginning of their paths. A run has these fields only if the experiment
 * gives a value for `first`. */
static const struct {
    const char *prefix, *first;
} kinds[] = {{"body.cloth.", "body.cloth.nodes"},
             {"scene.push.", "scene.push.acceleration"},
             {"body.mesh", "body.mesh"},
             {"body.surface.", "body.mesh"},
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

/* Fields that a run has only if the experiment gives them a value. A run without the field computes the same as a run
 * in which the field has `same_as_without`, if there is such a value. */
static const struct {
    const char *path, *same_as_without;
} optional[] = {{"scene.push.rim", "sharp"}, {"scene.ground.velocity_factor", NULL}};

bool field_is_optional(const struct field *field) {
    for (size_t k = 0; k < sizeof optional / sizeof *optional; ++k)
        if (!strcmp(field->path, optional[k].path))
            return true;
    return false;
}

bool field_same_as_without(const char *path, const char *value) {
    for (size_t k = 0; k < sizeof optional / sizeof *optional; ++k)
        if (!strcmp(path, optional[k].path) && optional[k].same_as_without)
            return !strcmp(value, optional[k].same_as_without);
    return false;
}

/* The order of this table is the order of a run's parameters, of its canonical text, and of the manual. */
const struct field experiment_fields[] = {
    {"body.cloth.nodes", TYPE_PAIR, "1", NULL, 2, 65536, false, NULL, "Nodes along the cloth's first and second side."},
    {"body.cloth.springs", TYPE_SET, "1", "[structural, shear, bend]", ANY, "structural shear bend",
     "The types of spring: structural to the next node of a row or column, shear to the diagonal neighbours, bend to "
     "the second next node of a row or column."},
    {"body.cloth.size", TYPE_REAL2, "m", "[1 m, 1 m]", 0, 1e6, true, NULL, "Lengths of the cloth's sides at rest."},
    {"body.cloth.plane", TYPE_CHOICE, "1", "horizontal", ANY, "horizontal vertical",
     "How the cloth starts: horizontal in the plane y = 0, or hanging from its first row in the plane z = 0."},
    {"body.cloth.pins", TYPE_CHOICE, "1", "none", ANY, "none corners row border",
     "Nodes that never move: none, the four corners, the first row, or the whole border."},
    {"body.cloth.neighbours", TYPE_CHOICE, "1", "index", ANY, "index stored",
     "How a node finds its neighbours: from its row and column, or from a stored list of springs, as in a general "
     "network. The results are bit-identical."},
    {"body.mesh", TYPE_TEXT, "1", NULL, ANY, NULL,
     "A mesh instead of a cloth: the name of a body of data/meshes.yaml, which `springback meshes` prepares, or the "
     "path of an OBJ, OFF, PLY or STL file. A path has a slash or one of these endings. The edges of the mesh are the "
     "springs."},
    {"body.surface.clean", TYPE_SET, "1", "[nothing]", ANY,
     "nothing weld drop_degenerate drop_duplicates keep_largest drop_unused orient",
     "Repairs of a mesh file, which are made in this order. weld: merges vertices with equal coordinates; "
     "drop_degenerate: removes triangles with equal corners or no area; drop_duplicates: removes duplicate triangles; "
     "keep_largest: keeps the connected part with most triangles; drop_unused: removes vertices without triangles; "
     "orient: gives all triangles the same orientation, outward if the mesh is closed."},
    {"body.surface.length", TYPE_REAL, "m", "0 m", 0, 1e6, false, NULL,
     "The mesh is scaled so that the longest side of its bounding box has this length. 0: the mesh is not scaled; the "
     "coordinates of a file are in metres."},
    {"body.surface.inside", TYPE_CHOICE, "1", "none", ANY, "none tetrahedra links",
     "Springs inside a mesh, in addition to those of its edges: none, the other edges of its tetrahedra, or its inner "
     "links. Only a prepared body can have tetrahedra or links."},
    {"body.surface.requires", TYPE_SET, "1", "[manifold]", ANY, "manifold closed oriented",
     "Properties that a mesh file must have; otherwise it is refused."},
    {"body.surface.up", TYPE_CHOICE, "1", "y", ANY, "y z x",
     "The axis of a mesh that points up in the scene. y: the mesh is not rotated; z: it is rotated by 90 degrees about "
     "the x axis; x: by 90 degrees about the z axis, so that a horizontal cloth hangs. The rotation exchanges "
     "coordinates and does not round them."},
    {"body.surface.pins", TYPE_CHOICE, "1", "none", ANY, "none lowest highest highest_ends",
     "Nodes of a mesh that never move. none: no nodes; lowest, highest: those of the lowest or of the highest layer, "
     "whose thickness is body.surface.pins_depth; highest_ends: the two nodes of the highest layer that are outermost "
     "along the longer horizontal side of the mesh, such as the corners of a hanging cloth."},
    {"body.surface.pins_depth", TYPE_REAL, "1", "0.01", 0, 1, false, NULL,
     "Thickness of the layer of body.surface.pins, as a fraction of the mesh's height."},
    {"body.node_mass", TYPE_REAL, "kg", NULL, 0, 1e9, true, NULL, "Mass of each node."},
    {"body.noise", TYPE_INTEGER, "1", "0", 0, 1e6, false, NULL,
     "Seed of random changes of the starting positions; 0: none. Each coordinate of a free node is increased or "
     "decreased by one unit in the last place of the body's largest coordinate, or stays. The changes of the results "
     "show the effect of rounding."},
    {"method.name", TYPE_CHOICE, "1", NULL, ANY, NULL,
     "The method. In the file, the keys of the method are in the same map as its name."},
    {"scene.gravity", TYPE_REAL3, "m/s^2", "[0, -9.8 m/s^2, 0]", -1e6, 1e6, false, NULL,
     "Acceleration of free fall; y points up."},
    {"scene.push.acceleration", TYPE_REAL3, "m/s^2", "[0, 0, 0]", -1e9, 1e9, false, NULL,
     "A push on a cloth for a limited time: the acceleration of the nodes within its radius."},
    {"scene.push.from", TYPE_REAL, "s", "0 s", 0, 1e6, false, NULL, "When the push begins."},
    {"scene.push.until", TYPE_REAL, "s", "0 s", 0, 1e6, false, NULL, "When the push ends."},
    {"scene.push.centre", TYPE_REAL2, "1", "[0.5, 0.5]", 0, 1, false, NULL,
     "The centre of the push, as fractions of the cloth's sides."},
    {"scene.push.radius", TYPE_REAL, "m", "0.25 m", 0, 1e6, true, NULL,
     "The push acts on nodes within this distance of its centre, measured on the cloth at rest."},
    {"scene.push.rim", TYPE_CHOICE, "1", NULL, ANY, "sharp linear",
     "How the push ends at its radius; without this key: sharp. sharp: all nodes within the radius have the whole "
     "acceleration. linear: the acceleration falls linearly from its whole value at the centre to 0 at the radius."},
    {"scene.ground.height", TYPE_REAL, "m", NULL, -1e6, 1e6, false, NULL,
     "Height of the ground, a horizontal plane. Only for meshes. A node that is below the ground after a step is moved "
     "up to the ground."},
    {"scene.ground.drop", TYPE_REAL, "m", "0 m", 0, 1e6, false, NULL,
     "Height of the mesh's lowest node above the ground at the start; the mesh is moved up or down to this "
     "height."},
    {"scene.ground.restitution", TYPE_REAL, "1", "0", 0, 1, false, NULL,
     "Coefficient of restitution of the ground and of the plate: a node's normal velocity after an impact, divided by "
     "its normal velocity before the impact."},
    {"scene.ground.friction", TYPE_REAL, "1", "0", 0, 1e3, false, NULL,
     "Coefficient of Coulomb friction of the ground and of the plate."},
    {"scene.ground.lift", TYPE_REAL, "m", "0 m", -1, 1, false, NULL,
     "A node that is below the ground after a step is moved to this height above the ground. In position based "
     "dynamics, a lift other than 0 means a ground without restitution and friction, because velocities follow from "
     "positions alone."},
    {"scene.ground.velocity_factor", TYPE_REAL, "1", NULL, -1, 1, false, NULL,
     "Replaces restitution and friction of the ground: the whole velocity of a node that is below the ground after a "
     "step is multiplied by this number. For mass_spring and volume_constraint."},
    {"scene.plate.speed", TYPE_REAL, "m/s", NULL, 0, 1e6, true, NULL,
     "Speed of a horizontal plate that moves down onto a mesh from above until it stops."},
    {"scene.plate.gap", TYPE_REAL, "m", "0 m", 0, 1e6, false, NULL,
     "Distance of the plate above the mesh's highest node at the start."},
    {"scene.plate.depth", TYPE_REAL, "1", "0.5", 0, 1, false, NULL,
     "How far the plate moves below the mesh's highest node at the start until it stops, as a fraction of the mesh's "
     "height at rest."},
    {"scene.plate.until", TYPE_REAL, "s", "1e6 s", 0, 1e6, false, NULL, "When the plate is removed."},
    {"scene.twist.torque", TYPE_REAL, "N m", NULL, -1e12, 1e12, false, NULL,
     "A torque on a mesh's highest nodes: the nodes within a hundredth of its height from the top. The axis is "
     "vertical and goes through the middle of these nodes. Each force is proportional to the node's distance from the "
     "axis. The forces add up to this torque as long as the nodes have the same distances from the axis as at the "
     "start."},
    {"scene.sphere.radius", TYPE_REAL, "m", NULL, 0, 1e6, true, NULL,
     "Radius of a fixed sphere that no node enters. For methods that support obstacles."},
    {"scene.sphere.centre", TYPE_REAL3, "m", NULL, -1e6, 1e6, false, NULL, "Position of the sphere's centre."},
    {"scene.convex.mesh", TYPE_TEXT, "1", NULL, ANY, NULL,
     "Fixed convex bodies that no node enters: the path of a mesh file or the name of a prepared body, as in "
     "body.mesh. Each connected part is one body, which must be closed, oriented outward, and convex to within 1/10000 "
     "of its longest side. For methods that support obstacles."},
    {"scene.convex.length", TYPE_REAL, "m", "0 m", 0, 1e6, false, NULL,
     "All convex bodies are scaled together so that the longest side of their common bounding box has this length. 0: "
     "they are not scaled."},
    {"scene.convex.centre", TYPE_REAL3, "m", NULL, -1e6, 1e6, false, NULL,
     "Position of the centre of the common bounding box of all convex bodies."},
    {"scene.wind.kind", TYPE_CHOICE, "1", NULL, ANY, "triangles uniform normals",
     "A wind with the same velocity everywhere. triangles: a force on each triangle by the law of Terzopoulos et al. "
     "(1987), of which each corner gets a third. uniform: the same acceleration for all nodes. normals: a node gets, "
     "for each of its triangles, the component of an acceleration along the triangle's normal, as in a later public "
     "program of cetinaslan2019's author. For methods that support wind."},
    {"scene.wind.velocity", TYPE_REAL3, "m/s", "[0, 0, 0]", -1e6, 1e6, false, NULL,
     "Velocity of the air. Required for the wind `triangles`, and used by it only."},
    {"scene.wind.drag", TYPE_REAL, "kg/m^2/s", "0 kg/m^2/s", 0, 1e9, false, NULL,
     "Drag coefficient: the force along a triangle's normal, divided by the triangle's area and by the normal "
     "component of the air's velocity relative to the triangle. Required for the wind `triangles`, and used by it "
     "only."},
    {"scene.wind.acceleration", TYPE_REAL3, "m/s^2", "[0, 0, 0]", -1e6, 1e6, false, NULL,
     "The acceleration of the winds `uniform` and `normals`. Required for these winds, and used by them only."},
    {"scene.collisions", TYPE_CHOICE, "1", "device", ANY, "device host",
     "Where collisions with ground and plate are computed: where the method runs, or on the host. With `host`, a "
     "device's positions and velocities are read back in each step. The results are bit-identical."},
    {"time.step", TYPE_REAL, "s", NULL, 0, 1e3, true, NULL, "Time step of the integration."},
    {"time.steps_per_frame", TYPE_INTEGER, "1", "1", 1, 1e6, false, NULL, "Time steps per frame."},
    {"time.frames", TYPE_INTEGER, "1", NULL, 1, 1e7, false, NULL, "Frames to run; frame 0 is the start."},
    {"time.repeats", TYPE_INTEGER, "1", "0", 0, 1000, false, NULL,
     "How often the run is repeated for timing. The repeats are interleaved with the repeats of runs that differ only "
     "in the backend or in time.read_back. 0: the run has no timings for comparisons."},
    {"time.read_back", TYPE_CHOICE, "1", "none", ANY, "none positions",
     "The data that each timed frame reads back from the device, as in a program that draws with the CPU. The time "
     "includes the transfer. If the CPU computes the run, the transfer is a copy in memory. The results are "
     "bit-identical. Runs that differ only in this key are timed alternately."},
    {"record.every", TYPE_INTEGER, "1", "1", 0, 1e7, false, NULL,
     "Interval, in frames, between records of the series and the state hash; 0: only the first and the last frame are "
     "recorded."},
    {"record.mesh_every", TYPE_INTEGER, "1", "0", 0, 1e7, false, NULL,
     "Interval, in frames, between records of positions and velocities; a multiple of record.every; 0: never."},
    {"record.mesh_of", TYPE_CHOICE, "1", "main", ANY, "main all",
     "Has no effect: members of sweeps record geometry in the same frames as the runs with the chosen values "
     "(record.mesh_every)."},
    {"backend", TYPE_CHOICE, "1", "serial", ANY, NULL,
     "Where the run is computed. The colon is followed by a number of threads, or by a device of `springback devices`. "
     "1... is any number from 1 to 9999, and 0... any number from 0 to 9999."},
    {.path = NULL},
};
