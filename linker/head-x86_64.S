/* x86-64: PE header behind the shortest DOS header EFI accepts. */
#include "linker/pe.inc"

	.section .head, "a"
	.globl	_start
	.hidden	_start
_start:
	.ascii	"MZ"
	.org	60
	.long	__pe_offset
	pe_header 0x8664		/* IMAGE_FILE_MACHINE_AMD64 */
	slot	1
