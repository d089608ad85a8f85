/* Tests of rings: the neighbours of each vertex, in order around the vertex (body/surface.h). Only closed surfaces have
 * rings. */
#include "body/surface.h"
#include "subject.h"

static bool rings_of(const struct mesh *mesh, struct rings *rings) {
    return rings_create(mesh->vertices, mesh->triangles, &mesh->corner[0][0], rings);
}

static bool has_triangle(const struct mesh *mesh, int a, int b, int c) {
    for (int t = 0; t < mesh->triangles; ++t)
        for (int k = 0; k < 3; ++k)
            if (mesh->corner[t][k] == a && mesh->corner[t][(k + 1) % 3] == b && mesh->corner[t][(k + 2) % 3] == c)
                return true;
    return false;
}

/* Check that two consecutive neighbours in the ring of a vertex form a triangle with this vertex, and that a ring
 * begins with the neighbour of lowest index. */
static void expect_rings(const struct mesh *mesh, const struct rings *rings) {
    cr_expect_eq(rings->start[0], 0);
    cr_expect_eq(rings->start[mesh->vertices], 3 * mesh->triangles);
    for (int v = 0; v < mesh->vertices; ++v) {
        const int begin = rings->start[v], end = rings->start[v + 1];
        for (int k = begin; k < end; ++k) {
            const int next = k + 1 < end ? k + 1 : begin;
            cr_assert(has_triangle(mesh, v, rings->neighbour[k], rings->neighbour[next]),
                      "vertex %d: neighbour %d of its ring and the next neighbour form no triangle with this vertex", v,
                      k - begin);
            cr_expect(k == begin || rings->neighbour[k] > rings->neighbour[begin]);
        }
    }
}

/* Join two surfaces in one mesh, without positions. Vertex `shared` of `b` becomes vertex 0 of `a`. If `shared` is -1,
 * the surfaces share no vertex. */
static void join(const struct mesh *a, const struct mesh *b, int shared, struct mesh *out) {
    mesh_create(out, a->vertices + b->vertices, a->triangles + b->triangles);
    for (int t = 0; t < out->triangles; ++t)
        for (int k = 0; k < 3; ++k) {
            const int corner = t < a->triangles ? a->corner[t][k] : b->corner[t - a->triangles][k];
            out->corner[t][k] = t < a->triangles ? corner : corner == shared ? 0 : a->vertices + corner;
        }
}

Test(rings, of_closed_surfaces_are_the_triangles_in_order) {
    static void (*const shapes_of[])(struct mesh *) = {subject_tetrahedron, subject_octahedron, subject_sphere,
                                                       subject_torus, subject_cube};
    for (size_t s = 0; s < sizeof shapes_of / sizeof *shapes_of; ++s) {
        struct mesh mesh;
        struct rings rings;
        shapes_of[s](&mesh);
        cr_assert(rings_of(&mesh, &rings), "%zu", s);
        expect_rings(&mesh, &rings);
        rings_free(&rings);
        mesh_free(&mesh);
    }
}

Test(rings, of_two_bodies_apart_are_there_and_of_two_that_touch_are_not) {
    struct mesh one, two, both;
    struct rings rings;
    subject_tetrahedron(&one);
    subject_octahedron(&two);
    join(&one, &two, -1, &both);
    cr_assert(rings_of(&both, &rings));
    expect_rings(&both, &rings);
    rings_free(&rings);
    mesh_free(&both);
    for (int shared = 0; shared < two.vertices; ++shared) {
        join(&one, &two, shared, &both);
        cr_expect_not(rings_of(&both, &rings), "the surfaces touch in vertex %d of the second one, but there are rings",
                      shared);
        cr_expect(!rings.start && !rings.neighbour);
        mesh_free(&both);
    }
    mesh_free(&one);
    mesh_free(&two);
}

/* A surface has no rings if one of its triangles is reversed, missing or duplicate. */
Test(rings, open_or_inconsistently_oriented_surfaces_have_none) {
    struct mesh mesh;
    struct rings rings;
    subject_octahedron(&mesh);
    for (int t = 0; t < mesh.triangles; ++t) {
        int *corner = mesh.corner[t], *last = mesh.corner[mesh.triangles - 1], held[3], kept[3];
        memcpy(held, corner, sizeof held);
        memcpy(kept, last, sizeof kept);
        corner[0] = held[1];
        corner[1] = held[0];
        cr_expect_not(rings_of(&mesh, &rings), "triangle %d is reversed", t);
        memcpy(corner, kept, sizeof kept); /* the last triangle replaces triangle t, */
        --mesh.triangles;                  /* and the mesh has one triangle fewer */
        cr_expect_not(rings_of(&mesh, &rings), "triangle %d is missing", t);
        ++mesh.triangles;
        memcpy(corner, held, sizeof held);
        if (t + 1 < mesh.triangles) {
            memcpy(last, held, sizeof held);
            cr_expect_not(rings_of(&mesh, &rings), "triangle %d is duplicate", t);
            memcpy(last, kept, sizeof kept);
        }
    }
    cr_assert(rings_of(&mesh, &rings));
    rings_free(&rings);
    mesh_free(&mesh);
    shape_cloth(5, 4, 1, 1, &mesh);
    cr_expect_not(rings_of(&mesh, &rings));
    mesh_free(&mesh);
}

Test(rings, a_vertex_of_no_triangle_has_an_empty_one) {
    struct mesh mesh;
    struct rings rings;
    subject_tetrahedron(&mesh);
    cr_assert(rings_create(9, mesh.triangles, &mesh.corner[0][0], &rings));
    for (int v = 4; v <= 9; ++v)
        cr_expect_eq(rings.start[v], 12);
    rings_free(&rings);
    mesh_free(&mesh);
}
