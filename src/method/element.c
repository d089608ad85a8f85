#include "method/element.h"

#include "base/vector.h"
#include "method/program.h"

#include <math.h>

static double element_at_rest(const struct body *body, const int corner[4], double inverse[9]) {
    double edge[3][3], row[3], determinant = 0;
    for (int k = 0; k < 9; ++k)
        edge[k / 3][k % 3] = body->position[corner[k / 3 + 1]][k % 3] - body->position[corner[0]][k % 3];
    vector_cross(edge[1], edge[2], row);
    for (int k = 0; k < 3; ++k)
        determinant += edge[0][k] * row[k];
    for (int r = 0; r < 3; ++r) {
        vector_cross(edge[(r + 1) % 3], edge[(r + 2) % 3], row);
        for (int k = 0; k < 3; ++k)
            inverse[3 * r + k] = determinant != 0 ? row[k] / determinant : 0;
    }
    return determinant / 6;
}

void element_fill_rest(const struct body *body, size_t reals, int real_size, void *out) {
    const struct part *elements = &body->prepared.parts[PART_TETRAHEDRA];
    for (size_t c = 0; c < (size_t)elements->count; ++c) {
        double rest[10];
        rest[9] = element_at_rest(body, elements->particle + 4 * c, rest);
        for (size_t k = 0; k < reals; ++k)
            real_store(out, reals * c + k, rest[k], real_size);
    }
}

void element_fill_lengths(const struct body *body, enum body_part part, int real_size, void *out) {
    const struct part *pairs = &body->prepared.parts[part];
    for (size_t c = 0; c < (size_t)pairs->count; ++c) {
        double d[3];
        vector_minus(body->position[pairs->particle[2 * c]], body->position[pairs->particle[2 * c + 1]], d);
        real_store(out, c, sqrt(vector_dot(d, d)), real_size);
    }
}
