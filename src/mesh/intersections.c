#include "mesh/survey.h"

#include "base/memory.h"
#include "mesh/repair.h"

#include <gts.h>
#include <math.h>
#include <string.h>

struct search {
    GtsPoint *point;  /* [vertices] scaled by a power of two to at most 1, so that no determinant overflows */
    int (*corner)[3]; /* [triangles] corners; each is replaced by the vertex with the lowest index at its position */
    int *projection;  /* [triangles] axis along which the projection has an area; -1: none, because the triangle has no
                         area */
    long pairs;
    bool *marked; /* [triangles] whether the triangle is in a pair; NULL: not requested */
};

/* ---- Signs ---- */

static int sign(double value) {
    return (value > 0) - (value < 0);
}

static GtsPoint point_of(double x, double y, double z) {
    GtsPoint point;
    memset(&point, 0, sizeof point); /* GTS's class and flags are not used */
    point.x = x;
    point.y = y;
    point.z = z;
    return point;
}

/* The side of point d with respect to the plane through three points: -1, 1, or 0 on the plane. */
static int side(const struct search *search, const int *plane, int d) {
    GtsPoint *p = search->point;
    return sign(gts_point_orientation_3d(&p[plane[0]], &p[plane[1]], &p[plane[2]], &p[d]));
}

/* The orientation of three points as seen along an axis: -1, 1, or 0 if they appear on a line. */
static int winding(int axis, const GtsPoint *a, const GtsPoint *b, const GtsPoint *c) {
    const GtsPoint *corner[3] = {a, b, c};
    GtsPoint flat[3];
    for (int k = 0; k < 3; ++k) {
        const double at[3] = {corner[k]->x, corner[k]->y, corner[k]->z};
        flat[k] = point_of(at[(axis + 1) % 3], at[(axis + 2) % 3], 0);
    }
    return sign(gts_point_orientation(&flat[0], &flat[1], &flat[2]));
}

/* An axis along which three points do not appear on a line; -1 if there is none, because the points are on a line. */
static int projection_of(const GtsPoint *a, const GtsPoint *b, const GtsPoint *c) {
    for (int axis = 0; axis < 3; ++axis)
        if (winding(axis, a, b, c))
            return axis;
    return -1;
}

/* ---- Segments, which include their ends, and triangles, which include their edges ---- */

/* Whether the segments p q and a b, which are in one plane, intersect. Their plane must not be parallel to the axis. */
static int segments_intersect(int axis, const GtsPoint *p, const GtsPoint *q, const GtsPoint *a, const GtsPoint *b) {
    const int side_a = winding(axis, p, q, a), side_b = winding(axis, p, q, b);
    const int side_p = winding(axis, a, b, p), side_q = winding(axis, a, b, q);
    if (side_a || side_b || side_p || side_q)
        return side_a * side_b <= 0 && side_p * side_q <= 0;
    /* on one line: they intersect unless they are separate along an axis */
    const double ends[3][4] = {{p->x, q->x, a->x, b->x}, {p->y, q->y, a->y, b->y}, {p->z, q->z, a->z, b->z}};
    for (int k = 0; k < 3; ++k) {
        const double *at = ends[k];
        if (fmax(at[0], at[1]) < fmin(at[2], at[3]) || fmax(at[2], at[3]) < fmin(at[0], at[1]))
            return 0;
    }
    return 1;
}

/* Whether the segment p q intersects a triangle. side_p and side_q say on which side of the triangle's plane p and q
 * are, as the result of side(). */
static int segment_intersects_triangle(const struct search *search, int p, int q, int triangle, int side_p,
                                       int side_q) {
    if (side_p * side_q > 0)
        return 0;
    const int *t = search->corner[triangle], axis = search->projection[triangle];
    const GtsPoint *at = search->point;
    int sides[3];
    if (side_p || side_q) { /* the line hits the triangle unless it passes the edges on different sides */
        for (int k = 0; k < 3; ++k)
            sides[k] = side(search, (const int[3]){p, q, t[k]}, t[(k + 1) % 3]);
        return !((sides[0] < 0 || sides[1] < 0 || sides[2] < 0) && (sides[0] > 0 || sides[1] > 0 || sides[2] > 0));
    }
    for (int k = 0; k < 3; ++k) {
        if (segments_intersect(axis, &at[p], &at[q], &at[t[k]], &at[t[(k + 1) % 3]]))
            return 1;
        sides[k] = winding(axis, &at[t[k]], &at[t[(k + 1) % 3]], &at[p]);
    }
    return sides[0] == sides[1] && sides[1] == sides[2]; /* p is inside the triangle */
}

/* ---- Pairs ---- */

/* Whether an edge of triangle a that does not touch the shared corner intersects triangle b. If two triangles intersect
 * outside of a shared corner, their intersection reaches the opposite edge of one of them. `from` has the sides of a's
 * corners with respect to b's plane. `shared` is the corner of a that is also a corner of b; -1: none. */
static int edges_intersect(const struct search *search, int a, int b, int shared, const int *from) {
    const int *t = search->corner[a];
    for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        if (k != shared && next != shared && segment_intersects_triangle(search, t[k], t[next], b, from[k], from[next]))
            return 1;
    }
    return 0;
}

/* Write the sides of a's corners with respect to b's plane to from[3]. Returns whether all corners of a, except the
 * shared one, are strictly on one side. */
static int sides_to(const struct search *search, int a, int b, int shared, int *from) {
    int above = 0, below = 0;
    for (int k = 0; k < 3; ++k) {
        from[k] = k == shared ? 0 : side(search, search->corner[b], search->corner[a][k]);
        above += k != shared && from[k] > 0;
        below += k != shared && from[k] < 0;
    }
    return above + below == 3 - (shared >= 0) && (!above || !below);
}

/* Whether two triangles with a common edge are folded onto each other: in one plane, and on one side of the edge. */
static int is_folded(const struct search *search, int a, int b, int apex_a, int apex_b) {
    const int *s = search->corner[a], *t = search->corner[b], axis = search->projection[a];
    if (side(search, s, t[apex_b]))
        return 0;
    const GtsPoint *at = search->point, *u = &at[s[(apex_a + 1) % 3]], *v = &at[s[(apex_a + 2) % 3]];
    return winding(axis, u, v, &at[s[apex_a]]) == winding(axis, u, v, &at[t[apex_b]]);
}

static int triangles_intersect(const struct search *search, int a, int b) {
    int shared = 0, at_a = -1, at_b = -1, apex_a = 3, apex_b = 3; /* apex: if two corners are shared, the index of the
                                                                     third: 0 + 1 + 2 minus the shared indices */
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
            if (search->corner[a][k] == search->corner[b][l]) {
                ++shared;
                at_a = k;
                at_b = l;
                apex_a -= k;
                apex_b -= l;
            }
    if (shared == 3)
        return 1;
    if (shared == 2)
        return is_folded(search, a, b, apex_a, apex_b);
    int from_a[3], from_b[3];
    if (sides_to(search, a, b, at_a, from_a) || sides_to(search, b, a, at_b, from_b))
        return 0;
    return edges_intersect(search, a, b, at_a, from_a) || edges_intersect(search, b, a, at_b, from_b);
}

/* ---- The mesh ---- */

/* GTS calls this function for each pair of boxes of the tree that overlap. GTS also calls the function for a box with
 * itself, and twice for a pair of different boxes; only the call with a < b counts. */
static void visit(GtsBBox *box_a, GtsBBox *box_b, gpointer context) {
    struct search *search = context;
    const int a = (int)((const int(*)[3])box_a->bounded - search->corner);
    const int b = (int)((const int(*)[3])box_b->bounded - search->corner);
    if (a >= b || !triangles_intersect(search, a, b))
        return;
    ++search->pairs;
    if (search->marked)
        search->marked[a] = search->marked[b] = true;
}

static GtsPoint scaled_point(const double *p, int exponent) {
    return point_of(ldexp(p[0], -exponent), ldexp(p[1], -exponent), ldexp(p[2], -exponent));
}

static GtsBBox *box_of(const struct search *search, int triangle) {
    const GtsPoint *p = &search->point[search->corner[triangle][0]];
    double low[3] = {p->x, p->y, p->z}, high[3] = {p->x, p->y, p->z};
    for (int c = 1; c < 3; ++c) {
        p = &search->point[search->corner[triangle][c]];
        const double at[3] = {p->x, p->y, p->z};
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    return gts_bbox_new(gts_bbox_class(), search->corner[triangle], low[0], low[1], low[2], high[0], high[1], high[2]);
}

int triangle_is_degenerate(const struct mesh *mesh, int triangle) {
    double position[3][3];
    for (int c = 0; c < 3; ++c)
        memcpy(position[c], mesh->position[mesh->corner[triangle][c]], sizeof position[c]);
    const int exponent = mesh_exponent(&(struct mesh){.vertices = 3, .position = position});
    GtsPoint corner[3];
    for (int c = 0; c < 3; ++c)
        corner[c] = scaled_point(position[c], exponent);
    return projection_of(&corner[0], &corner[1], &corner[2]) < 0;
}

long mesh_intersections(const struct mesh *mesh, bool *marked) {
    struct search search = {.pairs = 0, .marked = marked};
    AUTO(pool_free) struct pool pool = {0};
    if (marked)
        memset(marked, 0, (size_t)mesh->triangles * sizeof *marked);
    const int exponent = mesh_exponent(mesh);
    search.point = pool_add(&pool, memory_new((size_t)mesh->vertices, sizeof *search.point));
    for (int v = 0; v < mesh->vertices; ++v)
        search.point[v] = scaled_point(mesh->position[v], exponent);
    AUTO_FREE int *first = memory_new((size_t)mesh->vertices, sizeof *first);
    weld_find(mesh->vertices, (const double(*)[3])mesh->position, 0, first);
    search.corner = pool_add(&pool, memory_new((size_t)mesh->triangles, sizeof *search.corner));
    search.projection = pool_add(&pool, memory_new((size_t)mesh->triangles, sizeof *search.projection));
    GSList *boxes = NULL;
    for (int t = 0; t < mesh->triangles; ++t) {
        for (int k = 0; k < 3; ++k)
            search.corner[t][k] = first[mesh->corner[t][k]];
        const int *corner = search.corner[t];
        search.projection[t] =
            projection_of(&search.point[corner[0]], &search.point[corner[1]], &search.point[corner[2]]);
        if (search.projection[t] >= 0)
            boxes = g_slist_prepend(boxes, box_of(&search, t));
    }
    if (boxes) {
        GNode *tree = gts_bb_tree_new(boxes);
        gts_bb_tree_traverse_overlapping(tree, tree, visit, &search);
        gts_bb_tree_destroy(tree, TRUE);
        g_slist_free(boxes);
    }
    return search.pairs;
}
