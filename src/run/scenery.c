#include "run/scenery.h"

#include "base/memory.h"
#include "body/solids.h"

#include <math.h>
#include <string.h>

enum { SQUARE_POINTS = 4, SQUARE_TRIANGLES = 2, SPHERE_ROWS = 24, SPHERE_COLUMNS = 48 };
/* Half the side of the square of the ground, and of the plate, as a multiple of the body's length. */
static const double ground_reach = 2, plate_reach = 0.75;

/* Points and triangles that are added one after the other. */
struct builder {
    struct scenery *scenery;
    size_t points, corners;
    int32_t *corner;
};

static void add_point(struct builder *builder, double x, double y, double z) {
    memcpy(builder->scenery->still[builder->points++], (const double[]){x, y, z}, 3 * sizeof(double));
}

/* Add a triangle. The index of its corner `a` is first + a, and the same for `b` and `c`. */
static void add_triangle(struct builder *builder, size_t first, int a, int b, int c) {
    const int corners[3] = {a, b, c};
    for (int k = 0; k < 3; ++k)
        builder->corner[builder->corners++] = (int32_t)first + corners[k];
}

static void add_square(struct builder *builder, const double centre[3], double height, double reach) {
    const size_t first = builder->points;
    for (int p = 0; p < SQUARE_POINTS; ++p)
        add_point(builder, centre[0] + (p & 1 ? reach : -reach), height, centre[2] + (p & 2 ? reach : -reach));
    add_triangle(builder, first, 0, 2, 1);
    add_triangle(builder, first, 1, 2, 3);
}

/* Add a sphere with its poles on the y axis. The points are in SPHERE_ROWS + 1 rows from pole to pole. The first
 * and the last row have one point, the pole; the other rows have SPHERE_COLUMNS points. */
static void add_sphere(struct builder *builder, const double centre[3], double radius) {
    const size_t first = builder->points;
    const int south = 1 + (SPHERE_ROWS - 1) * SPHERE_COLUMNS;
    add_point(builder, centre[0], centre[1] + radius, centre[2]);
    for (int r = 1; r < SPHERE_ROWS; ++r)
        for (int c = 0; c < SPHERE_COLUMNS; ++c) {
            const double polar = M_PI * r / SPHERE_ROWS, turn = 2 * M_PI * c / SPHERE_COLUMNS;
            add_point(builder, centre[0] + radius * sin(polar) * sin(turn), centre[1] + radius * cos(polar),
                      centre[2] + radius * sin(polar) * cos(turn));
        }
    add_point(builder, centre[0], centre[1] - radius, centre[2]);
    for (int c = 0; c < SPHERE_COLUMNS; ++c) {
        const int next = (c + 1) % SPHERE_COLUMNS, last = south - SPHERE_COLUMNS;
        add_triangle(builder, first, 0, 1 + c, 1 + next);
        for (int row = 1; row < last; row += SPHERE_COLUMNS) {
            add_triangle(builder, first, row + c, row + SPHERE_COLUMNS + c, row + next);
            add_triangle(builder, first, row + next, row + SPHERE_COLUMNS + c, row + SPHERE_COLUMNS + next);
        }
        add_triangle(builder, first, last + c, south, last + next);
    }
}

static void add_mesh(struct builder *builder, const struct mesh *mesh) {
    const size_t first = builder->points;
    for (int v = 0; v < mesh->vertices; ++v)
        add_point(builder, mesh->position[v][0], mesh->position[v][1], mesh->position[v][2]);
    for (int t = 0; t < mesh->triangles; ++t)
        add_triangle(builder, first, mesh->corner[t][0], mesh->corner[t][1], mesh->corner[t][2]);
}

/* Find the bounding box of the surface of a body that is a mesh, as body_describe has placed the body. The squares of
 * ground and plate depend on this box; a scene with a cloth has neither. Returns the longest side of the box in m. */
static double box_find(const struct prepared *prepared, double low[3], double high[3]) {
    double length = 0;
    for (int k = 0; k < 3; ++k) {
        low[k] = (double)INFINITY;
        high[k] = -(double)INFINITY;
        for (int v = 0; v < prepared->surface_vertices; ++v) {
            low[k] = fmin(low[k], prepared->position[v][k]);
            high[k] = fmax(high[k], prepared->position[v][k]);
        }
        length = fmax(length, high[k] - low[k]);
    }
    return length;
}

int scenery_create(const struct run *run, const struct body *body, struct scenery *out) {
    const bool has_ground = run_parameter(run, "scene.ground.height"),
               has_plate = run_parameter(run, "scene.plate.speed"),
               has_sphere = run_parameter(run, "scene.sphere.radius");
    AUTO(mesh_free) struct mesh solids = {.vertices = 0};
    struct trace_scene *scene = &out->scene;
    *out = (struct scenery){.plate_first = has_ground ? SQUARE_POINTS : 0};
    if (run_parameter(run, "scene.convex.mesh") && solids_mesh(run, &solids))
        return STATUS_BAD;
    scene->ground = has_ground ? SQUARE_TRIANGLES : 0;
    scene->plate = has_plate ? SQUARE_TRIANGLES : 0;
    scene->obstacles = (has_sphere ? 2 * (SPHERE_ROWS - 1) * SPHERE_COLUMNS : 0) + (size_t)solids.triangles;
    scene->points = SQUARE_POINTS * (size_t)(has_ground + has_plate) +
                    (has_sphere ? (SPHERE_ROWS - 1) * SPHERE_COLUMNS + 2 : 0) + (size_t)solids.vertices;
    out->still = pool_add(&out->pool, memory_new(scene->points, sizeof *out->still));
    struct builder builder = {.scenery = out};
    builder.corner =
        pool_add(&out->pool, memory_new(3 * (scene->ground + scene->plate + scene->obstacles), sizeof *builder.corner));
    scene->corners = builder.corner;
    double low[3], high[3], centre[3];
    const double length = box_find(&body->prepared, low, high);
    for (int k = 0; k < 3; ++k)
        centre[k] = (low[k] + high[k]) / 2;
    if (has_ground)
        add_square(&builder, centre, run_number(run, "scene.ground.height", 0), ground_reach * length);
    if (has_plate) {
        out->plate = plate_of(run, low[1], high[1]);
        add_square(&builder, centre, out->plate.start, plate_reach * length);
    }
    if (has_sphere) {
        for (int k = 0; k < 3; ++k)
            centre[k] = run_number(run, "scene.sphere.centre", k);
        add_sphere(&builder, centre, run_number(run, "scene.sphere.radius", 0));
    }
    add_mesh(&builder, &solids);
    return STATUS_OK;
}

void scenery_at(const struct scenery *scenery, double time, double (*position)[3], double (*velocity)[3]) {
    memcpy(position, scenery->still, scenery->scene.points * sizeof *position);
    memset(velocity, 0, scenery->scene.points * sizeof *velocity);
    const struct plate *plate = &scenery->plate;
    const bool is_there = time < plate->until;
    const double height = is_there ? plate_height_at(plate, time) : plate->stop;
    for (size_t p = scenery->plate_first; scenery->scene.plate && p < scenery->plate_first + SQUARE_POINTS; ++p) {
        if (!is_there)
            memcpy(position[p], scenery->still[scenery->plate_first], sizeof *position);
        position[p][1] = height;
        velocity[p][1] = height > plate->stop ? -plate->speed : 0;
    }
}

void scenery_free(struct scenery *scenery) {
    pool_free(&scenery->pool);
    *scenery = (struct scenery){.plate_first = 0};
}
