#include "report/snapshot.h"

#include "base/memory.h"
#include "base/vector.h"
#include "body/groups.h"
#include "body/paper_groups.h"
#include "experiment/value.h"
#include "mesh/edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Colours of the groups. Red is not among them, because it marks conflicts. If there are more groups than colours, the
 * colours repeat: first at half brightness, then as here, and so on. */
static const uint32_t inks[] = {0x0072b2, 0xe69f00, 0x009e73, 0x222222, 0xc774d9, 0x7fd4f5,
                                0x8c564b, 0xcdb900, 0x6b7f2a, 0x8a8f98, 0x17becf, 0x5b3a8e};

enum { INKS = sizeof inks / sizeof *inks };

static uint32_t ink(int group) {
    const uint32_t colour = inks[group % INKS];
    return group / INKS % 2 ? colour >> 1 & 0x7f7f7f : colour;
}

static int colour_by_colouring(const struct edges *edges, int vertices, uint32_t *colour) {
    AUTO_FREE int *group = memory_new((size_t)edges->count, sizeof *group);
    const int status = groups_colour(vertices, edges->count, 2, edges->end[0], group) < 0 ? STATUS_BAD : STATUS_OK;
    for (int e = 0; !status && e < edges->count; ++e)
        colour[e] = ink(group[e]);
    return status;
}

/* Mark edges that share a node with another edge of the same group. */
static void mark_conflicts(const struct groups *groups, const struct edges *edges, int vertices, uint32_t *colour) {
    AUTO_FREE int *uses = memory_new((size_t)vertices, sizeof *uses);
    for (int g = 0; g < groups->count; ++g) {
        const int *begin = groups->constraint + groups->start[g], *end = groups->constraint + groups->start[g + 1];
        memset(uses, 0, (size_t)vertices * sizeof *uses);
        for (const int *e = begin; e < end; ++e)
            for (int k = 0; k < 2; ++k)
                ++uses[edges->end[*e][k]];
        for (const int *e = begin; e < end; ++e)
            if (uses[edges->end[*e][0]] > 1 || uses[edges->end[*e][1]] > 1)
                colour[*e] = EDGE_GROUPS_BAD;
    }
}

static void colour_by_groups(const struct groups *groups, const struct edges *edges, int vertices, uint32_t *colour) {
    for (int g = groups->count - 1; g >= 0; --g) /* an edge in several groups gets the colour of its first group */
        for (int i = groups->start[g]; i < groups->start[g + 1]; ++i)
            colour[groups->constraint[i]] = ink(g);
    mark_conflicts(groups, edges, vertices, colour);
}

/* cetinaslan2019's algorithm 2 does not say how many arrays it has. The algorithm as printed therefore gets as many
 * arrays (groups of edges) as the repaired algorithm makes. */
static int colour_by_paper(const struct edges *edges, int vertices, bool as_printed, uint32_t *colour) {
    const int(*end)[2] = (const int(*)[2])edges->end;
    AUTO(groups_free) struct groups repaired = {.count = 0}, printed = {.count = 0};
    if (paper_groups_repaired(vertices, edges->count, end, &repaired) ||
        (as_printed && paper_groups_as_printed(vertices, edges->count, end, repaired.count, &printed)))
        return STATUS_BAD;
    colour_by_groups(as_printed ? &printed : &repaired, edges, vertices, colour);
    return STATUS_OK;
}

bool edge_groups_known(const char *name) {
    return words_have("colouring repaired printed", name, strlen(name));
}

static double mean_length(const struct edges *edges, const double (*position)[3]) {
    double sum = 0;
    int count = 0;
    for (int e = 0; e < edges->count; ++e) {
        const double length = vector_distance(position[edges->end[e][1]], position[edges->end[e][0]]);
        sum += isfinite(length) ? length : 0;
        count += isfinite(length);
    }
    return count ? sum / count : 0;
}

uint32_t (*edge_groups_colour(const char *name, const struct snapshot_surface *surface, double *mean_edge))[3] {
    AUTO(edges_free) struct edges edges;
    edges_create(&(struct mesh){surface->vertices, surface->triangles, NULL, (int(*)[3])surface->corner}, &edges);
    AUTO_FREE uint32_t *colour = memory_new((size_t)edges.count, sizeof *colour);
    for (int e = 0; e < edges.count; ++e)
        colour[e] = SNAPSHOT_BARE;
    uint32_t(*out)[3] = NULL;
    const int status = !strcmp(name, "colouring")
                           ? colour_by_colouring(&edges, surface->vertices, colour)
                           : colour_by_paper(&edges, surface->vertices, !strcmp(name, "printed"), colour);
    if (!status) {
        out = memory_new((size_t)surface->triangles, sizeof *out);
        for (int t = 0; t < surface->triangles; ++t)
            for (int k = 0; k < 3; ++k)
                out[t][k] = colour[edges.of_triangle[t][k]];
        *mean_edge = mean_length(&edges, surface->position);
    }
    return out;
}
