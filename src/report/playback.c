#include "report/playback.h"

#include "base/json.h"
#include "base/memory.h"
#include "body/plate.h"
#include "experiment/run.h"
#include "mesh/edges.h"
#include "run/recipe.h"

#include <math.h>
#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { HALF_EXTENT = 8, ORDERS = 3 };

/* ---- Coding ---- */

char *playback_pack(const void *bytes, size_t size) {
    uLongf length = compressBound(size);
    AUTO_FREE Bytef *packed = memory_new(length, 1);
    compress2(packed, &length, bytes, size, Z_DEFAULT_COMPRESSION);
    char *text = memory_new(BASE64_ENCODE_RAW_LENGTH(length) + 1, 1);
    base64_encode_raw(text, length, packed);
    return text;
}

static uint16_t zigzag(uint16_t difference) {
    return (uint16_t)(difference << 1) ^ (uint16_t)(difference & 0x8000 ? 0xffff : 0);
}

/* Numbers as text (playback_pack): all low bytes, then all high bytes. Newly allocated; the caller frees it. */
static char *pack_numbers(const uint16_t *numbers, size_t count) {
    AUTO_FREE unsigned char *planes = memory_new(2 * count + 1, 1);
    for (size_t n = 0; n < count; ++n) {
        planes[n] = (unsigned char)numbers[n];
        planes[count + n] = (unsigned char)(numbers[n] >> 8);
    }
    return playback_pack(planes, 2 * count);
}

/* The prediction of code i of a frame. Order 0 predicts from the previous code of the same coordinate, order 1 from the
 * previous frame, and order 2 from the two previous frames. A frame has `count` codes, a third of them for each
 * coordinate. `code` points to the frame's codes; those of the previous frames are before them in memory. */
static uint16_t predict(const uint16_t *code, size_t i, size_t count, int order) {
    switch (order) {
    case 0:
        return i % (count / 3) ? code[i - 1] : 0;
    case 1:
        return code[i - count];
    default:
        return (uint16_t)(2 * code[i - count] - code[i - 2 * count]);
    }
}

/* Try each order of prediction for a frame. Write the differences (zigzag numbers) of the order for which their sum is
 * smallest, and return this order. */
static int code_frame(const uint16_t *codes, size_t frame, size_t count, uint16_t *differences) {
    AUTO_FREE uint16_t *trial = memory_new(count, sizeof *trial);
    double least = INFINITY;
    int best = 0;
    for (int order = 0; order < ORDERS && (size_t)order <= frame; ++order) {
        double sum = 0;
        for (size_t i = 0; i < count; ++i) {
            trial[i] = zigzag((uint16_t)(codes[frame * count + i] - predict(codes + frame * count, i, count, order)));
            sum += trial[i];
        }
        if (sum < least) {
            least = sum;
            best = order;
            memcpy(differences, trial, count * sizeof *trial);
        }
    }
    return best;
}

/* ---- A surface in motion ---- */

struct motion {
    size_t vertices, triangles, frames;
    uint16_t *corner;     /* [triangles][3] */
    float (*position)[3]; /* [frames][vertices], m */
};

static void motion_free(struct motion *motion) {
    free(motion->corner);
    free(motion->position);
}

/* Find the grid of the codes, as playback.h describes it, from the finite coordinates in the first frame. */
static void find_grid(const struct motion *motion, double origin[3], double *grain) {
    double low[3], high[3], squares = 0;
    for (int k = 0; k < 3; ++k) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (size_t v = 0; v < motion->vertices; ++v)
            if (isfinite(motion->position[v][k])) {
                low[k] = fmin(low[k], (double)motion->position[v][k]);
                high[k] = fmax(high[k], (double)motion->position[v][k]);
            }
        if (!(low[k] <= high[k]))
            low[k] = high[k] = 0;
        squares += (high[k] - low[k]) * (high[k] - low[k]);
    }
    const double diameter = squares > 0 ? sqrt(squares) : 1;
    *grain = diameter / PLAYBACK_GRAIN;
    for (int k = 0; k < 3; ++k)
        origin[k] = 0.5 * (low[k] + high[k]) - HALF_EXTENT * diameter;
}

static uint16_t code_of(double place, double origin, double grain) {
    const double steps = rint((place - origin) / grain);
    return (uint16_t)(steps > 0 ? fmin(steps, UINT16_MAX) : 0); /* 0 if `steps` is NaN */
}

/* Add a motion to an object, as described in playback.h. */
static void put_motion(const struct motion *motion, json_t *object) {
    const size_t vertices = motion->vertices, count = 3 * vertices, corners = 3 * motion->triangles;
    AUTO_FREE uint16_t *codes = memory_new(motion->frames * count, sizeof *codes);
    AUTO_FREE uint16_t *differences = memory_new(motion->frames * count, sizeof *differences);
    AUTO_FREE uint16_t *steps = memory_new(corners, sizeof *steps);
    AUTO_FREE char *order = memory_new(motion->frames + 1, 1);
    double origin[3], grain;
    find_grid(motion, origin, &grain);
    for (size_t f = 0; f < motion->frames; ++f)
        for (size_t v = 0; v < vertices; ++v)
            for (size_t k = 0; k < 3; ++k)
                codes[f * count + k * vertices + v] =
                    code_of((double)motion->position[f * vertices + v][k], origin[k], grain);
    for (size_t f = 0; f < motion->frames; ++f)
        order[f] = (char)('0' + code_frame(codes, f, count, differences + f * count));
    for (size_t c = 0; c < corners; ++c)
        steps[c] = zigzag((uint16_t)(motion->corner[c] - (c ? motion->corner[c - 1] : 0)));
    AUTO_FREE char *packed = pack_numbers(differences, motion->frames * count);
    AUTO_FREE char *packed_corners = pack_numbers(steps, corners);
    json_object_update_new(object,
                           json_pack("{sI sI s[fff] sf ss ss ss}", "vertices", (json_int_t)vertices, "triangles",
                                     (json_int_t)motion->triangles, "origin", origin[0], origin[1], origin[2], "grain",
                                     grain, "order", order, "codes", packed, "corners", packed_corners));
}

/* Number the nodes that are corners of triangles: number[node] becomes the number, or -1 for other nodes. Returns how
 * many nodes have a number. */
static size_t number_vertices(const struct trace_data *trace, int *number) {
    size_t vertices = 0;
    for (size_t n = 0; n < trace->nodes; ++n)
        number[n] = -1;
    for (size_t c = 0; c < 3 * trace->triangle_count; ++c)
        number[trace->triangles[c]] = 0;
    for (size_t n = 0; n < trace->nodes; ++n)
        if (!number[n])
            number[n] = (int)vertices++;
    return vertices;
}

/* The index of the geometry of the k-th played frame. */
static int played(const struct trace_data *trace, size_t k) {
    const int stride = (trace->mesh_frames + PLAYBACK_FRAMES - 1) / PLAYBACK_FRAMES;
    return (int)k * stride;
}

static size_t count_played(const struct trace_data *trace) {
    size_t count = 0;
    while (played(trace, count) < trace->mesh_frames)
        ++count;
    return count;
}

static int check_trace(const struct trace_data *trace) {
    if (!trace->mesh_frames)
        return fail("%s: no geometry is recorded; use --set record.mesh_every=5 to record every fifth frame",
                    trace->path);
    if (!trace->triangle_count)
        return fail("%s: the body has no triangles to show", trace->path);
    return STATUS_OK;
}

/* Read a trace's motion. Call motion_free also after an error. */
static int motion_read(const struct trace_data *trace, struct motion *out) {
    AUTO_FREE int *number = memory_new(trace->nodes + 1, sizeof *number);
    AUTO_FREE double(*place)[3] = memory_large(trace->nodes * sizeof *place);
    *out = (struct motion){.triangles = trace->triangle_count, .frames = count_played(trace)};
    out->vertices = number_vertices(trace, number);
    if (out->vertices > PLAYBACK_VERTICES) {
        fail("%s: a page can show up to %d vertices; the surface has %zu", trace->path, PLAYBACK_VERTICES,
             out->vertices);
        return STATUS_BAD;
    }
    out->corner = memory_new(3 * out->triangles, sizeof *out->corner);
    for (size_t c = 0; c < 3 * out->triangles; ++c)
        out->corner[c] = (uint16_t)number[trace->triangles[c]];
    out->position = memory_large(out->frames * out->vertices * sizeof *out->position);
    if (!place || !out->position) {
        fail("%s: not enough memory for %zu frames of %zu vertices", trace->path, out->frames, out->vertices);
        return STATUS_BAD;
    }
    for (size_t f = 0; f < out->frames; ++f) {
        if (trace_read_mesh(trace, played(trace, f), &place[0][0]))
            return STATUS_BAD;
        for (size_t n = 0; n < trace->nodes; ++n)
            for (int k = 0; k < 3 && number[n] >= 0; ++k)
                out->position[f * out->vertices + (size_t)number[n]][k] = (float)place[n][k];
    }
    return STATUS_OK;
}

/* ---- The scene ---- */

/* The plate of a run, which starts above the body's initial positions. */
static struct plate plate_above(const struct run *run, const float (*position)[3], size_t vertices) {
    double low = INFINITY, high = -INFINITY;
    for (size_t v = 0; v < vertices; ++v) {
        const double height = (double)position[v][1];
        low = height < low ? height : low; /* gcc 12 for aarch64 fails with an internal error on fmin and fmax here */
        high = height > high ? height : high;
    }
    return plate_of(run, low, high);
}

/* The convex bodies among the obstacles, as an object of put_motion. In the list of obstacles, the convex bodies come
 * after the sphere. Returns null if there are no convex bodies, or if they have too many vertices for a page. */
static json_t *solids_of(const struct obstacles *obstacles, bool has_sphere) {
    if (obstacles->count <= has_sphere)
        return json_null();
    const struct mesh *mesh = &obstacles->mesh[has_sphere];
    AUTO(motion_free)
    struct motion motion = {.vertices = (size_t)mesh->vertices, .triangles = (size_t)mesh->triangles, .frames = 1};
    if (mesh->vertices > PLAYBACK_VERTICES)
        return json_null();
    motion.corner = memory_new(3 * motion.triangles, sizeof *motion.corner);
    motion.position = memory_new(motion.vertices, sizeof *motion.position);
    for (size_t t = 0; t < motion.triangles; ++t)
        for (size_t k = 0; k < 3; ++k)
            motion.corner[3 * t + k] = (uint16_t)mesh->corner[t][k];
    for (size_t v = 0; v < motion.vertices; ++v)
        for (int k = 0; k < 3; ++k)
            motion.position[v][k] = (float)mesh->position[v][k];
    json_t *object = json_object();
    put_motion(&motion, object);
    return object;
}

static void put_scene(const struct run *run, const struct motion *motion, const struct obstacles *obstacles,
                      json_t *object) {
    const bool has_plate = run_parameter(run, "scene.plate.speed"),
               has_sphere = run_parameter(run, "scene.sphere.radius");
    json_object_set_new(object, "ground", json_number(run_number_or_nan(run, "scene.ground.height")));
    json_t *plate = json_null(), *sphere = json_null();
    if (has_plate) {
        const struct plate p = plate_above(run, (const float(*)[3])motion->position, motion->vertices);
        plate = json_pack("{sf sf sf sf}", "start", p.start, "stop", p.stop, "speed", p.speed, "until", p.until);
    }
    if (has_sphere)
        sphere = json_pack("{s[fff] sf}", "centre", run_number(run, "scene.sphere.centre", 0),
                           run_number(run, "scene.sphere.centre", 1), run_number(run, "scene.sphere.centre", 2),
                           "radius", run_number(run, "scene.sphere.radius", 0));
    json_object_set_new(object, "plate", plate);
    json_object_set_new(object, "sphere", sphere);
    json_object_set_new(object, "solids", solids_of(obstacles, has_sphere));
}

/* The volume loss of a closed surface in each frame, divided by its volume in the first frame; null for an open
 * surface. The loss is computed here and not by the player, because the player's coordinates are too coarse to show a
 * loss of 0.1 %. */
static json_t *losses_of(const struct motion *motion) {
    AUTO(mesh_free) struct mesh mesh;
    AUTO(edges_free) struct edges edges;
    mesh_create(&mesh, (int)motion->vertices, (int)motion->triangles);
    for (size_t c = 0; c < 3 * motion->triangles; ++c)
        mesh.corner[c / 3][c % 3] = motion->corner[c];
    edges_create(&mesh, &edges);
    json_t *losses = 2 * edges.count == 3 * mesh.triangles ? json_array() : json_null();
    double first = 0;
    for (size_t f = 0; f < motion->frames && json_is_array(losses); ++f) {
        for (size_t c = 0; c < 3 * motion->vertices; ++c)
            mesh.position[c / 3][c % 3] = (double)motion->position[f * motion->vertices + c / 3][c % 3];
        const double volume = mesh_volume(&mesh, mesh.position[0]);
        first = f ? first : volume;
        json_array_append_new(losses, json_number(1 - volume / first));
    }
    return losses;
}

static bool is_stand_in(const struct trace_data *trace) {
    return !strcmp(trace_run_text(trace, "body_stand_in"), "yes");
}

static json_t *describe(const struct trace_data *trace, const char *label, const struct run *run,
                        const struct motion *motion, const struct obstacles *obstacles) {
    json_t *time = json_array();
    for (size_t f = 0; f < motion->frames; ++f)
        json_array_append_new(time, json_number(trace->mesh_time[played(trace, f)]));
    json_t *object =
        json_pack("{so so sb so so}", "label", json_text(label), "status", json_text(trace_run_text(trace, "status")),
                  "stand_in", is_stand_in(trace), "time", time, "losses", losses_of(motion));
    put_motion(motion, object);
    put_scene(run, motion, obstacles, object);
    return object;
}

/* Make out->panel from the frame after two thirds of the motion, because by then falling bodies have usually
 * reached the ground. */
static void make_still(const struct trace_data *trace, const struct run *run, const struct motion *motion,
                       struct playback *out) {
    const size_t moment = 2 * motion->frames / 3;
    const float(*start)[3] = (const float(*)[3])motion->position;
    struct mesh *mesh = &out->still;
    mesh_create(mesh, (int)motion->vertices, (int)motion->triangles);
    for (size_t v = 0; v < motion->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            mesh->position[v][k] = (double)start[moment * motion->vertices + v][k];
    for (size_t t = 0; t < motion->triangles; ++t)
        for (size_t k = 0; k < 3; ++k)
            mesh->corner[t][k] = motion->corner[3 * t + k];
    out->panel = (struct picture_panel){.surface = {.vertices = mesh->vertices,
                                                    .triangles = mesh->triangles,
                                                    .position = (const double(*)[3])mesh->position,
                                                    .corner = (const int(*)[3])mesh->corner,
                                                    .colour = 0x5b8fd0},
                                        .caption = is_stand_in(trace) ? "stand-in body" : "",
                                        .obstacles = out->obstacles.surface,
                                        .obstacle_count = out->obstacles.count,
                                        .ground = run_number_or_nan(run, "scene.ground.height"),
                                        .plate = NAN};
    if (run_parameter(run, "scene.plate.speed")) {
        const struct plate plate = plate_above(run, start, motion->vertices);
        const double time = trace->mesh_time[played(trace, moment)];
        out->panel.plate = time < plate.until ? plate_height_at(&plate, time) : (double)NAN;
    }
}

int playback_make(const struct trace_data *trace, const char *label, struct playback *out) {
    AUTO(motion_free) struct motion motion = {0};
    struct run run;
    *out = (struct playback){.data = NULL};
    if (check_trace(trace) || motion_read(trace, &motion) || obstacles_read(trace, &out->obstacles) ||
        run_of_trace(trace, &run))
        return STATUS_BAD;
    out->data = describe(trace, label, &run, &motion, &out->obstacles);
    make_still(trace, &run, &motion, out);
    out->panel.title = label;
    run_free(&run);
    return STATUS_OK;
}

void playback_free(struct playback *playback) {
    json_decref(playback->data);
    mesh_free(&playback->still);
    obstacles_free(&playback->obstacles);
}
