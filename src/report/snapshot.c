#include "report/snapshot.h"

#include "base/memory.h"
#include "base/vector.h"
#include "trace/export.h"

#include <embree3/rtcore.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Colours of what is no body, and how much of the plate's is seen. */
static const double white[3] = {255, 255, 255}, floor_colour[3] = {226, 230, 235}, shadow_colour[3] = {186, 192, 201},
                    plate_colour[3] = {70, 84, 104};
static const double plate_share = 0.30, disc_radius = 0.48; /* of the picture's width */

enum { SAMPLES = 3 }; /* a pixel's rays along each side */

/* Surfaces that hide each other. */
struct layer {
    RTCScene scene;
    int surfaces;
    uint32_t *shade[SNAPSHOT_OBSTACLES]; /* [triangles] */
};

/* Unit vectors of the picture, the third towards who looks. */
struct camera {
    double right[3], up[3], toward[3];
};

/* What is drawn: lengths are in widths of the picture, from its middle. */
struct stage {
    const struct snapshot_view *view;
    const struct snapshot_subject *subject;
    struct camera camera;
    struct layer body, obstacles;
    double ground, plate; /* heights, or NAN */
};

static struct camera camera_of(const struct snapshot_view *view) {
    const double radian = M_PI / 180, across = sin(view->turn * radian), along = cos(view->turn * radian);
    const double above = sin(view->tilt * radian), level = cos(view->tilt * radian);
    return (struct camera){.right = {along, 0, -across},
                           .up = {-above * across, level, -above * along},
                           .toward = {level * across, above, level * along}};
}

int snapshot_aim(const struct snapshot_surface *surface, struct snapshot_view *view) {
    const struct camera camera = camera_of(view);
    const double *const axes[3] = {camera.right, camera.up, camera.toward};
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int v = 0; v < surface->vertices; ++v)
        for (int k = 0; k < 3; ++k) {
            const double along = vector_dot(surface->position[v], axes[k]);
            if (isfinite(along)) {
                low[k] = fmin(low[k], along);
                high[k] = fmax(high[k], along);
            }
        }
    if (!(low[0] <= high[0]))
        return fail("there is nothing to draw: no vertex is finite");
    for (int k = 0; k < 3; ++k) {
        view->at[k] = 0;
        for (int a = 0; a < 3; ++a)
            view->at[k] += 0.5 * (low[a] + high[a]) * axes[a][k];
    }
    view->across = 1.08 * fmax(high[0] - low[0], (high[1] - low[1]) * view->width / view->height);
    if (!(view->across > 0))
        view->across = 1;
    return STATUS_OK;
}

/* Hand a surface to Embree, which leaves out triangles that are not finite, and shade each of its triangles. */
static void layer_add(struct layer *layer, const struct stage *stage, RTCDevice device,
                      const struct snapshot_surface *surface) {
    const size_t vertices = (size_t)surface->vertices, triangles = (size_t)surface->triangles;
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float(*position)[3] =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof *position, vertices);
    for (size_t v = 0; position && v < vertices; ++v)
        for (int k = 0; k < 3; ++k)
            position[v][k] = (float)((surface->position[v][k] - stage->view->at[k]) / stage->view->across);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, surface->corner, 0,
                               sizeof *surface->corner, triangles);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(layer->scene, geometry, (unsigned)layer->surfaces);
    rtcReleaseGeometry(geometry);
    struct export_view light = {.ambient = 0.4, .colour = surface->colour};
    for (int k = 0; k < 3; ++k)
        light.light[k] = -0.35 * stage->camera.right[k] + 0.5 * stage->camera.up[k] + 0.8 * stage->camera.toward[k];
    uint32_t *shade = memory_new(triangles, sizeof *shade);
    for (size_t t = 0; t < triangles; ++t) {
        const int *corner = surface->corner[t];
        shade[t] = export_shade(surface->position[corner[0]], surface->position[corner[1]],
                                surface->position[corner[2]], &light);
    }
    layer->shade[layer->surfaces++] = shade;
}

static void layer_create(struct layer *layer, const struct stage *stage, RTCDevice device,
                         const struct snapshot_surface *surfaces, int count) {
    layer->scene = rtcNewScene(device);
    for (int s = 0; layer->scene && s < count; ++s)
        layer_add(layer, stage, device, &surfaces[s]);
    if (!layer->scene)
        return;
    rtcSetSceneFlags(layer->scene, RTC_SCENE_FLAG_ROBUST);
    rtcCommitScene(layer->scene);
}

static void layer_free(struct layer *layer) {
    for (int s = 0; s < layer->surfaces; ++s)
        free(layer->shade[s]);
    if (layer->scene)
        rtcReleaseScene(layer->scene);
}

static struct RTCRay ray_from(const double *origin, const double *way, double far) {
    struct RTCRay ray;
    memset(&ray, 0, sizeof ray);
    ray.org_x = (float)origin[0];
    ray.org_y = (float)origin[1];
    ray.org_z = (float)origin[2];
    ray.dir_x = (float)way[0];
    ray.dir_y = (float)way[1];
    ray.dir_z = (float)way[2];
    ray.tfar = (float)far;
    ray.mask = ~0U;
    return ray;
}

/* Where a ray meets a level disc below or above the middle: how far along it; INFINITY where it does not. */
static double meet_disc(const double *origin, const double *way, double height, double *at) {
    if (!isfinite(height) || way[1] == 0)
        return INFINITY;
    const double along = (height - origin[1]) / way[1];
    for (int k = 0; k < 3; ++k)
        at[k] = origin[k] + along * way[k];
    return along > 0 && hypot(at[0], at[2]) <= disc_radius ? along : (double)INFINITY;
}

/* The colour of the body's edge at a place of a triangle, by its barycentric coordinates; SNAPSHOT_BARE off all. */
static uint32_t edge_at(const struct stage *stage, int triangle, double u, double v) {
    const struct snapshot_surface *body = &stage->subject->body;
    const double share[3] = {1 - u - v, u, v}; /* of each corner */
    const int *corner = body->corner[triangle];
    double side[3][3], normal[3], nearest = 0.5 * stage->subject->edge_width;
    uint32_t colour = SNAPSHOT_BARE;
    for (int c = 0; c < 3; ++c)
        vector_minus(body->position[corner[(c + 1) % 3]], body->position[corner[c]], side[c]);
    vector_cross(side[0], side[1], normal);
    const double area = vector_length(normal);
    for (int c = 0; c < 3; ++c) {
        const double away = share[(c + 2) % 3] * area / vector_length(side[c]);
        if (away <= nearest && stage->subject->edge[triangle][c] != SNAPSHOT_BARE) {
            nearest = away;
            colour = stage->subject->edge[triangle][c];
        }
    }
    return colour;
}

/* What of a layer is met first. */
static struct RTCRayHit layer_meet(const struct layer *layer, const double *origin, const double *way, double far) {
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit query = {.ray = ray_from(origin, way, far)};
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(layer->scene, &context, &query);
    return query;
}

static bool layer_shadows(const struct layer *layer, const double *at, double far) {
    static const double upward[3] = {0, 1, 0};
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRay shadow = ray_from(at, upward, far);
    rtcOccluded1(layer->scene, &context, &shadow);
    return shadow.tfar < 0;
}

/* The body or an obstacle along a ray: how far it is, INFINITY for none; and its colour. */
static double meet_surface(const struct stage *stage, const double *origin, const double *way, double far,
                           double *colour) {
    const struct layer *seen = &stage->body;
    struct RTCRayHit hit = layer_meet(seen, origin, way, far);
    if (stage->obstacles.surfaces) {
        const struct RTCRayHit other = layer_meet(&stage->obstacles, origin, way, far);
        const bool body = hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
        if (other.hit.geomID != RTC_INVALID_GEOMETRY_ID &&
            (!body || (double)other.ray.tfar < (double)hit.ray.tfar - SNAPSHOT_YIELD)) {
            hit = other;
            seen = &stage->obstacles;
        }
    }
    if (hit.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return INFINITY;
    uint32_t shade = seen->shade[hit.hit.geomID][hit.hit.primID];
    if (seen == &stage->body && stage->subject->edge) {
        const uint32_t edge = edge_at(stage, (int)hit.hit.primID, (double)hit.hit.u, (double)hit.hit.v);
        shade = edge == SNAPSHOT_BARE ? shade : edge;
    }
    for (int k = 0; k < 3; ++k)
        colour[k] = shade >> (16 - 8 * k) & 0xff;
    return (double)hit.ray.tfar;
}

/* The colour along one ray, from a place of the picture, added to a sum. */
static void look(const struct stage *stage, double right, double up, double *sum) {
    double origin[3], way[3], at[3] = {0, 0, 0}, over[3] = {0, 0, 0}, colour[3];
    const double far = 100;
    for (int k = 0; k < 3; ++k) {
        origin[k] = right * stage->camera.right[k] + up * stage->camera.up[k] + far * stage->camera.toward[k];
        way[k] = -stage->camera.toward[k];
    }
    memcpy(colour, white, sizeof colour);
    double met = meet_surface(stage, origin, way, 2 * far, colour);
    const double ground = meet_disc(origin, way, stage->ground, at);
    if (ground < met - 1e-4) { /* what lies on the floor is not under it for a rounding */
        const bool dark = layer_shadows(&stage->body, at, 2 * far) ||
                          (stage->obstacles.surfaces && layer_shadows(&stage->obstacles, at, 2 * far));
        memcpy(colour, dark ? shadow_colour : floor_colour, sizeof colour);
        met = ground;
    }
    const double share = meet_disc(origin, way, stage->plate, over) < met ? plate_share : 0;
    for (int k = 0; k < 3; ++k)
        sum[k] += (1 - share) * colour[k] + share * plate_colour[k];
}

static void draw_pixels(const struct stage *stage, unsigned char *pixels) {
    const int width = stage->view->width, height = stage->view->height;
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
            double sum[3] = {0, 0, 0};
            for (int ray = 0; ray < SAMPLES * SAMPLES; ++ray) {
                const int across = ray % SAMPLES, below = ray / SAMPLES;
                const double right = column + (across + 0.5) / SAMPLES, down = row + (below + 0.5) / SAMPLES;
                look(stage, (right - 0.5 * width) / width, (0.5 * height - down) / width, sum);
            }
            for (int k = 0; k < 3; ++k)
                pixels[3 * ((size_t)row * (size_t)width + (size_t)column) + (size_t)k] =
                    (unsigned char)lround(sum[k] / (SAMPLES * SAMPLES));
        }
}

int snapshot_draw(const struct snapshot_subject *subject, const struct snapshot_view *view, unsigned char *pixels) {
    struct stage stage = {.view = view,
                          .subject = subject,
                          .camera = camera_of(view),
                          .ground = (view->ground - view->at[1]) / view->across,
                          .plate = (view->plate - view->at[1]) / view->across};
    if (subject->obstacle_count > SNAPSHOT_OBSTACLES)
        return fail("%d obstacles are too many to draw; up to %d would be right", subject->obstacle_count,
                    SNAPSHOT_OBSTACLES);
    RTCDevice device = rtcNewDevice("threads=1");
    if (device) {
        layer_create(&stage.body, &stage, device, &subject->body, 1);
        layer_create(&stage.obstacles, &stage, device, subject->obstacles, subject->obstacle_count);
    }
    const enum RTCError error = rtcGetDeviceError(device);
    int status = STATUS_OK;
    if (!stage.body.scene || !stage.obstacles.scene || error != RTC_ERROR_NONE)
        status = fail("the ray caster Embree cannot take the surface of %d triangles: error %d%s",
                      subject->body.triangles, (int)error, error == RTC_ERROR_OUT_OF_MEMORY ? ", out of memory" : "");
    else
        draw_pixels(&stage, pixels);
    layer_free(&stage.body);
    layer_free(&stage.obstacles);
    if (device)
        rtcReleaseDevice(device);
    return status;
}
