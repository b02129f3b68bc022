/* What measure.S knows of the core.  Included by it and by arch.c. */
#ifndef ARCH_RISCV64_ARCH_REGS_H
#define ARCH_RISCV64_ARCH_REGS_H

/* arch_units: which register files this hart has, and whether retired
 * instructions can be read and count */
#define UNIT_FP      1
#define UNIT_VECTOR  2
#define UNIT_RETIRED 4

#endif
