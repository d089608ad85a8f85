/* Contact of a node with two planes: a fixed horizontal plane below, and a horizontal plate that moves down from above.
 * This is the collider of va2023, section V. The paper only says "a simple flat surface" and "moving to press".
 *
 * After a step, a node beyond a plane is moved back onto it. The component of its relative velocity into the plane is
 * reversed and multiplied by the restitution. The tangential component is reduced by Coulomb friction: by the friction
 * coefficient times the change of the normal component, and at most to 0. CONTACT_SCALED and CONTACT_LIFTED change
 * these rules for the ground. */
#ifndef SPRINGBACK_KERNELS_CONTACT_H
#define SPRINGBACK_KERNELS_CONTACT_H

#include "dialect.h"

#define CONTACT_GROUND 1
#define CONTACT_PLATE  2
#define CONTACT_APART  4  /* contacts are computed in a separate stage, after the step */
#define CONTACT_SCALED 8  /* the ground scales velocities (contact_scale) */
#define CONTACT_LIFTED 16 /* the height `placed` differs from the height of the ground */

/* The set of contacts (CONTACT_*) of the run, from a method's parameters p. For a device this macro is defined as a
 * compile-time constant, because a branch that is never executed costs a third of a step's time. */
#ifndef NETWORK_CONTACTS
#define NETWORK_CONTACTS p.contacts
#endif

/* SI units; reals only. */
struct contact_parameters {
    scalar ground, placed; /* height of the ground; height at which a node below the ground is placed */
    scalar plate_start, plate_stop, plate_speed; /* the plate's first height, its last height, and its downward speed */
    scalar restitution, friction;
    scalar velocity_factor; /* with CONTACT_SCALED: factor by which the ground multiplies a node's velocity */
};

struct motion {
    vec3 x, v;
};

/* Returns the node, placed at `height`, and its new velocity by the rules at the head of this file. The plane moves up
 * at `speed`. `up` is 1 if the node touches the upper side of the plane, and -1 if it touches the lower side. `into` is
 * the component of the relative velocity into the plane. */
INLINE struct motion contact_touch(struct motion m, scalar height, scalar speed, scalar up,
                                   struct contact_parameters p) {
    const real into = up * (EVERYWHERE(speed) - m.v.y);
    const real change = WHERE(into > 0, into) * ((scalar)1 + p.restitution);
    const real along = m.v.x * m.v.x + m.v.z * m.v.z;
    const real lost = WHERE(EVERYWHERE(p.friction) > 0, p.friction * change * inverse_root(along));
    const real kept = (scalar)1 - lost;
    const real share = WHERE(kept > 0, kept); /* factor of the tangential velocity; 1 if `change` is 0 */
    m.x.y = EVERYWHERE(height);
    m.v.x = m.v.x * share;
    m.v.y = m.v.y + up * change;
    m.v.z = m.v.z * share;
    return m;
}

/* The ground as in the public program of va2023's first author: a node below the ground is placed at a height, and its
 * whole velocity is multiplied by a factor. In that program's GPU version the height is 1 mm above the plane and the
 * factor is -0.1 (hly-12/RealtimeDeformableObjectUnity, fc1f252,
 * Assets/Scipt/GPU/GlobalDeformationCS.compute:229-234). */
INLINE struct motion contact_scale(struct motion m, struct contact_parameters p) {
    m.x.y = EVERYWHERE(p.placed);
    m.v = scale(EVERYWHERE(p.velocity_factor), m.v);
    return m;
}

/* plate_height: height of the plate's underside after `steps` steps, in m. plate_rise: the plate's upward speed, in
 * m/s, which is negative while the plate moves and 0 at its last height. */
INLINE scalar plate_height(int steps, scalar step, struct contact_parameters p) {
    const scalar height = p.plate_start - p.plate_speed * (step * (scalar)steps);
    return height > p.plate_stop ? height : p.plate_stop;
}

INLINE scalar plate_rise(int steps, scalar step, struct contact_parameters p) {
    return plate_height(steps, step, p) > p.plate_stop ? -p.plate_speed : (scalar)0;
}

INLINE struct motion motion_either(word condition, struct motion a, struct motion b) {
    a.x = vec3_either(condition, a.x, b.x);
    a.v = vec3_either(condition, a.v, b.v);
    return a;
}

/* Whether the node is below the ground or above the plate's underside. contact_keep_out then moves the node, unless the
 * node is pinned. */
INLINE int contact_touches(struct motion m, int steps, scalar step, int contacts, int plate_until,
                           struct contact_parameters p) {
    const int is_above = (contacts & CONTACT_PLATE) && steps < plate_until && ANY(m.x.y > plate_height(steps, step, p));
    return is_above || ((contacts & CONTACT_GROUND) && ANY(m.x.y < p.ground));
}

/* Returns the node after `steps` steps. A node that is not pinned (`moves`) is moved out of the ground and the plate.
 * `contacts` says which of these two exist. A node that is below the ground and above the plate's underside is placed
 * at the ground. */
INLINE struct motion contact_keep_out(struct motion m, word moves, int steps, scalar step, int contacts,
                                      int plate_until, struct contact_parameters p) {
    if ((contacts & CONTACT_PLATE) && steps < plate_until) {
        const scalar height = plate_height(steps, step, p);
        const word above = (m.x.y > height) & moves;
        if (WORTH(above))
            m = motion_either(above, contact_touch(m, height, plate_rise(steps, step, p), -1, p), m);
    }
    if (contacts & CONTACT_GROUND) {
        const word below = (m.x.y < p.ground) & moves;
        if (WORTH(below))
            m = motion_either(below,
                              contacts & CONTACT_SCALED ? contact_scale(m, p) : contact_touch(m, p.placed, 0, 1, p), m);
    }
    return m;
}

#endif
