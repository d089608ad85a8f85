/* What is not the same in two runs, or in two machines. */
#ifndef SPRINGBACK_DIFF_CONTRAST_H
#define SPRINGBACK_DIFF_CONTRAST_H

/* One thing that is not the same in both; "-" where a trace does not have it. */
struct contrast {
    char *name, *of[2];
};

struct contrasts {
    struct contrast *items;
    int count;
};

/* Both texts are copied; NULL and "" become "-". */
void contrasts_add(struct contrasts *list, const char *name, const char *a, const char *b);
void contrasts_free(struct contrasts *list);

#endif
