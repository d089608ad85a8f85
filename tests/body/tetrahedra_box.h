/* Bodies of tetrahedra for tests: a box by formula, and the surface of any body of tetrahedra. */
#ifndef SPRINGBACK_TESTS_TETRAHEDRA_BOX_H
#define SPRINGBACK_TESTS_TETRAHEDRA_BOX_H

#include "base/digest.h"
#include "base/memory.h"
#include "body/tetgen.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Allocate the arrays of `body`, and fill them with zeros. */
static inline void tetrahedra_create(struct tetrahedra *body, int vertices, int tetrahedra) {
    *body = (struct tetrahedra){.vertices = vertices, .tetrahedra = tetrahedra};
    body->position = memory_new((size_t)vertices, sizeof *body->position);
    body->corner = memory_new((size_t)tetrahedra, sizeof *body->corner);
}

/* The XXH3 hash of counts, positions and corners, in the format of base/digest.h. */
static inline void tetrahedra_hash(const struct tetrahedra *body, char out[33]) {
    struct digest *digest = digest_create();
    const int counts[2] = {body->vertices, body->tetrahedra};
    digest_add(digest, counts, sizeof counts);
    digest_add(digest, body->position, (size_t)body->vertices * sizeof *body->position);
    digest_add(digest, body->corner, (size_t)body->tetrahedra * sizeof *body->corner);
    digest_finish(digest, out);
}

/* How a cube is cut into tetrahedra. */
enum box_cut {
    BOX_FIVE, /* one regular tetrahedron inside and four at corners; neighbouring cubes are mirrored, so that their
                 diagonals match */
    BOX_SIX,  /* Kuhn's six tetrahedra that share the diagonal from the lowest corner to the highest; the same in all
                 cubes */
};

/* The number of a cell's corner has x in bit 0, y in bit 1 and z in bit 2. five[1] is five[0] mirrored in x. */
static const int five[2][5][4] = {
    {{0, 3, 6, 5}, {1, 0, 5, 3}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}},
    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}},
};
static const int six[6][4] = {{0, 1, 3, 7}, {0, 1, 7, 5}, {0, 2, 7, 3}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 7, 6}};

/* A box of cubes[0] x cubes[1] x cubes[2] equal cells, with a corner at 0 and this size in m. Vertices are numbered x
 * first, then y, then z. Errors: counts below 1, more vertices or tetrahedra than an int can number, sizes that
 * are not positive. */
static inline int tetrahedra_box(const int cubes[3], const double size[3], enum box_cut cut, struct tetrahedra *body) {
    *body = (struct tetrahedra){.vertices = 0};
    double vertices = 1, tetrahedra = cut == BOX_FIVE ? 5 : 6;
    for (int k = 0; k < 3; ++k) {
        if (cubes[k] < 1)
            return fail("a box of %d x %d x %d cubes; each count must be 1 or more", cubes[0], cubes[1], cubes[2]);
        if (!(size[k] > 0) || !isfinite(size[k]))
            return fail("a box of %g x %g x %g m; each side must be above 0", size[0], size[1], size[2]);
        vertices *= (double)cubes[k] + 1;
        tetrahedra *= cubes[k];
    }
    if (vertices > INT_MAX || tetrahedra > INT_MAX)
        return fail(
            "a box of %d x %d x %d cubes has %.0f vertices and %.0f tetrahedra; at most %d of each are possible",
            cubes[0], cubes[1], cubes[2], vertices, tetrahedra, INT_MAX);
    tetrahedra_create(body, (int)vertices, (int)tetrahedra);
    const int columns = cubes[0] + 1, layer = columns * (cubes[1] + 1);
    for (int v = 0; v < body->vertices; ++v) {
        const int at[3] = {v % columns, v / columns % (cubes[1] + 1), v / layer};
        for (int k = 0; k < 3; ++k)
            body->position[v][k] = size[k] * at[k] / cubes[k];
    }
    const int cuts = cut == BOX_FIVE ? 5 : 6;
    for (int t = 0; t < body->tetrahedra; ++t) {
        const int cell = t / cuts, x = cell % cubes[0], y = cell / cubes[0] % cubes[1], z = cell / cubes[0] / cubes[1];
        const int *corner = cut == BOX_FIVE ? five[(x + y + z) % 2][t % cuts] : six[t % cuts];
        for (int c = 0; c < 4; ++c)
            body->corner[t][c] =
                x + (corner[c] & 1) + (y + (corner[c] >> 1 & 1)) * columns + (z + (corner[c] >> 2)) * layer;
    }
    return STATUS_OK;
}

/* The sides of a positively oriented tetrahedron, counterclockwise seen from outside. */
static const int sides[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/* A side of a tetrahedron. Two tetrahedra that share a side have faces with equal corners. */
struct face {
    int corner[3]; /* in increasing order */
    size_t place;  /* 4 * tetrahedron + side */
};

/* A counting sort by corner[key]. It is stable: faces with equal keys keep their order. `next` is scratch memory for
 * vertices + 1 numbers. */
static inline void sort_by(int key, const struct face *from, struct face *to, size_t faces, int vertices,
                           size_t *next) {
    memset(next, 0, ((size_t)vertices + 1) * sizeof *next);
    for (size_t f = 0; f < faces; ++f)
        ++next[from[f].corner[key] + 1];
    for (int v = 0; v < vertices; ++v)
        next[v + 1] += next[v];
    for (size_t f = 0; f < faces; ++f)
        to[next[from[f].corner[key]]++] = from[f];
}

static inline void exchange(int *a, int *b) {
    const int held = *a;
    *a = *b;
    *b = held;
}

/* All 4 * body->tetrahedra sides of all tetrahedra, sorted by their corners; newly allocated. */
static inline struct face *faces_sorted(const struct tetrahedra *body) {
    const size_t faces = 4 * (size_t)body->tetrahedra;
    struct face *a = memory_new(faces, sizeof *a), *b = memory_new(faces, sizeof *b);
    size_t *next = memory_new((size_t)body->vertices + 1, sizeof *next);
    for (size_t f = 0; f < faces; ++f) {
        int *corner = a[f].corner;
        for (int c = 0; c < 3; ++c)
            corner[c] = body->corner[f / 4][sides[f % 4][c]];
        a[f].place = f;
        if (corner[0] > corner[1])
            exchange(&corner[0], &corner[1]);
        if (corner[1] > corner[2])
            exchange(&corner[1], &corner[2]);
        if (corner[0] > corner[1])
            exchange(&corner[0], &corner[1]);
    }
    sort_by(2, a, b, faces, body->vertices, next);
    sort_by(1, b, a, faces, body->vertices, next);
    sort_by(0, a, b, faces, body->vertices, next);
    free(next);
    free(a);
    return b;
}

/* The orientation of the face's sorted corners, seen from outside its tetrahedron: 1 if they are counterclockwise, else
 * -1. Two tetrahedra on the two sides of a triangle give opposite orientations. */
static inline int face_orientation(const struct tetrahedra *body, const struct face *face) {
    const int *side = sides[face->place % 4], *corner = body->corner[face->place / 4];
    int first = 0;
    while (corner[side[first]] != face->corner[0])
        ++first;
    return corner[side[(first + 1) % 3]] == face->corner[1] ? 1 : -1;
}

/* Make a mesh of the triangles that belong to only one tetrahedron, oriented outward, and of their vertices. Triangles
 * and vertices keep their order. If `vertex` is not NULL, *vertex becomes a newly allocated array: vertex k of the
 * surface is vertex (*vertex)[k] of the body. Errors: a triangle of more than two tetrahedra, or of two tetrahedra on
 * the same side. */
static inline int tetrahedra_surface(const struct tetrahedra *body, struct mesh *surface, int **vertex) {
    const size_t faces = 4 * (size_t)body->tetrahedra;
    struct face *face = faces_sorted(body);
    char *is_outside = memory_new(faces, 1); /* [faces], indexed by face.place */
    size_t triangles = 0;
    int status = STATUS_OK, vertices = 0;
    *surface = (struct mesh){.vertices = 0};
    if (vertex)
        *vertex = NULL;
    for (size_t f = 0, end; f < faces && !status; f = end) {
        for (end = f + 1; end < faces && !memcmp(face[f].corner, face[end].corner, sizeof face[f].corner);)
            ++end;
        if (end - f == 1)
            is_outside[face[f].place] = 1;
        else if (end - f > 2 || face_orientation(body, &face[f]) == face_orientation(body, &face[f + 1]))
            status = fail("the triangle of vertices %d, %d and %d is a side of %zu tetrahedra%s; expected one, or "
                          "two on its two sides",
                          face[f].corner[0], face[f].corner[1], face[f].corner[2], end - f,
                          end - f == 2 ? " on the same side" : "");
        triangles += end - f == 1;
    }
    free(face);
    int *number = memory_new((size_t)body->vertices, sizeof *number);
    for (size_t f = 0; f < faces; ++f)
        for (int c = 0; c < 3; ++c)
            number[body->corner[f / 4][sides[f % 4][c]]] |= is_outside[f];
    for (int v = 0; v < body->vertices; ++v)
        vertices += number[v];
    if (!status && triangles > INT_MAX)
        status = fail("the surface has %zu triangles; at most %d are possible", triangles, INT_MAX);
    if (!status) {
        mesh_create(surface, vertices, (int)triangles);
        int *of = memory_new((size_t)vertices, sizeof *of), next = 0;
        for (int v = 0; v < body->vertices; ++v)
            if (number[v]) {
                memcpy(surface->position[next], body->position[v], sizeof body->position[v]);
                of[next] = v;
                number[v] = next++;
            }
        next = 0;
        for (size_t f = 0; f < faces; ++f) {
            for (int c = 0; c < 3 && is_outside[f]; ++c)
                surface->corner[next][c] = number[body->corner[f / 4][sides[f % 4][c]]];
            next += is_outside[f];
        }
        if (vertex)
            *vertex = of;
        else
            free(of);
    }
    free(number);
    free(is_outside);
    return status;
}

#endif
