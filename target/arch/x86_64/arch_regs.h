/* Offsets measure.S relies on, and how wide it may load.  Included by
 * measure.S and, for the assertions, by arch.c. */
#ifndef ARCH_X86_64_ARCH_REGS_H
#define ARCH_X86_64_ARCH_REGS_H

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
#define IMAGE_MASK    1024
#define IMAGE_FLAGS   1092
#define IMAGE_CONTROL 1104

/* enum pack_kernel_flags */
#define FLAG_WIDE   4
#define FLAG_X87    8
#define FLAG_WIDEST 16

/* arch_vector_level: the widest registers this CPU and system offer */
#define LEVEL_XMM 0
#define LEVEL_YMM 1
#define LEVEL_ZMM 2

/* arch_counters: whose counters the core clock reads */
#define COUNTERS_FIXED 0
#define COUNTERS_AMD   1
#define COUNTERS_APERF 2

#endif
