/* Items that the tests compute with all vector widths and with OpenCL, to compare the results bit by bit. The items
 * call functions of kernels/exponential.h and kernels/hyperelastic.h, which must be included first. n is the number of
 * items. Field f of item i is in[f * n + i], and result r of item i is out[r * n + i]. */
#ifdef __OPENCL_VERSION__
#define LOAD(p)     (*(p))
#define STORE(p, x) (*(p) = (x))
#else
INLINE real LOAD(const scalar *p) {
    real x;
    memcpy(&x, p, sizeof x);
    return x;
}

INLINE void STORE(scalar *p, real x) {
    memcpy(p, &x, sizeof x);
}
#endif

/* Results: the exponential of field 0, the logarithm of field 1, and logarithm_lag of field 2. */
INLINE void number_item(int i, int n, GLOBAL const scalar *in, GLOBAL scalar *out) {
    STORE(out + i, exponential(LOAD(in + i)));
    STORE(out + n + i, logarithm(LOAD(in + n + i)));
    STORE(out + 2 * n + i, logarithm_lag(LOAD(in + 2 * n + i)));
}

/* Store the energy C, its gradients, and the positions after a projection with the stiffness 0.75. */
INLINE void hyperelastic_store(int i, int n, const struct tetrahedron *t, const struct hyperelastic *h,
                               GLOBAL scalar *out) {
    struct tetrahedron after = *t;
    hyperelastic_project(&after, h, (scalar)0.75);
    STORE(out + i, h->c);
    for (int k = 0; k < 4; ++k) {
        STORE(out + (1 + 6 * k) * n + i, h->gradient[k].x);
        STORE(out + (2 + 6 * k) * n + i, h->gradient[k].y);
        STORE(out + (3 + 6 * k) * n + i, h->gradient[k].z);
        STORE(out + (4 + 6 * k) * n + i, after.p[k].x);
        STORE(out + (5 + 6 * k) * n + i, after.p[k].y);
        STORE(out + (6 + 6 * k) * n + i, after.p[k].z);
    }
}

/* Fields: x, y, z and the inverse mass of each of the four corners, the rows of Q^-1, and the volume. Results: the 25
 * numbers of hyperelastic_store for each of the two materials. */
INLINE void tetrahedron_item(int i, int n, GLOBAL const scalar *in, GLOBAL scalar *out) {
    struct tetrahedron t;
    for (int k = 0; k < 4; ++k) {
        t.p[k] = vec3_of(LOAD(in + 4 * k * n + i), LOAD(in + (4 * k + 1) * n + i), LOAD(in + (4 * k + 2) * n + i));
        t.w[k] = LOAD(in + (4 * k + 3) * n + i);
    }
    for (int k = 0; k < 9; ++k)
        t.q[k / 3][k % 3] = LOAD(in + (16 + k) * n + i);
    const real volume = LOAD(in + 25 * n + i);
    const scalar mu = (scalar)1.3, lambda = (scalar)2.7;
    const struct hyperelastic a = saint_venant_kirchhoff(&t, volume, mu, lambda);
    const struct hyperelastic b = neo_hookean(&t, volume, mu, lambda);
    hyperelastic_store(i, n, &t, &a, out);
    hyperelastic_store(i, n, &t, &b, out + 25 * n);
}

#ifdef __OPENCL_VERSION__
__kernel void number(__global const scalar *in, __global scalar *out, int n) {
    number_item((int)get_global_id(0), n, in, out);
}

__kernel void tetrahedron(__global const scalar *in, __global scalar *out, int n) {
    tetrahedron_item((int)get_global_id(0), n, in, out);
}
#endif
