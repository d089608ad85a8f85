#include "mesh/crossing.h"

#include "base/memory.h"

#include <gts.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Predicates ---- */

static GtsPoint point_of(double x, double y, double z) {
    GtsPoint point;
    memset(&point, 0, sizeof point);
    point.x = x;
    point.y = y;
    point.z = z;
    return point;
}

static int sign(double x) {
    return (x > 0) - (x < 0);
}

/* Which side of the plane of a, b and c a point is on: 1, -1, or 0 in the plane. */
static int side(const double *a, const double *b, const double *c, const double *x) {
    GtsPoint p = point_of(a[0], a[1], a[2]), q = point_of(b[0], b[1], b[2]), r = point_of(c[0], c[1], c[2]),
             s = point_of(x[0], x[1], x[2]);
    return sign(gts_point_orientation_3d(&p, &q, &r, &s));
}

/* The same of the line from a to b, seen along an axis. */
static int turn(int axis, const double *a, const double *b, const double *x) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    GtsPoint p = point_of(a[u], a[v], 0), q = point_of(b[u], b[v], 0), r = point_of(x[u], x[v], 0);
    return sign(gts_point_orientation(&p, &q, &r));
}

/* ---- In one plane ---- */

/* An axis along which a triangle is seen with an area; 0 if there is none. */
static int axis_of(const double *const t[3]) {
    for (int axis = 0; axis < 3; ++axis)
        if (turn(axis, t[0], t[1], t[2]))
            return axis;
    return 0;
}

/* Whether x, which lies on the line through a and b as seen along an axis, is between them. */
static bool between(int axis, const double *a, const double *b, const double *x) {
    for (int k = 1; k < 3; ++k) {
        const int c = (axis + k) % 3;
        if (x[c] < fmin(a[c], b[c]) || x[c] > fmax(a[c], b[c]))
            return false;
    }
    return true;
}

static bool segments_meet(int axis, const double *a, const double *b, const double *p, const double *q) {
    const int ap = turn(axis, a, b, p), aq = turn(axis, a, b, q), pa = turn(axis, p, q, a), pb = turn(axis, p, q, b);
    if (ap * aq < 0 && pa * pb < 0)
        return true;
    return (!ap && between(axis, a, b, p)) || (!aq && between(axis, a, b, q)) || (!pa && between(axis, p, q, a)) ||
           (!pb && between(axis, p, q, b));
}

static bool is_inside(int axis, const double *const t[3], const double *x) {
    const int a = turn(axis, t[0], t[1], x), b = turn(axis, t[1], t[2], x), c = turn(axis, t[2], t[0], x);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

/* ---- In space ---- */

static bool segment_meets(const double *p, const double *q, const double *const t[3]) {
    const int at_p = side(t[0], t[1], t[2], p), at_q = side(t[0], t[1], t[2], q);
    if (at_p * at_q > 0)
        return false;
    if (!at_p && !at_q) {
        const int axis = axis_of(t);
        return is_inside(axis, t, p) || segments_meet(axis, t[0], t[1], p, q) ||
               segments_meet(axis, t[1], t[2], p, q) || segments_meet(axis, t[2], t[0], p, q);
    }
    const int a = side(p, q, t[0], t[1]), b = side(p, q, t[1], t[2]), c = side(p, q, t[2], t[0]);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

static bool cross(const struct mesh *mesh, int s, int t) {
    const double *x[3], *y[3];
    int common = 0, lone_x = 0, lone_y = 0, only_x = 0, only_y = 0; /* lone: the common corner, if there is one */
    for (int k = 0; k < 3; ++k) {
        x[k] = mesh->position[mesh->corner[s][k]];
        y[k] = mesh->position[mesh->corner[t][k]];
    }
    bool shared_x[3] = {false}, shared_y[3] = {false};
    for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 3; ++m)
            if (mesh->corner[s][k] == mesh->corner[t][m]) {
                shared_x[k] = shared_y[m] = true;
                lone_x = k;
                lone_y = m;
                ++common;
            }
    for (int k = 0; k < 3; ++k) {
        only_x = shared_x[k] ? only_x : k;
        only_y = shared_y[k] ? only_y : k;
    }
    if (common >= 3)
        return true;
    if (common == 2) { /* they fold onto each other, or not */
        if (side(x[0], x[1], x[2], y[only_y]))
            return false;
        const int axis = axis_of(x);
        const double *a = x[(only_x + 1) % 3], *b = x[(only_x + 2) % 3];
        return turn(axis, a, b, x[only_x]) * turn(axis, a, b, y[only_y]) >= 0;
    }
    if (common == 1)
        return segment_meets(x[(lone_x + 1) % 3], x[(lone_x + 2) % 3], y) ||
               segment_meets(y[(lone_y + 1) % 3], y[(lone_y + 2) % 3], x);
    for (int k = 0; k < 3; ++k)
        if (segment_meets(x[k], x[(k + 1) % 3], y) || segment_meets(y[k], y[(k + 1) % 3], x))
            return true;
    return false;
}

/* ---- Which pairs ---- */

struct box {
    double low[3], high[3];
    int triangle;
};

static int by_first(const void *a, const void *b) {
    const struct box *p = a, *q = b;
    if (p->low[0] != q->low[0])
        return p->low[0] < q->low[0] ? -1 : 1;
    return p->triangle - q->triangle;
}

long crossings_find(const struct mesh *mesh, bool *marked) {
    struct box *boxes = memory_new((size_t)mesh->triangles, sizeof *boxes);
    for (int t = 0; t < mesh->triangles; ++t) {
        boxes[t].triangle = t;
        for (int c = 0; c < 3; ++c) {
            const double a = mesh->position[mesh->corner[t][0]][c], b = mesh->position[mesh->corner[t][1]][c],
                         d = mesh->position[mesh->corner[t][2]][c];
            boxes[t].low[c] = fmin(a, fmin(b, d));
            boxes[t].high[c] = fmax(a, fmax(b, d));
        }
    }
    qsort(boxes, (size_t)mesh->triangles, sizeof *boxes, by_first);
    if (marked)
        memset(marked, 0, (size_t)mesh->triangles * sizeof *marked);
    long count = 0;
    for (int i = 0; i < mesh->triangles; ++i)
        for (int j = i + 1; j < mesh->triangles && boxes[j].low[0] <= boxes[i].high[0]; ++j) {
            const struct box *p = &boxes[i], *q = &boxes[j];
            if (q->low[1] > p->high[1] || q->high[1] < p->low[1] || q->low[2] > p->high[2] || q->high[2] < p->low[2] ||
                !cross(mesh, p->triangle, q->triangle))
                continue;
            ++count;
            if (marked)
                marked[p->triangle] = marked[q->triangle] = true;
        }
    free(boxes);
    return count;
}
