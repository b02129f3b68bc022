/* RISC-V: Linux Image header ("Boot image header in RISC-V Linux") and PE
 * header in one. */
#include "linker/pe.inc"

	.section .head, "a"
	.globl	_start
	.hidden	_start
_start:
	c.li	s4, -13			/* "MZ" to EFI, harmless to a hart */
	.option push
	.option norvc
	j	raw_entry
	.option pop
	.org	8
	.quad	0x200000		/* load offset from start of memory */
	.quad	__runtime_bytes		/* image size, patched with the pack */
	.quad	0			/* flags: little-endian */
	.long	2, 0			/* header version 0.2 */
	.quad	0
	.ascii	"RISCV\0\0\0"
	.ascii	"RSC\x05"
	.long	__pe_offset
	pe_header 0x5064		/* IMAGE_FILE_MACHINE_RISCV64 */
	slot	3
