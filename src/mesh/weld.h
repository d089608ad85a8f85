/* Which vertices stand at one place. */
#ifndef SPRINGBACK_MESH_WELD_H
#define SPRINGBACK_MESH_WELD_H

/* For each of `vertices` positions the lowest vertex that it is one with: equal coordinates (-0 equals +0), or, with a
 * distance > 0, none farther away than it. By distance the vertices are taken in order, and each joins the lowest of
 * the earlier ones that stand for themselves and are near enough; so it depends on the order alone, chains do not grow,
 * and those left are farther apart than the distance. Coordinates must be finite. Returns how many joined another. */
int weld_find(int vertices, const double (*position)[3], double distance, int *one_with);

#endif
