/* This file is compiled once for each precision and number of lanes. With 1 lane the loops are plain C. */
#include "number_loops.h"

#include <string.h>

#if WIDTH > 1
#define LANES WIDTH
#endif
#include "hyperelastic.h"

#include "number_items.h"

#define NAMED_(name, precision, width) name##_##precision##_##width
#define NAMED(name, precision, width)  NAMED_(name, precision, width)
#define LOOP(name)                     NAMED(name, REAL, WIDTH)

void LOOP(numbers)(int n, const void *in, void *out) {
    for (int i = 0; i < n; i += WIDTH)
        number_item(i, n, in, out);
}

void LOOP(tetrahedra)(int n, const void *in, void *out) {
    for (int i = 0; i < n; i += WIDTH)
        tetrahedron_item(i, n, in, out);
}
