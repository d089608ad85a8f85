/* Independent edge groups of cetinaslan2019, algorithm 2: as printed, and repaired. For judging the paper, and for runs
 * by the repaired ones; those of body/groups.h are found faster, and are fewer. Time goes with the square of the edges,
 * so that large meshes are refused; the lists of lines 1 to 14 are made when asked for, not stored.
 *
 * As printed, with the least that makes it end and say which list it means:
 *     line 2     EdgeID never changes: it is counted up at the end of the loop
 *     line 4     NonAdjArray is never emptied: it is, so that each edge has its own; i, and j in 20 and 23, end before
 *                the number that is named
 *     line 15    how many IndEdgesArrays there are is not said: the caller says
 *     line 19    which list is not said: NonAdjArraysList[g] for the g-th IndEdgesArray
 * This does not group. Edge 0, put in by line 17, is lost to line 35; so is each array's own edge, which is not in the
 * list of those that are not adjacent to it; and lines 26-27 keep an edge *because* it is in another group, whatever it
 * is adjacent to in this one. Groups then share edges, hold edges that share a particle, and leave edges out.
 *
 * Repaired, to do what section 6 says ("if any two edges are connected to each other or exist in other independent edge
 * groups, they are located to different groups"):
 *     line 2, 4  as above
 *     line 15    as many arrays as it takes until each edge is in one
 *     line 16    each array, not the first alone, begins with an edge: the first that is in no array
 *     line 19    the list of that edge, less the edges that are in other arrays
 *     line 27    gone: an edge in another array is not in the list any more
 *     line 35    SourceArray is appended to IndEdgesArray and does not replace it
 * The groups are then those of first fit in the order of the edges, so that their number hangs on that order. It is at
 * least the number of edges at the particle that has most: "6 groups of edges are sufficient" only where no particle
 * has more than six, and a triangle mesh has six on average. */
#ifndef SPRINGBACK_BODY_PAPER_GROUPS_H
#define SPRINGBACK_BODY_PAPER_GROUPS_H

#include "base/status.h"
#include "body/groups.h"
#include "body/prepared.h"

enum {
    PAPER_GROUPS_EDGES_MOST = 65536,   /* some seconds */
    PAPER_GROUPS_PLACES_MOST = 1000000 /* arrays * edges, as printed */
};

/* Constraints are edges, of which end[e] are the two particles; in a group in the order of the algorithm. Fail where
 * edges are too many, or join no two particles. */
int paper_groups_as_printed(int particles, int edges, const int (*end)[2], int arrays, struct groups *groups);
int paper_groups_repaired(int particles, int edges, const int (*end)[2], struct groups *groups);

struct paper_groups_verdict {
    long conflicts;        /* pairs in one group that share a particle, each counted in each group */
    int missing, repeated; /* edges in no group; in more than one */
};
void paper_groups_judge(const struct groups *groups, int edges, const int (*end)[2],
                        struct paper_groups_verdict *verdict);

/* Lay a body's edges, taken in the order of their vertices, by the repaired groups. Fails where edges are too many, and
 * where two of a group share a particle, or an edge is in none or in several; says so, and leaves the body as it is. */
int paper_groups_lay(struct prepared *prepared);

#endif
