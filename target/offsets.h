/* Where the assembly of each ISA finds the fields of struct arch_run and struct
 * pack_image; target/core/offsets.c proves it. */
#ifndef TARGET_OFFSETS_H
#define TARGET_OFFSETS_H

/* struct arch_run */
#define RUN_CODE      0
#define RUN_IMAGE     8
#define RUN_BEGIN     16
#define RUN_END       24
#define RUN_SAVED_SP  32
#define RUN_VECTOR    40
#define RUN_AUX_BEGIN 48
#define RUN_AUX_END   56

/* struct pack_image; struct arch_registers begins like it */
#define IMAGE_GPR     0
#define IMAGE_VECTOR  256
#define IMAGE_FP      768
#define IMAGE_MASK    1024
#define IMAGE_FLAGS   1092
#define IMAGE_VTYPE   1096
#define IMAGE_CONTROL 1104

#endif
