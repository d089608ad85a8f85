#include "mesh/shape.h"

#include "base/memory.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

static const double pi = 3.141592653589793;

/* ---- Angles ---- */

/* Cosine and sine of an angle up to pi / 4, by Taylor's series. The first terms that are left out are below 1e-17. */
static void series(double angle, double *cosine, double *sine) {
    const double square = angle * angle;
    double c = 0, s = 0;
    for (int term = 18; term > 0; term -= 2) {
        c = (1 + c) * (-square / (term * (term - 1)));
        s = (1 + s) * (-square / (term * (term + 1)));
    }
    *cosine = 1 + c;
    *sine = angle * (1 + s);
}

/* Cosine and sine of k / n of a full circle, 0 <= k <= n: exact at multiples of 90 degrees, and exactly symmetric. */
static void unit_circle(int k, int n, double *cosine, double *sine) {
    const int eighth = (int)(8LL * k / n);
    const bool back = eighth % 2; /* the angle is measured backwards from the end of its quarter circle */
    const long long quarters = 4LL * k - (long long)n * ((eighth + back) / 2);
    double c, s;
    series(pi / 2 * (double)(back ? -quarters : quarters) / n, &c, &s);
    if (back)
        s = -s;
    for (int quarter = (eighth + back) / 2 % 4; quarter > 0; --quarter) {
        const double held = c;
        c = -s;
        s = held;
    }
    *cosine = c;
    *sine = s;
}

/* ---- Spheres ---- */

static void set(int corner[3], int a, int b, int c) {
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

void shape_icosphere(int level, struct mesh *mesh) {
    static const int corner[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                      {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                      {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                      {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double golden = (1 + sqrt(5)) / 2;
    mesh_create(mesh, 12, 20);
    memcpy(mesh->corner, corner, sizeof corner);
    for (int v = 0; v < 12; ++v) { /* the corners of three golden rectangles */
        double *x = mesh->position[v];
        const int longer = (v / 4 + 1) % 3, shorter = v / 4;
        x[shorter] = v % 2 ? 1 : -1;
        x[longer] = v % 4 < 2 ? golden : -golden;
        vector_normalise(x);
    }
    for (int l = 0; l < level; ++l) {
        const int old = mesh->vertices;
        mesh_refine(mesh, "icosphere"); /* cannot fail, because there are at most 8 levels */
        for (int v = old; v < mesh->vertices; ++v)
            vector_normalise(mesh->position[v]);
    }
}

static void icosphere(const double *value, struct mesh *mesh) {
    shape_icosphere((int)value[0], mesh);
}

/* The poles are on the y axis. 16 rings of 32 segments, Blender's default, are our choice for va2023's sphere. */
static void uv_sphere(const double *value, struct mesh *mesh) {
    const int rings = (int)value[0], segments = (int)value[1];
    mesh_create(mesh, (rings - 1) * segments + 2, 2 * (rings - 1) * segments);
    const int south = mesh->vertices - 1;
    mesh->position[0][1] = 1;
    mesh->position[south][1] = -1;
    for (int r = 1; r < rings; ++r)
        for (int s = 0; s < segments; ++s) {
            double *x = mesh->position[1 + (r - 1) * segments + s], height, radius, east, north;
            unit_circle(r, 2 * rings, &height, &radius);
            unit_circle(s, segments, &east, &north);
            x[0] = radius * east;
            x[1] = height;
            x[2] = -radius * north;
        }
    int t = 0;
    for (int s = 0; s < segments; ++s) {
        const int next = (s + 1) % segments;
        set(mesh->corner[t++], 0, 1 + s, 1 + next);
        for (int r = 1; r < rings - 1; ++r) {
            const int above = 1 + (r - 1) * segments, below = above + segments;
            set(mesh->corner[t++], above + s, below + s, below + next);
            set(mesh->corner[t++], above + s, below + next, above + next);
        }
        set(mesh->corner[t++], south, south - segments + next, south - segments + s);
    }
}

/* ---- Other shapes ---- */

static void torus(const double *value, struct mesh *mesh) {
    const double major = value[0], minor = value[1];
    const int major_segments = (int)value[2], minor_segments = (int)value[3];
    mesh_create(mesh, major_segments * minor_segments, 2 * major_segments * minor_segments);
    for (int i = 0; i < major_segments; ++i)
        for (int j = 0; j < minor_segments; ++j) {
            double *x = mesh->position[i * minor_segments + j], east, north, out, up;
            unit_circle(i, major_segments, &east, &north);
            unit_circle(j, minor_segments, &out, &up);
            x[0] = (major + minor * out) * east;
            x[1] = minor * up;
            x[2] = -(major + minor * out) * north;
        }
    for (int i = 0; i < major_segments; ++i)
        for (int j = 0; j < minor_segments; ++j) {
            const int a = i * minor_segments, b = (i + 1) % major_segments * minor_segments;
            const int here = j, above = (j + 1) % minor_segments, t = 2 * (a + j);
            set(mesh->corner[t], a + here, b + here, b + above);
            set(mesh->corner[t + 1], a + here, b + above, a + above);
        }
}

static void cube(const double *value, struct mesh *mesh) {
    const int n = (int)value[0], side = n + 1;
    mesh_create(mesh, 6 * n * n + 2, 12 * n * n);
    AUTO_FREE int *number = memory_new((size_t)side * (size_t)side * (size_t)side, sizeof *number);
    int count = 0, t = 0;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            for (int k = 0; k <= n; ++k) {
                if (i > 0 && i < n && j > 0 && j < n && k > 0 && k < n)
                    continue;
                const int at[3] = {i, j, k};
                for (int c = 0; c < 3; ++c)
                    mesh->position[count][c] = (double)(2 * at[c] - n) / (2 * n);
                number[(i * side + j) * side + k] = count++;
            }
    for (int face = 0; face < 6; ++face)
        for (int u = 0; u < n; ++u)
            for (int v = 0; v < n; ++v) {
                const int axis = face / 2, across = (axis + 1) % 3, along = (axis + 2) % 3;
                int at[3], node[2][2];
                at[axis] = face % 2 ? n : 0;
                for (int a = 0; a < 2; ++a)
                    for (int b = 0; b < 2; ++b) {
                        at[across] = u + a;
                        at[along] = v + b;
                        node[a][b] = number[(at[0] * side + at[1]) * side + at[2]];
                    }
                const bool out = face % 2;
                set(mesh->corner[t++], node[0][0], out ? node[1][0] : node[1][1], out ? node[1][1] : node[1][0]);
                set(mesh->corner[t++], node[0][0], out ? node[1][1] : node[0][1], out ? node[0][1] : node[1][1]);
            }
}

/* A cloth of 41 x 41 nodes has the 4,880 edges of cetinaslan2019's cloth. */
static void cloth(const double *value, struct mesh *mesh) {
    const int columns = (int)value[0], rows = (int)value[1];
    const double width = value[2], depth = value[3];
    mesh_create(mesh, columns * rows, 2 * (columns - 1) * (rows - 1));
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            mesh->position[r * columns + c][0] = width * (2 * c - (columns - 1)) / (2 * (columns - 1));
            mesh->position[r * columns + c][2] = depth * (2 * r - (rows - 1)) / (2 * (rows - 1));
        }
    int t = 0;
    for (int r = 0; r + 1 < rows; ++r)
        for (int c = 0; c + 1 < columns; ++c) {
            const int v = r * columns + c;
            set(mesh->corner[t++], v, v + columns, v + columns + 1);
            set(mesh->corner[t++], v, v + columns + 1, v + 1);
        }
}

/* ---- Stand-ins ----
 *
 * Most stand-ins are spheres with bumps. Each ray from the centre hits the surface once, so the surface cannot
 * intersect itself. A stand-in has the limbs of the body that it replaces, but none of its detail. */

struct bump {
    double towards[3]; /* a direction, of any length */
    double width;      /* 1 minus the cosine of the angle between the middle and the border of the bump */
    double height;     /* at the middle of the bump, as a multiple of the sphere's radius */
};

static void make_bumps(int level, const struct bump *bumps, struct mesh *mesh) {
    shape_icosphere(level, mesh);
    for (int v = 0; v < mesh->vertices; ++v) {
        double *x = mesh->position[v], radius = 1;
        for (const struct bump *bump = bumps; bump->width > 0; ++bump) {
            double d[3] = {bump->towards[0], bump->towards[1], bump->towards[2]};
            vector_normalise(d);
            const double off = (1 - vector_dot(x, d)) / bump->width;
            if (off < 1)
                radius += bump->height * (1 - off) * (1 - off) * (1 + 2 * off);
        }
        for (int c = 0; c < 3; ++c)
            x[c] *= radius;
    }
}

static void bunny_like(const double *value, struct mesh *mesh) {
    static const struct bump bumps[] = {{{0.75, 0.55, 0}, 0.30, 0.55}, /* the head */
                                        {{0.45, 1, 0.22}, 0.045, 1.1},
                                        {{0.45, 1, -0.22}, 0.045, 1.1}, /* the ears */
                                        {{0.7, -0.8, 0.35}, 0.08, 0.3},
                                        {{0.7, -0.8, -0.35}, 0.08, 0.3}, /* the paws */
                                        {{-0.3, -0.8, 0.7}, 0.15, 0.35},
                                        {{-0.3, -0.8, -0.7}, 0.15, 0.35}, /* the haunches */
                                        {{-1, -0.25, 0}, 0.05, 0.3},      /* the tail */
                                        {.width = 0}};
    make_bumps((int)value[0], bumps, mesh);
}

static void armadillo_like(const double *value, struct mesh *mesh) {
    static const struct bump bumps[] = {
        {{0.1, 1, 0}, 0.15, 0.9},     {{0.9, 0.8, 0}, 0.05, 0.4},    /* the head and the nose */
        {{-0.1, 1, 0.35}, 0.02, 0.7}, {{-0.1, 1, -0.35}, 0.02, 0.7}, /* the ears */
        {{0.3, 0.5, 1}, 0.07, 1.2},   {{0.3, 0.5, -1}, 0.07, 1.2},   /* the arms */
        {{0.2, -1, 0.55}, 0.09, 1.3}, {{0.2, -1, -0.55}, 0.09, 1.3}, /* the legs */
        {{-1, -0.7, 0}, 0.05, 1.2},   {.width = 0}};                 /* the tail */
    make_bumps((int)value[0], bumps, mesh);
}

static void dragon_like(const double *value, struct mesh *mesh) {
    static const struct bump bumps[] = {
        {{1, 0.35, 0}, 0.12, 1.1},     {{1, 0.75, 0.15}, 0.015, 1.0},  {{1, 0.75, -0.15}, 0.015, 1.0}, /* head, horns */
        {{-1, 0.1, 0.2}, 0.10, 1.4},   {{-0.6, 0.9, 0}, 0.05, 0.6},    {{0, 1, 0}, 0.05, 0.5},         /* tail, spine */
        {{0.55, -1, 0.5}, 0.06, 0.9},  {{0.55, -1, -0.5}, 0.06, 0.9},                                  /* the legs */
        {{-0.55, -1, 0.5}, 0.06, 0.9}, {{-0.55, -1, -0.5}, 0.06, 0.9}, {.width = 0}};
    make_bumps((int)value[0], bumps, mesh);
    for (int v = 0; v < mesh->vertices; ++v)
        mesh->position[v][2] *= 0.6;
    /* Bend the tail back. If curl is over about 1, the surface intersects itself. */
    for (int v = 0; v < mesh->vertices; ++v) {
        double *x = mesh->position[v];
        const double tail = x[0] < -1.2 ? -1.2 - x[0] : 0;
        x[0] += value[1] * tail * tail;
        x[1] += value[1] * tail * tail / 4;
    }
}

/* A torus with a hump for the head: the upper half of the tube becomes higher towards +x. */
static void bob_like(const double *value, struct mesh *mesh) {
    torus((const double[]){0.7, 0.3, value[0], value[1]}, mesh);
    for (int v = 0; v < mesh->vertices; ++v) {
        double *x = mesh->position[v];
        const double ring = sqrt(x[0] * x[0] + x[2] * x[2]), east = x[0] / ring;
        const double hump = east > 0.5 ? (2 * east - 1) * (2 * east - 1) : 0;
        if (x[1] > 0)
            x[1] *= 1 + 1.2 * hump;
    }
}

/* ---- Shapes by name ---- */

const struct shape shapes[] = {
    {"icosphere",
     "a sphere of radius 1 m: an icosahedron whose triangles are cut into four",
     {{"level", true, 0, 8}},
     icosphere},
    {"uv_sphere",
     "a sphere of radius 1 m, divided by parallels and meridians",
     {{"rings", true, 2, 1000}, {"segments", true, 3, 1000}},
     uv_sphere},
    {"torus",
     "a ring about the y axis",
     {{"major", false, 1e-6, 1e6},
      {"minor", false, 1e-6, 1e6},
      {"major_segments", true, 3, 1000},
      {"minor_segments", true, 3, 1000}},
     torus},
    {"cube", "a cube of side 1 m, its faces cut into squares", {{"squares", true, 1, 400}}, cube},
    {"cloth",
     "a horizontal grid with one diagonal per square",
     {{"columns", true, 2, 1000}, {"rows", true, 2, 1000}, {"width", false, 1e-6, 1e6}, {"depth", false, 1e-6, 1e6}},
     cloth},
    {"bunny_like", "a sphere with a bunny's ears and paws, a stand-in", {{"level", true, 0, 8}}, bunny_like},
    {"armadillo_like", "a sphere with an armadillo's limbs, a stand-in", {{"level", true, 0, 8}}, armadillo_like},
    {"dragon_like",
     "a sphere with a dragon's limbs, a stand-in; curl bends its tail",
     {{"level", true, 0, 8}, {"curl", false, 0, 10}},
     dragon_like},
    {"bob_like",
     "a ring with a head, a stand-in",
     {{"major_segments", true, 3, 1000}, {"minor_segments", true, 3, 1000}},
     bob_like},
    {.name = NULL},
};

int shape_check(const struct shape *shape, const double value[SHAPE_PARAMETERS], struct place place) {
    for (int p = 0; p < SHAPE_PARAMETERS && shape->parameter[p].name; ++p) {
        const struct shape_parameter *parameter = &shape->parameter[p];
        if (!(value[p] >= parameter->least && value[p] <= parameter->most))
            return fail_at(place, "`%s` of %s is %g; use %g to %g", parameter->name, shape->name, value[p],
                           parameter->least, parameter->most);
        if (parameter->whole && value[p] != floor(value[p]))
            return fail_at(place, "`%s` of %s is %g; it must be a whole number", parameter->name, shape->name,
                           value[p]);
    }
    if (shape->make == torus && value[1] >= value[0])
        return fail_at(
            place,
            "`minor` of torus is %g and `major` is %g; `minor` must be less, because otherwise the ring intersects "
            "itself",
            value[1], value[0]);
    return STATUS_OK;
}
