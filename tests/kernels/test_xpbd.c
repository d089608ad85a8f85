/* The equations of kernels/xpbd.h, in double precision. */
#define REAL_IS_double
#include "xpbd_elements.h"
