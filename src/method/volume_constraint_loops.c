/* The element functions of kernels/volume_constraint.h, over ranges: the twins of its entry points for OpenCL. */
#include "method/volume_constraint_loops.h"

#include "volume_constraint.h"

#define PARAMETERS *(const struct volume_constraint_parameters *)parameters
#define EACH(i)    for (int(i) = range.column_begin; (i) < range.column_end; ++(i))

/* Of a gather that begins with positions and velocities. */
static struct volume_constraint at_start(void *const *buffers, const void *parameters, int step) {
    return (struct volume_constraint){.position = buffers[0],
                                      .velocity = buffers[1],
                                      .predicted_next = buffers[2],
                                      .drift_next = buffers[3],
                                      .direction_z_next = buffers[4],
                                      .shares = buffers[5],
                                      .start = buffers[6],
                                      .ring_end = buffers[7],
                                      .neighbour = buffers[8],
                                      .rest = buffers[9],
                                      .p = PARAMETERS,
                                      .step = step};
}

void LOOP(volume_constraint_begin)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct volume_constraint m = at_start(buffers, parameters, step);
    EACH(i) {
        const struct held_node held = held_node_take(i, &m);
        volume_constraint_gather(i, 0, 0, 0, &held, NULL, &m);
    }
}

void LOOP(volume_constraint_printed)(void *const *buffers, const void *parameters, int step, struct range range) {
    struct volume_constraint m = at_start(buffers, parameters, step);
    m.corner = buffers[10];
    EACH(i) {
        const struct held_node held = held_node_take(i, &m);
        volume_constraint_gather(i, 0, 1, 0, &held, NULL, &m);
    }
}

void LOOP(volume_constraint_late)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct volume_constraint m = {.position = buffers[0],
                                        .velocity = buffers[1],
                                        .predicted = buffers[2],
                                        .drift = buffers[3],
                                        .direction_z = buffers[4],
                                        .predicted_next = buffers[5],
                                        .drift_next = buffers[6],
                                        .direction_z_next = buffers[7],
                                        .shares = buffers[8],
                                        .total = buffers[9],
                                        .start = buffers[10],
                                        .ring_end = buffers[11],
                                        .neighbour = buffers[12],
                                        .rest = buffers[13],
                                        .p = PARAMETERS,
                                        .step = step};
    const scalar lambda = last_multiplier(TOTAL_TAKE(m.total), &m);
    EACH(i) {
        const struct held_node held = held_node_take(i, &m);
        struct left left;
        left_take(&left, &held.ring, &m);
        left_take_own(&left, i, &m);
        volume_constraint_gather(i, 1, 0, lambda, &held, &left, &m);
    }
}

void LOOP(volume_constraint_end)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct volume_constraint m = {.position = buffers[0],
                                        .velocity = buffers[1],
                                        .predicted = buffers[2],
                                        .drift = buffers[3],
                                        .direction_z = buffers[4],
                                        .total = buffers[5],
                                        .p = PARAMETERS,
                                        .step = step};
    const scalar lambda = last_multiplier(TOTAL_TAKE(m.total), &m);
    EACH(i)
    volume_constraint_correct(i, lambda, &m);
}

void LOOP(volume_constraint_contact)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct volume_constraint_parameters p = PARAMETERS;
    EACH(i)
    mass_spring_contact(i, buffers[0], buffers[1], p.m, step);
}

#ifndef REAL_IS_double
void volume_constraint_spring_forces_float(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct volume_constraint_parameters *p = parameters;
    const struct mass_spring_paper m = {buffers[0], buffers[1], buffers[2], buffers[3], buffers[4], p->m, step};
    EACH(s)
    mass_spring_paper_force(s, &m);
}

void volume_constraint_node_forces_float(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct volume_constraint_paper m = {.position = buffers[0],
                                              .velocity = buffers[1],
                                              .force = buffers[2],
                                              .start = buffers[3],
                                              .neighbour = buffers[4],
                                              .rest = buffers[5],
                                              .p = PARAMETERS};
    EACH(i)
    volume_constraint_paper_gather(i, &m);
}

void volume_constraint_volume_float(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct volume_constraint_paper m = {
        .position = buffers[0], .system = buffers[1], .triangle = buffers[2], .p = PARAMETERS};
    EACH(t)
    atomic_add_real(&m.system[0], triangle_volume(t, &m));
}

void volume_constraint_volume_shares_float(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct volume_constraint_paper m = {
        .position = buffers[0], .volume_share = buffers[1], .triangle = buffers[2], .p = PARAMETERS};
    EACH(t)
    m.volume_share[t] = quad_of(vec3_of(triangle_volume(t, &m), 0, 0), 0);
}

void volume_constraint_jacobian_float(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct volume_constraint_paper m = {.position = buffers[0],
                                              .jacobian = buffers[1],
                                              .start = buffers[2],
                                              .ring_end = buffers[3],
                                              .neighbour = buffers[4],
                                              .p = PARAMETERS};
    EACH(i)
    volume_constraint_paper_jacobian(i, &m);
}

void volume_constraint_system_float(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct volume_constraint_paper m = {.position = buffers[0],
                                              .velocity = buffers[1],
                                              .force = buffers[2],
                                              .jacobian = buffers[3],
                                              .system = buffers[4],
                                              .p = PARAMETERS};
    EACH(i) {
        const quad share = system_share(i, step, &m);
        atomic_add_real(&m.system[1], share.y);
        atomic_add_real(&m.system[2], share.z);
    }
}

void volume_constraint_system_shares_float(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct volume_constraint_paper m = {.position = buffers[0],
                                              .velocity = buffers[1],
                                              .force = buffers[2],
                                              .jacobian = buffers[3],
                                              .system_share = buffers[4],
                                              .p = PARAMETERS};
    EACH(i)
    m.system_share[i] = system_share(i, step, &m);
}

void volume_constraint_constrain_float(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct volume_constraint_paper m = {.force = buffers[0], .jacobian = buffers[1], .p = PARAMETERS};
    const real *system = buffers[2];
    EACH(i)
    volume_constraint_paper_constrain(i, system[0], system[1], system[2], &m);
}

void volume_constraint_constrain_by_sums_float(void *const *buffers, const void *parameters, int step,
                                               struct range range) {
    (void)step;
    const struct volume_constraint_paper m = {.force = buffers[0], .jacobian = buffers[1], .p = PARAMETERS};
    const quad *volume = buffers[2], *system = buffers[3];
    EACH(i)
    volume_constraint_paper_constrain(i, volume->x, system->y, system->z, &m);
}

void volume_constraint_update_float(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct volume_constraint_parameters *p = parameters;
    const struct mass_spring_paper m = {buffers[0], buffers[1], buffers[2], NULL, NULL, p->m, step};
    real *system = buffers[3];
    EACH(i) {
        mass_spring_paper_update(i, &m);
        if (i < 3) /* the sums of the next step */
            system[i] = 0;
    }
}
#endif
