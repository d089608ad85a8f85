/* What this machine's processor can do. */
#ifndef SPRINGBACK_BASE_PROCESSOR_H
#define SPRINGBACK_BASE_PROCESSOR_H

/* Levels of the x86-64 instruction set, as the psABI names them; any other processor is at the base. */
enum processor_level { PROCESSOR_BASE, PROCESSOR_V3, PROCESSOR_V4, PROCESSOR_LEVELS };

/* The highest level that this processor has. The environment's SPRINGBACK_LEVEL, base or v3, lowers it. */
enum processor_level processor_level(void);

#endif
