/* The offsets that assembly uses are those of the structures. */
#include "target/offsets.h"

#include "target/arch.h"

#define IS(type, field, offset) \
	_Static_assert(offsetof(struct type, field) == (offset), #field)

IS(arch_run, code, RUN_CODE);
IS(arch_run, image, RUN_IMAGE);
IS(arch_run, begin, RUN_BEGIN);
IS(arch_run, end, RUN_END);
IS(arch_run, saved_sp, RUN_SAVED_SP);
IS(arch_run, vector, RUN_VECTOR);
IS(arch_run, aux_begin, RUN_AUX_BEGIN);
IS(arch_run, aux_end, RUN_AUX_END);
IS(pack_image, gpr, IMAGE_GPR);
IS(pack_image, vector, IMAGE_VECTOR);
IS(pack_image, fp, IMAGE_FP);
IS(pack_image, mask, IMAGE_MASK);
IS(pack_image, flags_bits, IMAGE_FLAGS);
IS(pack_image, vtype, IMAGE_VTYPE);
IS(pack_image, control, IMAGE_CONTROL);
IS(arch_registers, gpr, IMAGE_GPR);
IS(arch_registers, vector, IMAGE_VECTOR);
IS(arch_registers, fp, IMAGE_FP);
