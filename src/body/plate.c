#include "body/plate.h"

#include <math.h>

static double number_of(const struct run *run, const char *path) {
    return run_parameter(run, path) ? run_number(run, path, 0) : (double)NAN;
}

struct plate plate_of(const struct run *run, double low, double high) {
    return (struct plate){.start = high + number_of(run, "scene.plate.gap"),
                          .stop = high - number_of(run, "scene.plate.depth") * (high - low),
                          .speed = number_of(run, "scene.plate.speed"),
                          .until = number_of(run, "scene.plate.until")};
}

double plate_height_at(const struct plate *plate, double time) {
    return fmax(plate->start - plate->speed * time, plate->stop);
}
