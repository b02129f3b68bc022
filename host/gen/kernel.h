/* Kernels: assigned registers become loops of machine code. */
#ifndef GEN_KERNEL_H
#define GEN_KERNEL_H

#include "host/base/file.h"
#include "host/gen/assign.h"

/* Append one kernel to `code`: prologue, `unroll` ops, loop end.  Every
 * distinct instruction is encoded, decoded again and compared first; ERR_INPUT
 * if LLVM does not give it back as intended.  *ret_more: instructions of an op
 * beside its instances. */
int kernel_emit(const struct catalogue *c, const struct assigned *a,
		uint32_t unroll, struct buffer *code, uint32_t *ret_more,
		struct err *e);

#endif
