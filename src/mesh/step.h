/* What is done to a mesh between its original and a body: a list of steps, each a word or a word with what it takes. */
#ifndef SPRINGBACK_MESH_STEP_H
#define SPRINGBACK_MESH_STEP_H

#include "experiment/document.h"
#include "mesh/reduce.h"

struct step_kind;

struct step {
    const struct step_kind *kind;
    struct place place;
    double number[4]; /* what the kind takes, in its table's order */
    enum reducer by;
};

/* Read an item of a list of steps. Errors, with their places: no such step, and the nearest right one; a value that is
 * missing, unknown, or not of its kind. */
int step_read(const struct node *node, struct step *step);

/* How many leading steps of a list want faces as they are, before they are cut into triangles. */
int steps_of_polygons(const struct step *steps, int count);

/* Catmull-Clark as often as the step says. */
struct polygons;
int step_subdivide(const struct step *step, const char *name, struct polygons *polygons);

/* Do a step; messages call the mesh by `name`. */
int step_do(const struct step *step, const char *name, struct mesh *mesh);

/* A step in words that read back as the same, newly allocated: part of what a prepared mesh is known by. */
char *step_text(const struct step *step);

#endif
