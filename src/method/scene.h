/* Scenes: parameters and buffers of obstacles and wind for kernels/obstacle.h and kernels/wind.h. */
#ifndef SPRINGBACK_METHOD_SCENE_H
#define SPRINGBACK_METHOD_SCENE_H

#include "method/method.h"

#define REAL_IS_double /* precision of the host's parameters */
#include "obstacle.h"
#include "wind.h"

/* scene_obstacles returns a set of OBSTACLE_SPHERE and OBSTACLE_CONVEX. scene_wind returns one of WIND_*, or 0 if there
 * is no wind. */
int scene_obstacles(const struct run *run);
int scene_wind(const struct run *run);

/* scene_obstacle_parameters returns the parameters of the sphere; all are 0 if the run has no sphere.
 * scene_wind_parameters returns the parameters of the wind; all are 0 if the run has no wind. */
struct obstacle_parameters scene_obstacle_parameters(const struct run *run);
struct wind_parameters scene_wind_parameters(const struct run *run);

/* For methods without push, torque, ground and plate. Fails if the run has scene.push (with an acceleration other than
 * 0), scene.twist, scene.ground or scene.plate. The message names the first of these keys that the run has. */
int scene_refuse_forces_and_ground(const struct run *run);

/* scene_planes returns the number of planes of the scene's convex bodies. scene_fill_planes writes the content of a
 * buffer with one quad for each plane (body->plane). The other buffers of obstacles and wind are copies of
 * body->solid_start, fan_start, fan and triangle. */
size_t scene_planes(const struct body *body);
void scene_fill_planes(const struct body *body, int real_size, void *out);

#endif
