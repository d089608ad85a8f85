/* Independent edge groups of cetinaslan2019, algorithm 2: as printed, and repaired. Both are used to evaluate the
 * paper; the repaired groups can also be used in runs. The algorithm's time grows with the square of the number of
 * edges, so large meshes are refused. The groups of body/groups.h are found faster and are fewer. The lists of lines 1
 * to 14 of the algorithm are not stored; they are computed when they are needed.
 *
 * The algorithm as printed, with the fewest changes that make it terminate and select a list:
 *     line 2     printed: EdgeID never changes. Here it is incremented at the end of the loop.
 *     line 4     printed: NonAdjArray is never emptied. Here each edge has its own NonAdjArray. The last value of i,
 *                and of j in lines 20 and 23, is one less than printed.
 *     line 15    the paper does not state the number of IndEdgesArrays. Here the caller gives it.
 *     line 19    the paper does not state which list is used. Here it is NonAdjArraysList[g] for array g.
 * The result is not a grouping. Edge 0, added by line 17, is overwritten by line 35. Each array lacks its own edge,
 * because this edge is not in the list of edges that are not adjacent to it. Lines 26-27 keep an edge *because* it is
 * in another group, even if it is adjacent to an edge of this group. Therefore groups share edges, contain edges that
 * share a particle, and omit edges.
 *
 * The algorithm repaired, so that it does what section 6 says ("if any two edges are connected to each other or exist
 * in other independent edge groups, they are located to different groups"):
 *     line 2, 4  as above.
 *     line 15    there are as many arrays as needed until each edge is in one.
 *     line 16    each array, not only the first, begins with an edge: the first edge that is in no array.
 *     line 19    the list used is that of this edge, without the edges that are in other arrays.
 *     line 27    this condition is removed, because the list has no edge of another array.
 *     line 35    SourceArray is appended to IndEdgesArray instead of replacing it.
 * The groups are then those of first fit in the order of the edges, so their number depends on this order. The number
 * is at least the largest number of edges at a particle. "6 groups of edges are sufficient" can be true only if no
 * particle has more than six edges, and a triangle mesh has six on average. */
#ifndef SPRINGBACK_BODY_PAPER_GROUPS_H
#define SPRINGBACK_BODY_PAPER_GROUPS_H

#include "base/status.h"
#include "body/groups.h"
#include "body/prepared.h"

enum {
    PAPER_GROUPS_EDGES_MOST = 65536,   /* maximum number of edges, for which the algorithm takes some seconds */
    PAPER_GROUPS_PLACES_MOST = 1000000 /* as printed: maximum of (number of arrays) x (number of edges) */
};

/* Compute the groups as printed, in the stated number of `arrays`, or repaired. The constraints are edges; end[e] are
 * the two particles of edge e. The edges of a group are in the order of the algorithm. Fails if there are too many
 * edges or arrays, or if an edge does not join two particles. */
int paper_groups_as_printed(int particles, int edges, const int (*end)[2], int arrays, struct groups *groups);
int paper_groups_repaired(int particles, int edges, const int (*end)[2], struct groups *groups);

struct paper_groups_verdict {
    long conflicts;        /* pairs of edges in one group that share a particle, summed over the groups */
    int missing, repeated; /* missing: number of edges in no group; repeated: in more than one group */
};
void paper_groups_judge(const struct groups *groups, int edges, const int (*end)[2],
                        struct paper_groups_verdict *verdict);

/* Sort a body's edges by the repaired groups. The algorithm reads the edges in the order of their vertices. Errors: too
 * many edges; two edges of a group that share a particle; an edge in no group or in several. The body is then
 * unchanged. */
int paper_groups_lay(struct prepared *prepared);

#endif
