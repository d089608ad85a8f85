/* Scenes: parameters and buffers of obstacles and wind for kernels/obstacle.h and kernels/wind.h. */
#ifndef SPRINGBACK_METHOD_SCENE_H
#define SPRINGBACK_METHOD_SCENE_H

#include "method/method.h"

#define REAL_IS_double /* precision of the host's parameters */
#include "obstacle.h"
#include "wind.h"

/* The kinds in the scene: a set of OBSTACLE_SPHERE and OBSTACLE_CONVEX; one of WIND_* or 0. */
int scene_obstacles(const struct run *run);
int scene_wind(const struct run *run);

/* Their parameters; 0 if there are none. */
struct obstacle_parameters scene_obstacle_parameters(const struct run *run);
struct wind_parameters scene_wind_parameters(const struct run *run);

/* For methods without external forces and without a ground: fails at scene.push, scene.twist, scene.ground or
 * scene.plate, whichever the run has first. */
int scene_refuse_forces_and_ground(const struct run *run);

/* Buffers: one quad for each plane of a built body's solids. solid_start is body->solid_start. A wind uses
 * body->fan_start and fan, and body->triangle as corners. */
size_t scene_planes(const struct body *body);
void scene_fill_planes(const struct body *body, int real_size, void *out);

#endif
