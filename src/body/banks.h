/* Banks: the order of constraints whose particles a GPU's lanes take at once. A group's local memory lies in 32 banks,
 * of which each serves one address at a time: lanes whose particles lie in the same one wait for each other. */
#ifndef SPRINGBACK_BODY_BANKS_H
#define SPRINGBACK_BODY_BANKS_H

/* Change the order of `count` constraints of one colour, whose indices into particle[][size] stand in `list`, so that
 * the k-th particles of each 32 that follow each other lie in as many banks as can be had, single numbers or quads of
 * them. Each is one of the next few that are left: what was near stays near. Sizes are up to 4; -1 stands for no
 * particle. */
void banks_order(const int *particle, int size, int count, int *list);

#endif
