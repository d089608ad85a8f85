/* The tests of xpbd_elements.h in single precision. */
#define REAL_IS_float
#include "xpbd_elements.h"
