/* Measures the effect of the order of vertices: the duration, per spring, of a gather of spring forces by nodes. The
 * springs are the edges of a mesh file, or of a sphere whose triangles are cut into four CUTS times (8: 655,362
 * vertices). The orders are the original one, a random one, Morton's curve, and reverse Cuthill-McKee ("graph"). Each
 * of 15 rounds times every order once. The printed durations are medians.
 *
 *   bench_order [CUTS or FILE]      default: 8 */
#include "body/order.h"
#include "base/memory.h"
#include "mesh/mesh_file.h"
#include "sphere.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ORDERS = 4, REPEATS = 15 };

struct node {
    float x, y, z, mass;
};

/* The springs of each node, as compressed sparse rows: the start of each row, and the neighbour and rest length of each
 * spring. `distance` is order_mean_distance. */
struct network {
    int nodes, edges;
    double distance;
    int *start, *neighbour;
    float *rest;
    struct node *position, *force;
    double seconds[REPEATS];
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void network_create(const struct mesh *from, const int *order, struct network *network) {
    struct mesh mesh;
    struct edges edges;
    mesh_create(&mesh, from->vertices, from->triangles);
    memcpy(mesh.position, from->position, (size_t)mesh.vertices * sizeof *mesh.position);
    memcpy(mesh.corner, from->corner, (size_t)mesh.triangles * sizeof *mesh.corner);
    if (mesh_permute(&mesh, order)) {
        fprintf(stderr, "order: %s\n", failure_text());
        exit(2);
    }
    edges_create(&mesh, &edges);
    const size_t n = (size_t)mesh.vertices, ends = 2 * (size_t)edges.count;
    *network = (struct network){.nodes = mesh.vertices, .edges = edges.count};
    network->distance = order_mean_distance(edges.count, (const int(*)[2])edges.end);
    network->start = memory_new(n + 1, sizeof *network->start);
    network->neighbour = memory_new(ends, sizeof *network->neighbour);
    network->rest = memory_new(ends, sizeof *network->rest);
    network->position = memory_new(n, sizeof *network->position);
    network->force = memory_new(n, sizeof *network->force);
    int *next = memory_new(n, sizeof *next);
    for (int e = 0; e < edges.count; ++e)
        for (int k = 0; k < 2; ++k)
            ++network->start[edges.end[e][k] + 1];
    for (int v = 0; v < mesh.vertices; ++v) {
        const double *x = mesh.position[v];
        network->position[v] = (struct node){(float)x[0], (float)x[1], (float)x[2], 1};
        network->start[v + 1] += network->start[v];
        next[v] = network->start[v];
    }
    for (int e = 0; e < edges.count; ++e)
        for (int k = 0; k < 2; ++k) {
            const int slot = next[edges.end[e][k]]++;
            network->neighbour[slot] = edges.end[e][1 - k];
            network->rest[slot] = 0.001f;
        }
    free(next);
    edges_free(&edges);
    mesh_free(&mesh);
}

static void gather(const struct network *network) {
    for (int i = 0; i < network->nodes; ++i) {
        const struct node at = network->position[i];
        struct node force = {0};
        for (int k = network->start[i]; k < network->start[i + 1]; ++k) {
            const struct node to = network->position[network->neighbour[k]];
            const float x = to.x - at.x, y = to.y - at.y, z = to.z - at.z;
            const float length = sqrtf(x * x + y * y + z * z), pull = (length - network->rest[k]) / length;
            force.x += pull * x;
            force.y += pull * y;
            force.z += pull * z;
        }
        network->force[i] = force;
    }
}

int main(int count, char **words) {
    static const char *const names[ORDERS] = {"original", "random", "morton", "graph"};
    char *end = "";
    const long cuts = count == 2 ? strtol(words[1], &end, 10) : 8;
    if (count > 2 || (*end == 0 && (cuts < 1 || cuts > 10))) {
        fprintf(stderr, "usage: bench_order [CUTS or FILE]; CUTS is 1 to 10\n");
        return 2;
    }
    struct mesh mesh;
    if (*end == 0) {
        mesh = sphere((int)cuts);
    } else if (mesh_read(words[1], false, &mesh)) {
        fprintf(stderr, "order: %s\n", failure_text());
        return 2;
    }
    struct edges edges;
    struct network network[ORDERS];
    double making[ORDERS] = {0};
    int *order = memory_new((size_t)mesh.vertices, sizeof *order);
    edges_create(&mesh, &edges);
    for (int o = 0; o < ORDERS; ++o) {
        unsigned state = 1;
        const double start = now();
        int status = STATUS_OK;
        if (o == 2)
            status = order_morton(mesh.vertices, (const double(*)[3])mesh.position, order);
        else if (o == 3)
            status = order_graph(mesh.vertices, edges.count, (const int(*)[2])edges.end, order);
        for (int i = 0; o < 2 && i < mesh.vertices; ++i) {
            state = state * 1664525u + 1013904223u;
            const int j = o == 1 ? (int)(((size_t)(state >> 1) * ((size_t)i + 1)) >> 31) : i;
            order[i] = i;
            order[i] = order[j];
            order[j] = i;
        }
        making[o] = now() - start;
        if (status) {
            fprintf(stderr, "order: %s\n", failure_text());
            return status;
        }
        network_create(&mesh, order, &network[o]);
    }
    for (int r = 0; r < REPEATS; ++r)
        for (int o = 0; o < ORDERS; ++o) {
            const double start = now();
            gather(&network[o]);
            network[o].seconds[r] = now() - start;
        }
    printf("%d vertices, %d springs, each computed at both ends\n", mesh.vertices, edges.count);
    for (int o = 0; o < ORDERS; ++o) {
        qsort(network[o].seconds, REPEATS, sizeof *network[o].seconds, compare);
        printf("%-8s mean index distance %9.0f, %7.2f ns a spring, order computed in %.3f s\n", names[o],
               network[o].distance, 1e9 * network[o].seconds[REPEATS / 2] / network[o].edges, making[o]);
        free(network[o].start);
        free(network[o].neighbour);
        free(network[o].rest);
        free(network[o].position);
        free(network[o].force);
    }
    free(order);
    edges_free(&edges);
    mesh_free(&mesh);
    return 0;
}
