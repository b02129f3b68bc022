/* Offsets measure.S relies on.  Included by measure.S and, for the
 * assertions, by arch.c. */
#ifndef ARCH_RISCV64_ARCH_REGS_H
#define ARCH_RISCV64_ARCH_REGS_H

/* struct arch_run */
#define RUN_CODE      0
#define RUN_IMAGE     8
#define RUN_BEGIN     16
#define RUN_END       24
#define RUN_SAVED_SP  32
#define RUN_VECTOR    40
#define RUN_AUX_BEGIN 48
#define RUN_AUX_END   56

/* struct pack_image */
#define IMAGE_GPR     0
#define IMAGE_VECTOR  256
#define IMAGE_FP      768
#define IMAGE_VTYPE   1096
#define IMAGE_CONTROL 1104

/* arch_units: which register files this hart has, and whether retired
 * instructions can be read and count */
#define UNIT_FP      1
#define UNIT_VECTOR  2
#define UNIT_RETIRED 4

#endif
