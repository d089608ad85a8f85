/* Energies, momenta and speeds of many nodes, computed by vector units. */
#ifndef SPRINGBACK_METHOD_NODE_ROW_H
#define SPRINGBACK_METHOD_NODE_ROW_H

/* A row of `count` nodes. x[c][k] is coordinate c of node k's position, in m. v[c][k] is coordinate c of its velocity,
 * in m/s. These arrays must be readable up to ROW_SPARE (method.h) numbers after the last node. The results of node k
 * are at index k of the other arrays. */
struct node_row {
    const double *x[3], *v[3];
    double mass;                         /* of each node, in kg */
    double gravity[3];                   /* in m/s^2 */
    double *kinetic, *potential, *speed; /* in J, J and m/s */
    double *momentum[3], *angular[3];    /* in kg m/s and kg m^2/s */
    int count;
};

/* Computes the results: `kinetic`, `potential`, `speed`, `momentum` and `angular` of each node. */
typedef void node_row_function(const struct node_row *row);

#endif
