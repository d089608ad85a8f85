/* Contact of a node with a plane that lies still below and a plate that comes down from above, both horizontal: the
 * collider of va2023's section V, of which the paper says no more than "a simple flat surface" and "moving to press".
 *
 * After a step a node that is beyond a plane is put back onto it. Of its velocity against the plane's, the part into
 * the plane is turned round with the restitution, and the part along it loses Coulomb's friction times the change of
 * the other, at most all of it. */
#ifndef SPRINGBACK_KERNELS_CONTACT_H
#define SPRINGBACK_KERNELS_CONTACT_H

#include "dialect.h"

#define CONTACT_GROUND 1
#define CONTACT_PLATE  2
#define CONTACT_APART  4  /* in a stage of its own, after the step */
#define CONTACT_SCALED 8  /* the ground scales velocities (contact_scale) */
#define CONTACT_LIFTED 16 /* the ground places nodes above itself */

/* Which of them there are, of a method's parameters p. It is known when a device's compiler runs: a branch that is
 * never taken costs it a third of a step. */
#ifndef NETWORK_CONTACTS
#define NETWORK_CONTACTS p.contacts
#endif

/* SI units; reals alone. */
struct contact_parameters {
    scalar ground, placed;                       /* height, and that at which a node below it is placed */
    scalar plate_start, plate_stop, plate_speed; /* heights of its underside at first and last; downward */
    scalar restitution, friction;
    scalar velocity_factor; /* of CONTACT_SCALED */
};

struct motion {
    vec3 x, v;
};

/* Put x.y to `height` and take the velocity as above; `into` is the velocity into the plane, which moves at `speed`
 * upwards, `up` 1 where its upper side is touched, -1 where its lower side. */
INLINE struct motion contact_touch(struct motion m, scalar height, scalar speed, scalar up,
                                   struct contact_parameters p) {
    const real into = up * (EVERYWHERE(speed) - m.v.y);
    const real change = WHERE(into > 0, into) * ((scalar)1 + p.restitution);
    const real along = m.v.x * m.v.x + m.v.z * m.v.z;
    const real lost = WHERE(EVERYWHERE(p.friction) > 0, p.friction * change * inverse_root(along));
    const real kept = (scalar)1 - lost;
    const real share = WHERE(kept > 0, kept); /* of a node that only slides past, all: its change is 0 */
    m.x.y = EVERYWHERE(height);
    m.v.x = m.v.x * share;
    m.v.y = m.v.y + up * change;
    m.v.z = m.v.z * share;
    return m;
}

/* A node below the ground as the public program of va2023's first author has it: the node is placed at a height, and
 * its whole velocity is multiplied by a factor. On the GPU that is 1 mm above the plane and -0.1
 * (hly-12/RealtimeDeformableObjectUnity, fc1f252, Assets/Scipt/GPU/GlobalDeformationCS.compute:229-234). */
INLINE struct motion contact_scale(struct motion m, struct contact_parameters p) {
    m.x.y = EVERYWHERE(p.placed);
    m.v = scale(EVERYWHERE(p.velocity_factor), m.v);
    return m;
}

/* Height of the plate's underside after so many steps, and how fast it goes up. */
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

/* Whether a node is beyond ground or plate. */
INLINE int contact_touches(struct motion m, int steps, scalar step, int contacts, int plate_until,
                           struct contact_parameters p) {
    const int is_above = (contacts & CONTACT_PLATE) && steps < plate_until && ANY(m.x.y > plate_height(steps, step, p));
    return is_above || ((contacts & CONTACT_GROUND) && ANY(m.x.y < p.ground));
}

/* A node after `steps` steps, kept out of what `contacts` names if it `moves`. A node that is between the two is on the
 * ground. */
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
