/* The tests of xpbd_elements.h in double precision. */
#define REAL_IS_double
#include "xpbd_elements.h"
