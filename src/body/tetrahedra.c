#include "body/tetrahedra.h"

#include "base/digest.h"
#include "base/memory.h"
#include "base/tree.h"
#include "base/vector.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void tetrahedra_create(struct tetrahedra *body, int vertices, int tetrahedra) {
    *body = (struct tetrahedra){.vertices = vertices, .tetrahedra = tetrahedra};
    body->position = memory_new((size_t)vertices, sizeof *body->position);
    body->corner = memory_new((size_t)tetrahedra, sizeof *body->corner);
}

void tetrahedra_free(struct tetrahedra *body) {
    free(body->position);
    free(body->corner);
    *body = (struct tetrahedra){.vertices = 0};
}

void tetrahedra_hash(const struct tetrahedra *body, char out[33]) {
    struct digest *digest = digest_create();
    const int counts[2] = {body->vertices, body->tetrahedra};
    digest_add(digest, counts, sizeof counts);
    digest_add(digest, body->position, (size_t)body->vertices * sizeof *body->position);
    digest_add(digest, body->corner, (size_t)body->tetrahedra * sizeof *body->corner);
    digest_finish(digest, out);
}

static double determinant(const double a[3], const double b[3], const double c[3]) {
    double normal[3];
    vector_cross(a, b, normal);
    return vector_dot(normal, c);
}

double tetrahedron_determinant(const double (*position)[3], const int corner[4]) {
    double side[3][3];
    for (int s = 0; s < 3; ++s)
        vector_minus(position[corner[s + 1]], position[corner[0]], side[s]);
    return determinant(side[0], side[1], side[2]);
}

/* Corners of a cell: bit 0 is x, bit 1 is y, bit 2 is z. The second cut into five is the first, mirrored in x. */
static const int five[2][5][4] = {
    {{0, 3, 6, 5}, {1, 0, 5, 3}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 3, 5, 6}},
    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}},
};
static const int six[6][4] = {{0, 1, 3, 7}, {0, 1, 7, 5}, {0, 2, 7, 3}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 7, 6}};

int tetrahedra_box(const int cubes[3], const double size[3], enum box_cut cut, struct tetrahedra *body) {
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
        return fail("a box of %d x %d x %d cubes has %.0f vertices and %.0f tetrahedra; %d of each are the most",
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

/* The sides of a positively oriented tetrahedron, counterclockwise as seen from outside. */
static const int sides[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/* One side, on its way to being found twice. */
struct face {
    int corner[3]; /* rising */
    size_t place;  /* 4 * tetrahedron + side */
};

/* Stable: faces of equal keys keep their order. */
static void sort_by(int key, const struct face *from, struct face *to, size_t faces, int vertices, size_t *next) {
    memset(next, 0, ((size_t)vertices + 1) * sizeof *next);
    for (size_t f = 0; f < faces; ++f)
        ++next[from[f].corner[key] + 1];
    for (int v = 0; v < vertices; ++v)
        next[v + 1] += next[v];
    for (size_t f = 0; f < faces; ++f)
        to[next[from[f].corner[key]]++] = from[f];
}

static void exchange(int *a, int *b) {
    const int held = *a;
    *a = *b;
    *b = held;
}

/* All sides of all tetrahedra, sorted by their corners; and for each whether its corners are turned evenly. */
static struct face *faces_sorted(const struct tetrahedra *body) {
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

/* The sum of signs of both turns is 0 where two tetrahedra meet from two sides. */
static int turn(const struct tetrahedra *body, const struct face *face) {
    const int *side = sides[face->place % 4], *corner = body->corner[face->place / 4];
    int first = 0;
    while (corner[side[first]] != face->corner[0])
        ++first;
    return corner[side[(first + 1) % 3]] == face->corner[1] ? 1 : -1;
}

int tetrahedra_surface(const struct tetrahedra *body, struct mesh *surface, int **vertex) {
    const size_t faces = 4 * (size_t)body->tetrahedra;
    struct face *face = faces_sorted(body);
    char *is_outside = memory_new(faces, 1); /* by place */
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
        else if (end - f > 2 || turn(body, &face[f]) == turn(body, &face[f + 1]))
            status = fail("the triangle of vertices %d, %d and %d is a side of %zu tetrahedra%s; it must be of one, or "
                          "of two that lie on its two sides",
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
        status = fail("the surface has %zu triangles; %d are the most", triangles, INT_MAX);
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

/* The cotangent of the smallest angle between two sides of a positively oriented tetrahedron: of its edges' angles,
 * the largest. With e along an edge and n, m the normals of both sides, |n x m| = |e| det. */
static double largest_cotangent(const struct tetrahedra *body, const int corner[4], double six_volumes) {
    static const int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    double largest = -INFINITY;
    for (int e = 0; e < 6; ++e) {
        double side[3][3], n[3], m[3];
        for (int s = 0; s < 3; ++s)
            vector_minus(body->position[corner[edges[e][s + 1]]], body->position[corner[edges[e][0]]], side[s]);
        vector_cross(side[0], side[1], n);
        vector_cross(side[0], side[2], m);
        const double cotangent = vector_dot(n, m) / (sqrt(vector_dot(side[0], side[0])) * six_volumes);
        largest = cotangent > largest ? cotangent : largest;
    }
    return largest;
}

/* V = sum over triangles of x0 . (x1 x x2) / 6, from the first vertex, so that far from 0 no digits are lost. */
static double volume_inside(const struct mesh *surface) {
    double *part = memory_new((size_t)surface->triangles, sizeof *part);
    for (int t = 0; t < surface->triangles; ++t) {
        double side[3][3];
        for (int c = 0; c < 3; ++c)
            vector_minus(surface->position[surface->corner[t][c]], surface->position[0], side[c]);
        part[t] = determinant(side[0], side[1], side[2]);
    }
    const double sum = tree_reduce(TREE_SUM, part, (size_t)surface->triangles);
    free(part);
    return sum / 6;
}

void tetrahedra_survey(const struct tetrahedra *body, const struct mesh *surface, struct tetrahedra_survey *survey) {
    *survey = (struct tetrahedra_survey){.surface_volume = surface ? volume_inside(surface) : (double)NAN};
    const double none = -(double)INFINITY;
    double *part = memory_new((size_t)body->tetrahedra, sizeof *part), cotangent = none;
    survey->smallest_volume = INFINITY;
    for (int t = 0; t < body->tetrahedra; ++t) {
        part[t] = tetrahedron_determinant(body->position, body->corner[t]);
        survey->inverted += part[t] < 0;
        survey->flat += part[t] == 0;
        survey->smallest_volume = fmin(survey->smallest_volume, part[t] / 6);
        if (part[t] > 0)
            cotangent = fmax(cotangent, largest_cotangent(body, body->corner[t], part[t]));
        else if (part[t] == 0)
            cotangent = INFINITY;
    }
    survey->volume = tree_reduce(TREE_SUM, part, (size_t)body->tetrahedra) / 6;
    survey->smallest_angle = cotangent > none ? atan2(1, cotangent) * 45 / atan2(1, 1) : (double)NAN;
    free(part);
}
