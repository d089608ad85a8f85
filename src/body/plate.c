#include "body/plate.h"

#include <math.h>

struct plate plate_of(const struct run *run, double low, double high) {
    return (struct plate){.start = high + run_number_or_nan(run, "scene.plate.gap"),
                          .stop = high - run_number_or_nan(run, "scene.plate.depth") * (high - low),
                          .speed = run_number_or_nan(run, "scene.plate.speed"),
                          .until = run_number_or_nan(run, "scene.plate.until")};
}

double plate_height_at(const struct plate *plate, double time) {
    return fmax(plate->start - plate->speed * time, plate->stop);
}
