/* The ray caster Embree. Versions 3 and 4 have different functions; EMBREE is the version, 3 or 4. */
#ifndef SPRINGBACK_BASE_EMBREE_H
#define SPRINGBACK_BASE_EMBREE_H

#if EMBREE == 3
#include <embree3/rtcore.h>
#define RTCRayQueryContext     RTCIntersectContext
#define rtcInitRayQueryContext rtcInitIntersectContext
#else
#include <embree4/rtcore.h>
#endif

/* Find the first hit of a ray. Embree passes `context`, which this function initializes, to the callback functions of
 * geometries. */
static inline void embree_intersect(RTCScene scene, struct RTCRayQueryContext *context, struct RTCRayHit *query) {
    rtcInitRayQueryContext(context);
#if EMBREE == 3
    rtcIntersect1(scene, context, query);
#else
    struct RTCIntersectArguments arguments;
    rtcInitIntersectArguments(&arguments);
    arguments.context = context;
    rtcIntersect1(scene, query, &arguments);
#endif
}

/* Set ray->tfar to minus infinity if the ray hits anything. */
static inline void embree_occlude(RTCScene scene, struct RTCRay *ray) {
#if EMBREE == 3
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene, &context, ray);
#else
    rtcOccluded1(scene, ray, NULL);
#endif
}

#endif
