/* Features of this machine's processor. */
#ifndef SPRINGBACK_BASE_PROCESSOR_H
#define SPRINGBACK_BASE_PROCESSOR_H

/* Levels of the x86-64 instruction set, as named by the x86-64 psABI, the standard of binary interfaces for x86-64.
 * Processors without the instructions of V3, and all processors that are not x86-64, have PROCESSOR_BASE. */
enum processor_level { PROCESSOR_BASE, PROCESSOR_V3, PROCESSOR_V4, PROCESSOR_LEVELS };

/* The highest level that this processor supports. The environment variable SPRINGBACK_LEVEL=base or =v3 lowers it. */
enum processor_level processor_level(void);

#endif
