/* What fills a prepared body: inner links, tetrahedra, and what is found out on the way. Made where the libraries and
 * programs for it are; a machine without them reads the stored body. */
#ifndef SPRINGBACK_BODY_FILLING_H
#define SPRINGBACK_BODY_FILLING_H

#include "body/prepared.h"

struct filling {
    bool with_links;        /* of lee2022, with both ends that its algorithm may mean */
    bool with_paper_groups; /* judge cetinaslan2019's algorithm 2 on the edges, where these are few enough */
    const char *switches;   /* of TetGen; NULL for no tetrahedra */
};

/* Fill a body. TetGen's failure is a fact ("tetgen_failed", "tetgen_message"), and no error; that it could not be run,
 * or came to a limit of time or memory, is one. The body is then good to be freed. */
int filling_add(struct prepared *prepared, const struct filling *how, const char *name);

#endif
