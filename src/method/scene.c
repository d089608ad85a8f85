#include "method/scene.h"

int scene_obstacles(const struct run *run) {
    return (run_parameter(run, "scene.sphere.radius") ? OBSTACLE_SPHERE : 0) |
           (run_parameter(run, "scene.convex.mesh") ? OBSTACLE_CONVEX : 0);
}

int scene_wind(const struct run *run) {
    if (!run_parameter(run, "scene.wind.kind"))
        return 0;
    return WIND_TRIANGLES + run_choice(run, "scene.wind.kind"); /* the choices are in the order of WIND_* */
}

struct obstacle_parameters scene_obstacle_parameters(const struct run *run) {
    if (!(scene_obstacles(run) & OBSTACLE_SPHERE))
        return (struct obstacle_parameters){.sphere_radius = 0};
    return (struct obstacle_parameters){.sphere_x = run_number(run, "scene.sphere.centre", 0),
                                        .sphere_y = run_number(run, "scene.sphere.centre", 1),
                                        .sphere_z = run_number(run, "scene.sphere.centre", 2),
                                        .sphere_radius = run_number(run, "scene.sphere.radius", 0)};
}

struct wind_parameters scene_wind_parameters(const struct run *run) {
    if (!scene_wind(run))
        return (struct wind_parameters){.drag = 0};
    return (struct wind_parameters){.velocity_x = run_number(run, "scene.wind.velocity", 0),
                                    .velocity_y = run_number(run, "scene.wind.velocity", 1),
                                    .velocity_z = run_number(run, "scene.wind.velocity", 2),
                                    .drag = run_number(run, "scene.wind.drag", 0),
                                    .acceleration_x = run_number(run, "scene.wind.acceleration", 0),
                                    .acceleration_y = run_number(run, "scene.wind.acceleration", 1),
                                    .acceleration_z = run_number(run, "scene.wind.acceleration", 2)};
}

size_t scene_planes(const struct body *body) {
    return body->solids ? (size_t)body->solid_start[body->solids] : 0;
}

void scene_fill_planes(const struct body *body, int real_size, void *out) {
    for (size_t p = 0; p < scene_planes(body); ++p)
        for (size_t k = 0; k < 4; ++k)
            real_store(out, 4 * p + k, body->plane[p][k], real_size);
}

int scene_refuse_forces_and_ground(const struct run *run) {
    static const char *const refused[] = {"scene.push.acceleration", "scene.twist.torque", "scene.ground.height",
                                          "scene.plate.speed"};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k) {
        const struct parameter *parameter = run_parameter(run, refused[k]);
        const double *push = parameter ? parameter->value.number : NULL;
        if (!parameter || (k == 0 && push[0] == 0 && push[1] == 0 && push[2] == 0))
            continue;
        return fail_at(parameter->place, "%s cannot simulate %s; remove it", run_text(run, "method.name"), refused[k]);
    }
    return STATUS_OK;
}
