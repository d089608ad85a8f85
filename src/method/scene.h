/* Scenes: what methods that take obstacles or a wind hand to kernels/obstacle.h and kernels/wind.h. */
#ifndef SPRINGBACK_METHOD_SCENE_H
#define SPRINGBACK_METHOD_SCENE_H

#include "method/method.h"

#define REAL_IS_double /* of the host's parameters */
#include "obstacle.h"
#include "wind.h"

/* Which there are: OBSTACLE_SPHERE, OBSTACLE_CONVEX; and WIND_TRIANGLES, WIND_UNIFORM or 0. */
int scene_obstacles(const struct run *run);
int scene_wind(const struct run *run);

/* The same in numbers; 0 where there is none. */
struct obstacle_parameters scene_obstacle_parameters(const struct run *run);
struct wind_parameters scene_wind_parameters(const struct run *run);

/* For methods without external forces and without a ground: refuse scene.push, scene.twist, scene.ground and
 * scene.plate, at the place of the first that the run has. */
int scene_refuse_forces_and_ground(const struct run *run);

/* Buffers: a quad a plane of a built body's solids. Their starts are body->solid_start as it is; a wind's fans are
 * body->fan_start and fan, and the corners body->triangle. */
size_t scene_planes(const struct body *body);
void scene_fill_planes(const struct body *body, int real_size, void *out);

#endif
