/* Fills a prepared body with inner links and tetrahedra, and records facts about them. Filling needs Embree and TetGen;
 * a machine without these reads the stored body. */
#ifndef SPRINGBACK_BODY_FILLING_H
#define SPRINGBACK_BODY_FILLING_H

#include "body/prepared.h"

struct filling {
    bool with_links;        /* add inner links: PART_LINKS and PART_LINKS_TO_START, one for each reading of lee2022's
                               algorithm */
    bool with_paper_groups; /* add facts about the groups of cetinaslan2019's algorithm 2, unless there are too many
                               edges */
    const char *switches;   /* TetGen's switches; NULL: add no tetrahedra */
};

/* Fill a body. If TetGen fails on the surface, this is not an error: it is noted in prepared->facts ("tetgen_failed",
 * "tetgen_message"). It is an error if TetGen could not be run, was killed, or reached a limit of time or memory. The
 * caller must free the body in any case. `name` is the body's name in messages. */
int filling_add(struct prepared *prepared, const struct filling *how, const char *name);

#endif
