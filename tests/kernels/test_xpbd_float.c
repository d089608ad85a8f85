/* The equations of kernels/xpbd.h, in single precision. */
#define REAL_IS_float
#include "xpbd_elements.h"
