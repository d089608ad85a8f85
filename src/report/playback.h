/* The recorded geometry of a run, quantised for the player of a page (player.js). */
#ifndef SPRINGBACK_REPORT_PLAYBACK_H
#define SPRINGBACK_REPORT_PLAYBACK_H

#include "report/snapshot.h"
#include "trace/trace.h"

#include <jansson.h>

/* Limits of a run on a page. If a run has more than PLAYBACK_FRAMES recorded geometries, only every n-th of them is
 * used, with the smallest n that is large enough. */
enum { PLAYBACK_FRAMES = 100, PLAYBACK_VERTICES = 65536 };

/* A coordinate is stored as a whole multiple of D / PLAYBACK_GRAIN, where D is the diagonal of the body's bounding box
 * in the first frame. Coordinates farther than 8 D from the centre of this box, as after a divergence, are clamped. */
enum { PLAYBACK_GRAIN = 4096 };

/* A run on a page: its data for the player, and a still picture. */
struct playback {
    json_t *data;               /* the data for the player, described below */
    struct picture_panel panel; /* for picture_draw; shows one of the frames */
    struct mesh still;          /* the geometry that the panel shows, together with `obstacles` */
    struct obstacles obstacles;
};

/* Make a playback; call playback_free also after an error. `label` is borrowed and must outlive the playback. The data
 * is a JSON object:
 *
 *   label, status ("whole", "diverged"), stand_in (true if the body is a stand-in)
 *   time      [frames], s
 *   losses    [frames], the volume loss of a closed surface, divided by its volume in the first frame; null for an open
 *             surface
 *   vertices, triangles: counts; only nodes that are corners of triangles are included
 *   origin, grain: m; a coordinate is origin + grain * code
 *   order     one digit per frame, which says how the frame's codes are predicted: 0 from the previous vertex, 1 from
 *             the previous frame, 2 linearly from the two previous frames
 *   codes     uint16 [frames][3][vertices]: each code minus its prediction, modulo 65536, as a zigzag number; first the
 *             low bytes of all numbers, then the high bytes; deflated (zlib), in base 64
 *   corners   uint16 [triangles][3]: each corner minus the corner before, stored as the codes are
 *   ground    height in m, or null
 *   plate     {start, stop: heights in m; speed: m/s; until: the time in s at which the plate disappears}, or null
 *   sphere    {centre: m, radius: m}, or null
 *   solids    the convex obstacles, as an object of vertices, triangles, origin, grain, order, codes and corners;
 *             null if there are none, or if they have more than PLAYBACK_VERTICES vertices
 *
 * Errors, with the trace's path: no geometry or no triangles were recorded, too many vertices, no memory, and those of
 * obstacles_read. */
int playback_make(const struct trace_data *trace, const char *label, struct playback *out);
void playback_free(struct playback *playback);

/* Deflate bytes (zlib) and encode them in base 64, as a text. Newly allocated; the caller frees it. */
char *playback_pack(const void *bytes, size_t size);

#endif
