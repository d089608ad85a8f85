/* The recorded geometry of a run, quantised for the player of a page (player.js). */
#ifndef SPRINGBACK_REPORT_PLAYBACK_H
#define SPRINGBACK_REPORT_PLAYBACK_H

#include "report/snapshot.h"
#include "trace/trace.h"

#include <jansson.h>

/* Limits of what a page can play. Of a run with more recorded geometries every second, third, ... is taken. */
enum { PLAYBACK_FRAMES = 100, PLAYBACK_VERTICES = 65536 };

/* A place is kept as a multiple of the body's diameter over PLAYBACK_GRAIN; the diameter is that of the bounding box
 * of the first frame. Places farther than 8 diameters from that box's centre, as after a divergence, are cut there. */
enum { PLAYBACK_GRAIN = 4096 };

/* A run for a page. */
struct playback {
    json_t *data;               /* what the player is given, as below */
    struct picture_panel panel; /* for picture_draw: one of the frames that are played */
    struct mesh still;          /* what the panel points to, as well as the obstacles */
    struct obstacles obstacles;
};

/* Make it, to be freed also after an error; `label` must live as long. The data is a JSON object:
 *   label, status ("whole", "diverged"), stand_in (true if the body is one)
 *   time      [frames], s
 *   losses    [frames], the part of its volume that a closed surface has lost; else null
 *   vertices, triangles: counts; of the trace's nodes those that are corners of triangles
 *   origin, grain: m; a coordinate is origin + grain * code
 *   order     a digit a frame: from how many frames before it its codes are predicted: 0 from the vertex before it,
 *             1 from the frame before it, 2 from the straight line through the two frames before it
 *   codes     uint16 [frames][3][vertices], less their prediction, modulo 65536; as zigzag numbers, all low bytes and
 *             then all high bytes; deflated (zlib), in base 64
 *   corners   uint16 [triangles][3], likewise: each less the one before it
 *   ground    height in m, or null
 *   plate     {start, stop: heights in m; speed: m/s; until: s}, or null
 *   sphere    {centre: m, radius: m}, or null
 *   solids    what no body enters, as an object of vertices, triangles, origin, grain, order, codes and corners; or
 *             null
 * Errors, with the trace's path: no geometry or no triangles were recorded, too many vertices, no memory, those of
 * obstacles_read. */
int playback_make(const struct trace_data *trace, const char *label, struct playback *out);
void playback_free(struct playback *playback);

/* Deflated (zlib), in base 64. Newly allocated. */
char *playback_pack(const void *bytes, size_t size);

#endif
