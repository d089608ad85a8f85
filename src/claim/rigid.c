#include "claim/geometry.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

static void centre_of(const double (*points)[3], size_t n, double centre[3]) {
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += points[i][a];
        centre[a] = sum / (double)n;
    }
}

/* The singular value decomposition H = U S V^T of a 3 x 3 matrix, with the largest singular value first. h becomes U.
 * Returns 0, or an error code of GSL. */
static int decompose(double h[3][3], double v[3][3]) {
    double values[3], work[3];
    gsl_matrix_view u_view = gsl_matrix_view_array(&h[0][0], 3, 3), v_view = gsl_matrix_view_array(&v[0][0], 3, 3);
    gsl_vector_view s_view = gsl_vector_view_array(values, 3), work_view = gsl_vector_view_array(work, 3);
    gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* GSL's own handler ends the program */
    int status = gsl_linalg_SV_decomp(&u_view.matrix, &v_view.matrix, &s_view.vector, &work_view.vector);
    gsl_set_error_handler(handler);
    return status;
}

/* Replace the third column by the cross product of the first two, so that the columns are a right-handed basis. A
 * rotation between two right-handed bases has no reflection. This is Kabsch's correction of the sign of the smallest
 * singular value. It also works if this value is 0. */
static void complete(double m[3][3]) {
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        m[a][2] = m[b][0] * m[c][1] - m[c][0] * m[b][1];
    }
}

double rigid_distance(const double (*from)[3], const double (*to)[3], size_t n) {
    double c[3], d[3], h[3][3] = {{0}}, v[3][3], largest = 0, sum = 0;
    centre_of(from, n, c);
    centre_of(to, n, d);
    for (size_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                h[a][b] += (from[i][a] - c[a]) * (to[i][b] - d[b]);
    for (int a = 0; a < 9; a++) {
        if (!isfinite(h[a / 3][a % 3]))
            return NAN;
        largest = fmax(largest, fabs(h[a / 3][a % 3]));
    }
    for (int a = 0; a < 9 && largest > 0; a++)
        h[a / 3][a % 3] /= largest; /* so that squares neither overflow nor underflow */
    if (decompose(h, v))
        return NAN;
    complete(h);
    complete(v);
    /* Add up the squared distances. Their sum is also a difference of sums of squares and singular values, but this
     * difference would lose most digits. */
    for (size_t i = 0; i < n; i++) {
        double along[3] = {0};
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                along[k] += h[a][k] * (from[i][a] - c[a]);
        for (int b = 0; b < 3; b++) {
            double away = to[i][b] - d[b];
            for (int k = 0; k < 3; k++)
                away -= v[b][k] * along[k];
            sum += away * away;
        }
    }
    return sqrt(sum / (double)n);
}
