#include "method/element.h"

#include "base/vector.h"

double element_at_rest(const struct body *body, const int corner[4], double inverse[9]) {
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
