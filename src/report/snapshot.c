#include "report/snapshot.h"

#include "base/embree.h"
#include "base/memory.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Colours other than those of bodies: red, green and blue, 0 to 255. */
static const double white[3] = {255, 255, 255}, ground_colour[3] = {226, 230, 235}, shadow_colour[3] = {186, 192, 201},
                    plate_colour[3] = {70, 84, 104};
/* plate_share: the opacity of the plate. disc_radius: the radius of the ground and of the plate. far: the distance of
 * the rays' origins from the centre. Both lengths are in widths of the picture. */
static const double plate_share = 0.30, disc_radius = 0.48, far = 100;

/* ambient: the brightness in shadow. smooth_cosine: a corner of a triangle is smooth if the vertex's normal
 * deviates by less than about 32 degrees from that of the triangle. penumbra: half the width of the light at a distance
 * of 1, for soft shadows. */
static const double ambient = 0.4, smooth_cosine = 0.85, penumbra = 0.08;

enum { SAMPLES = 3 }; /* rays per pixel along each side */

/* A group of surfaces that Embree intersects together: the body, or the obstacles. */
struct layer {
    RTCScene scene;
    int surfaces;
    const struct snapshot_surface *surface[SNAPSHOT_OBSTACLES];
    double (*normal[SNAPSHOT_OBSTACLES])[3]; /* [vertices], unit vectors */
};

/* Unit vectors of the picture; the third one points to the viewer. */
struct camera {
    double right[3], up[3], toward[3];
};

/* Everything that is drawn. `view` and `subject` are in m. All other positions and heights are measured from the
 * picture's centre, in widths of the picture. */
struct stage {
    const struct snapshot_view *view;
    const struct snapshot_subject *subject;
    struct camera camera;
    struct layer body, obstacles;
    double ground, plate; /* heights; NAN: not drawn */
    double light[3];      /* direction to the light */
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
        return fail("nothing to draw: no vertex has a finite position; choose an earlier frame");
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

/* Unit normals of the vertices: means of the normals of their triangles, weighted by the angles at the vertex. The
 * normals do not depend on how faces are cut into triangles. The normal of a vertex is NAN if the normals of its
 * triangles cancel. Newly allocated; the caller frees it. */
static double (*normals_of(const struct snapshot_surface *surface))[3] {
    double(*normal)[3] = memory_new((size_t)surface->vertices, sizeof *normal);
    for (int t = 0; t < surface->triangles; ++t)
        for (int c = 0; c < 3; ++c) {
            const int *corner = surface->corner[t], vertex = corner[c];
            const double *at = surface->position[vertex];
            double side[2][3], across[3];
            vector_minus(surface->position[corner[(c + 1) % 3]], at, side[0]);
            vector_minus(surface->position[corner[(c + 2) % 3]], at, side[1]);
            vector_cross(side[0], side[1], across);
            const double angle = atan2(vector_length(across), vector_dot(side[0], side[1]));
            for (int k = 0; vector_length(across) > 0 && k < 3; ++k)
                normal[vertex][k] += angle * across[k] / vector_length(across);
        }
    for (int v = 0; v < surface->vertices; ++v)
        vector_normalise(normal[v]);
    return normal;
}

/* Add a surface to Embree, which ignores triangles that are not finite. */
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
    layer->surface[layer->surfaces] = surface;
    layer->normal[layer->surfaces++] = normals_of(surface);
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
        free(layer->normal[s]);
    if (layer->scene)
        rtcReleaseScene(layer->scene);
}

static struct RTCRay ray_from(const double *origin, const double *direction) {
    struct RTCRay ray;
    memset(&ray, 0, sizeof ray);
    ray.org_x = (float)origin[0];
    ray.org_y = (float)origin[1];
    ray.org_z = (float)origin[2];
    ray.dir_x = (float)direction[0];
    ray.dir_y = (float)direction[1];
    ray.dir_z = (float)direction[2];
    ray.tfar = (float)(2 * far);
    ray.mask = ~0U;
    return ray;
}

/* The distance along a ray to a horizontal disc at a height; INFINITY if the ray misses the disc. `at` becomes the
 * intersection of the ray with the disc's plane. The centre of the disc is below or above the centre of the picture. */
static double intersect_disc(const double *origin, const double *direction, double height, double *at) {
    if (!isfinite(height) || direction[1] == 0)
        return INFINITY;
    const double along = (height - origin[1]) / direction[1];
    for (int k = 0; k < 3; ++k)
        at[k] = origin[k] + along * direction[k];
    return along > 0 && hypot(at[0], at[2]) <= disc_radius ? along : (double)INFINITY;
}

/* The colour of the body's edge at a point of a triangle; SNAPSHOT_BARE if no edge is there. u and v are the
 * barycentric coordinates of the point at the corners 1 and 2. */
static uint32_t edge_at(const struct stage *stage, int triangle, double u, double v) {
    const struct snapshot_surface *body = &stage->subject->body;
    const double share[3] = {1 - u - v, u, v}; /* the barycentric coordinates */
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

/* The first intersection of a ray with a layer. */
static struct RTCRayHit layer_intersect(const struct layer *layer, const double *origin, const double *direction) {
    struct RTCRayQueryContext context;
    struct RTCRayHit query = {.ray = ray_from(origin, direction)};
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    embree_intersect(layer->scene, &context, &query);
    return query;
}

static bool layer_shadows(const struct layer *layer, const double *at, const double *direction) {
    struct RTCRay shadow = ray_from(at, direction);
    if (layer->surfaces)
        embree_occlude(layer->scene, &shadow);
    return shadow.tfar < 0;
}

static bool is_in_shadow(const struct stage *stage, const double *at, const double *direction) {
    return layer_shadows(&stage->body, at, direction) || layer_shadows(&stage->obstacles, at, direction);
}

/* Compute two unit normals at a hit: `flat`, of the triangle, and `smooth`, interpolated between the vertices. Both
 * point to the viewer. */
static void normals_at(const struct layer *layer, const struct RTCHit *hit, const double *toward, double *flat,
                       double *smooth) {
    const struct snapshot_surface *surface = layer->surface[hit->geomID];
    const int *corner = surface->corner[hit->primID];
    const double u = (double)hit->u, v = (double)hit->v, share[3] = {1 - u - v, u, v}; /* the barycentric coordinates */
    vector_normal(surface->position[corner[0]], surface->position[corner[1]], surface->position[corner[2]], flat);
    vector_normalise(flat);
    const double side = vector_dot(flat, toward) < 0 ? -1 : 1;
    memset(smooth, 0, 3 * sizeof *smooth);
    for (int c = 0; c < 3; ++c) {
        const double *vertex = layer->normal[hit->geomID][corner[c]];
        const double *normal = vector_dot(vertex, flat) > smooth_cosine ? vertex : flat;
        for (int k = 0; k < 3; ++k)
            smooth[k] += side * share[c] * normal[k];
    }
    vector_normalise(smooth);
    for (int k = 0; k < 3; ++k)
        flat[k] *= side;
}

/* The brightness of a point of a surface, 0 to 1, by Lambert's law (1760) and the shadows of the surfaces. If the light
 * is behind the flat triangle but in front of the smooth surface, shadows are ignored, because the triangle would
 * always be in its own shadow. */
static double brightness(const struct stage *stage, const struct layer *layer, const struct RTCRayHit *hit,
                         const double *light) {
    double flat[3], smooth[3], at[3];
    const double *toward = stage->camera.toward;
    const float origin[3] = {hit->ray.org_x, hit->ray.org_y, hit->ray.org_z};
    normals_at(layer, &hit->hit, toward, flat, smooth);
    for (int k = 0; k < 3; ++k)
        at[k] = (double)origin[k] - (double)hit->ray.tfar * toward[k] + 2e-3 * flat[k];
    const double lambert = vector_dot(smooth, stage->light) / vector_length(stage->light);
    const bool is_lit = lambert > 0 && (vector_dot(flat, stage->light) <= 0 || !is_in_shadow(stage, at, light));
    return ambient + (is_lit ? (1 - ambient) * fmin(lambert, 1) : 0);
}

/* The distance along a ray to the body or an obstacle; INFINITY if the ray misses all surfaces. `colour` becomes the
 * colour of the surface at this distance. */
static double intersect_surface(const struct stage *stage, const double *origin, const double *direction,
                                const double *light, double *colour) {
    const struct layer *seen = &stage->body;
    struct RTCRayHit hit = layer_intersect(seen, origin, direction);
    if (stage->obstacles.surfaces) {
        const struct RTCRayHit other = layer_intersect(&stage->obstacles, origin, direction);
        const bool body = hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
        if (other.hit.geomID != RTC_INVALID_GEOMETRY_ID &&
            (!body || (double)other.ray.tfar < (double)hit.ray.tfar - SNAPSHOT_YIELD)) {
            hit = other;
            seen = &stage->obstacles;
        }
    }
    if (hit.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return INFINITY;
    uint32_t paint = SNAPSHOT_BARE;
    if (seen == &stage->body && stage->subject->edge)
        paint = edge_at(stage, (int)hit.hit.primID, (double)hit.hit.u, (double)hit.hit.v);
    const double bright = paint == SNAPSHOT_BARE ? brightness(stage, seen, &hit, light) : 1;
    if (paint == SNAPSHOT_BARE)
        paint = seen->surface[hit.hit.geomID]->colour;
    for (int k = 0; k < 3; ++k)
        colour[k] = bright * (paint >> (16 - 8 * k) & 0xff);
    return (double)hit.ray.tfar;
}

/* Add the colour that one ray finds to a sum. The ray passes through the point (right, up) of the picture. For soft
 * shadows, each ray of a pixel uses another point (across, below) of the light; both coordinates are from -1 to 1. */
static void look(const struct stage *stage, double right, double up, double across, double below, double *sum) {
    const struct camera *camera = &stage->camera;
    const double sky[3] = {penumbra * across, 1, penumbra * below};
    double origin[3], direction[3], light[3], at[3] = {0, 0, 0}, over[3] = {0, 0, 0}, colour[3];
    for (int k = 0; k < 3; ++k) {
        origin[k] = right * camera->right[k] + up * camera->up[k] + far * camera->toward[k];
        direction[k] = -camera->toward[k];
        light[k] = stage->light[k] + penumbra * (across * camera->right[k] + below * camera->up[k]);
    }
    memcpy(colour, white, sizeof colour);
    double distance = intersect_surface(stage, origin, direction, light, colour);
    const double ground = intersect_disc(origin, direction, stage->ground, at);
    if (ground < distance - 1e-4) { /* tolerance: a body that touches the ground is not hidden by rounding */
        memcpy(colour, is_in_shadow(stage, at, sky) ? shadow_colour : ground_colour, sizeof colour);
        distance = ground;
    }
    const double share = intersect_disc(origin, direction, stage->plate, over) < distance ? plate_share : 0;
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
                look(stage, (right - 0.5 * width) / width, (0.5 * height - down) / width, across - 1, below - 1, sum);
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
    for (int k = 0; k < 3; ++k)
        stage.light[k] = -0.35 * stage.camera.right[k] + 0.5 * stage.camera.up[k] + 0.8 * stage.camera.toward[k];
    if (subject->obstacle_count > SNAPSHOT_OBSTACLES)
        return fail("cannot draw %d obstacles; expected at most %d", subject->obstacle_count, SNAPSHOT_OBSTACLES);
    RTCDevice device = rtcNewDevice("threads=1");
    if (device) {
        layer_create(&stage.body, &stage, device, &subject->body, 1);
        layer_create(&stage.obstacles, &stage, device, subject->obstacles, subject->obstacle_count);
    }
    const enum RTCError error = rtcGetDeviceError(device);
    int status = STATUS_OK;
    if (!stage.body.scene || !stage.obstacles.scene || error != RTC_ERROR_NONE)
        status = fail("the ray caster Embree cannot load the surface of %d triangles: error %d%s",
                      subject->body.triangles, (int)error, error == RTC_ERROR_OUT_OF_MEMORY ? ", out of memory" : "");
    else
        draw_pixels(&stage, pixels);
    layer_free(&stage.body);
    layer_free(&stage.obstacles);
    if (device)
        rtcReleaseDevice(device);
    return status;
}
