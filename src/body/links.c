#include "body/links.h"

#include "base/embree.h"
#include "base/memory.h"
#include "base/vector.h"
#include "mesh/check.h"
#include "mesh/edges.h"
#include "mesh/repair.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The bounding boxes of triangles are enlarged by this fraction of half the body's longest side. A float's rounding
 * error is about 1e-7 of half the longest side. */
static const double margin = 1e-5;

/* Embree works in floats, in a coordinate frame in which the body is between -1 and 1. All other coordinates are in the
 * frame of the mesh. */
struct frame {
    const struct mesh *mesh;
    double centre[3], scale;
};

/* One ray. `context` must be the first member, because Embree passes its address to hit_triangle. */
struct ray {
    struct RTCRayQueryContext context;
    const struct frame *frame;
    const double *start;
    double direction[3]; /* of length 1 */
    int kx, ky, kz;      /* kz is the direction's longest axis */
    double shear[3];
    double distance; /* to the nearest hit so far, m */
    int triangle;    /* triangle that was hit; -1: none */
};

/* The vertices' outward normals, [vertices][3], not normalised; 0 if a vertex has none. Newly allocated. */
static double (*normals(const struct mesh *mesh))[3] {
    double(*normal)[3] = memory_new((size_t)mesh->vertices, sizeof *normal);
    for (int t = 0; t < mesh->triangles; ++t) {
        const int *corner = mesh->corner[t];
        double side[2][3], cross[3];
        for (int s = 0; s < 2; ++s)
            vector_minus(mesh->position[corner[s + 1]], mesh->position[corner[s]], side[s]);
        vector_cross(side[0], side[1], cross);
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                normal[corner[c]][k] += cross[k];
    }
    return normal;
}

static void bound_triangle(const struct RTCBoundsFunctionArguments *arguments) {
    const struct frame *frame = arguments->geometryUserPtr;
    const int *corner = frame->mesh->corner[arguments->primID];
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        double least = DBL_MAX, most = -DBL_MAX;
        for (int c = 0; c < 3; ++c) {
            const double at = (frame->mesh->position[corner[c]][k] - frame->centre[k]) * frame->scale;
            least = fmin(least, at);
            most = fmax(most, at);
        }
        low[k] = (float)(least - margin);
        high[k] = (float)(most + margin);
    }
    *arguments->bounds_o = (struct RTCBounds){.lower_x = low[0],
                                              .lower_y = low[1],
                                              .lower_z = low[2],
                                              .upper_x = high[0],
                                              .upper_y = high[1],
                                              .upper_z = high[2]};
}

/* Whether the ray hits the triangle from inside the body, by Woop, Benthin and Wald, "Watertight Ray/Triangle
 * Intersection", JCGT 2(1), 2013. Two triangles compute exactly opposite numbers for their common edge, so no ray
 * passes between them. */
static bool intersects(const struct ray *ray, const int corner[3], double *distance) {
    double x[3], y[3], z[3];
    for (int c = 0; c < 3; ++c) {
        double at[3];
        vector_minus(ray->frame->mesh->position[corner[c]], ray->start, at);
        x[c] = at[ray->kx] - ray->shear[0] * at[ray->kz];
        y[c] = at[ray->ky] - ray->shear[1] * at[ray->kz];
        z[c] = ray->shear[2] * at[ray->kz];
    }
    const double u = x[2] * y[1] - y[2] * x[1], v = x[0] * y[2] - y[0] * x[2], w = x[1] * y[0] - y[1] * x[0];
    const double sum = u + v + w; /* below 0 if the ray hits the triangle from inside the body */
    *distance = (u * z[0] + v * z[1] + w * z[2]) / sum;
    return u <= 0 && v <= 0 && w <= 0 && sum < 0 && *distance > 0;
}

/* Whether a corner of a triangle is at the position of the start vertex. Positions are compared, because a cut surface
 * has two vertices at one position. */
static bool touches(const struct ray *ray, const int corner[3]) {
    for (int c = 0; c < 3; ++c) {
        const double *at = ray->frame->mesh->position[corner[c]];
        if (at[0] == ray->start[0] && at[1] == ray->start[1] && at[2] == ray->start[2])
            return true;
    }
    return false;
}

/* Embree calls this for each triangle whose box may be hit, in any order. The nearest triangle is chosen; among equally
 * near triangles, the triangle with the lowest index. So the order of calls does not matter. */
static void hit_triangle(const struct RTCIntersectFunctionNArguments *arguments) {
    struct ray *ray = (struct ray *)arguments->context;
    const int triangle = (int)arguments->primID, *corner = ray->frame->mesh->corner[triangle];
    double distance;
    if (!arguments->valid[0] || touches(ray, corner) || !intersects(ray, corner, &distance))
        return;
    if (distance > ray->distance || (distance == ray->distance && triangle > ray->triangle && ray->triangle >= 0))
        return;
    ray->distance = distance;
    ray->triangle = triangle;
    /* Embree need not test boxes beyond this distance plus the rounding of a float. For a single ray, RTCRayHitN has
     * the layout of RTCRayHit. */
    ((struct RTCRayHit *)arguments->rayhit)->ray.tfar = (float)(distance * ray->frame->scale + 10 * margin);
}

static void cast(RTCScene scene, struct ray *ray) {
    const double *d = ray->direction;
    ray->kz = fabs(d[0]) >= fabs(d[1]) ? (fabs(d[0]) >= fabs(d[2]) ? 0 : 2) : (fabs(d[1]) >= fabs(d[2]) ? 1 : 2);
    ray->kx = (ray->kz + (d[ray->kz] < 0 ? 2 : 1)) % 3;
    ray->ky = (ray->kz + (d[ray->kz] < 0 ? 1 : 2)) % 3;
    ray->shear[0] = d[ray->kx] / d[ray->kz];
    ray->shear[1] = d[ray->ky] / d[ray->kz];
    ray->shear[2] = 1 / d[ray->kz];
    ray->distance = INFINITY;
    ray->triangle = -1;
    float from[3];
    for (int k = 0; k < 3; ++k)
        from[k] = (float)((ray->start[k] - ray->frame->centre[k]) * ray->frame->scale);
    struct RTCRayHit query = {.ray = {.org_x = from[0],
                                      .org_y = from[1],
                                      .org_z = from[2],
                                      .dir_x = (float)d[0],
                                      .dir_y = (float)d[1],
                                      .dir_z = (float)d[2],
                                      .tfar = 8, /* more than the frame's diagonal */
                                      .mask = ~0U},
                              .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .instID = {RTC_INVALID_GEOMETRY_ID}}};
    embree_intersect(scene, &ray->context, &query);
}

/* The corner of the hit triangle that is nearest to the hit point (LINKS_END_HIT) or to the ray's start
 * (LINKS_END_START). */
static int far_end(const struct ray *ray, enum links_end end) {
    const int *corner = ray->frame->mesh->corner[ray->triangle];
    double best = INFINITY;
    int chosen = -1;
    for (int c = 0; c < 3; ++c) {
        double to[3];
        for (int k = 0; k < 3; ++k)
            to[k] = ray->start[k] + (end == LINKS_END_HIT ? ray->distance * ray->direction[k] : 0);
        const double square = vector_square(ray->frame->mesh->position[corner[c]], to);
        if (square < best || (square == best && corner[c] < chosen)) {
            best = square;
            chosen = corner[c];
        }
    }
    return chosen;
}

/* Sort the links and remove duplicates. Counts the removed links, and the links that are edges. */
static void clean(const struct mesh *mesh, struct links *links) {
    qsort(links->link, (size_t)links->count, sizeof *links->link,
          edges_compare); /* links with equal ends are identical */
    AUTO(edges_free) struct edges edges;
    edges_create(mesh, &edges);
    int kept = 0;
    for (int l = 0; l < links->count; ++l) {
        const struct spring *link = &links->link[l];
        if (l && edges_compare(link, link - 1) == 0) {
            ++links->doubled;
            continue;
        }
        links->edges += edges_find(&edges, link->a, link->b) >= 0;
        links->link[kept++] = *link;
    }
    links->count = kept;
}

static struct frame frame_around(const struct mesh *mesh) {
    struct frame frame = {.mesh = mesh};
    double low[3], high[3], longest = 0;
    mesh_box(mesh, low, high);
    for (int k = 0; k < 3; ++k) {
        frame.centre[k] = low[k] / 2 + high[k] / 2;
        longest = fmax(longest, high[k] / 2 - low[k] / 2);
    }
    frame.scale = longest > 0 ? 1 / longest : 1;
    return frame;
}

/* If Embree fails, the result is NULL or incomplete, and rtcGetDeviceError(device) returns the error. */
static RTCScene scene_of(RTCDevice device, struct frame *frame) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    RTCScene scene = rtcNewScene(device);
    if (geometry && scene) {
        rtcSetGeometryUserPrimitiveCount(geometry, (unsigned)frame->mesh->triangles);
        rtcSetGeometryUserData(geometry, frame);
        rtcSetGeometryBoundsFunction(geometry, bound_triangle, NULL);
        rtcSetGeometryIntersectFunction(geometry, hit_triangle);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene, geometry);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
        rtcCommitScene(scene);
    }
    if (geometry)
        rtcReleaseGeometry(geometry);
    return scene;
}

static void cast_all(RTCScene scene, const struct frame *frame, enum links_end end, struct links *links) {
    const struct mesh *mesh = frame->mesh;
    AUTO_FREE double(*normal)[3] = normals(mesh);
    for (int v = 0; v < mesh->vertices; ++v) {
        struct ray ray = {.frame = frame, .start = mesh->position[v]};
        ray.triangle = -1;
        for (int k = 0; k < 3; ++k)
            ray.direction[k] = -normal[v][k];
        if (vector_normalise(ray.direction))
            cast(scene, &ray);
        if (ray.triangle < 0) {
            ++links->missed;
            continue;
        }
        const int other = far_end(&ray, end);
        links->link[links->count++] = spring_between((const double(*)[3])mesh->position, v, other);
    }
}

int links_create(const struct mesh *mesh, enum links_end end, struct links *links) {
    *links = (struct links){.count = 0};
    if (mesh_check_numbers(mesh))
        return STATUS_BAD;
    struct frame frame = frame_around(mesh);
    RTCDevice device = rtcNewDevice("threads=1");
    RTCScene scene = device ? scene_of(device, &frame) : NULL;
    const enum RTCError error = rtcGetDeviceError(device);
    int status = STATUS_OK;
    if (!scene || error != RTC_ERROR_NONE)
        status = fail("the ray caster Embree cannot load the surface of %d triangles: error %d%s", mesh->triangles,
                      (int)error, error == RTC_ERROR_OUT_OF_MEMORY ? ", out of memory" : "");
    if (!status) {
        links->link = memory_new((size_t)mesh->vertices, sizeof *links->link);
        cast_all(scene, &frame, end, links);
        clean(mesh, links);
    }
    if (scene)
        rtcReleaseScene(scene);
    if (device)
        rtcReleaseDevice(device);
    return status;
}

void links_free(struct links *links) {
    free(links->link);
    *links = (struct links){.count = 0};
}

const char *links_tool(void) {
    return "Embree " RTC_VERSION_STRING;
}
