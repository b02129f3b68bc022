/* How wide measure.S may load.  Included by it and by arch.c. */
#ifndef ARCH_X86_64_ARCH_REGS_H
#define ARCH_X86_64_ARCH_REGS_H

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
