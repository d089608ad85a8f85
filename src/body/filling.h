/* Fills a prepared body with inner links and tetrahedra, and records facts about them. This needs libraries and
 * programs; a machine without them reads the stored body. */
#ifndef SPRINGBACK_BODY_FILLING_H
#define SPRINGBACK_BODY_FILLING_H

#include "body/prepared.h"

struct filling {
    bool with_links;        /* those of lee2022, with both ends that its algorithm may mean */
    bool with_paper_groups; /* evaluate cetinaslan2019's algorithm 2 on the edges, unless there are too many */
    const char *switches;   /* of TetGen; NULL for no tetrahedra */
};

/* Fill a body. A failure of TetGen is not an error, but a fact ("tetgen_failed", "tetgen_message"). It is an error if
 * TetGen could not be run, or reached a limit of time or memory. The caller must then still free the body. */
int filling_add(struct prepared *prepared, const struct filling *how, const char *name);

#endif
