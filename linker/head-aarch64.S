/* AArch64: Linux Image header ("Booting AArch64 Linux", section 4) and PE
 * header in one. */
#include "linker/pe.inc"

	.section .head, "a"
	.globl	_start
	.hidden	_start
_start:
	ccmp	x18, #0, #0xd, pl	/* "MZ" to EFI, harmless to a core */
	b	raw_entry
	.quad	0			/* load offset */
	.quad	__runtime_bytes		/* image size, patched with the pack */
	.quad	2 | 8			/* flags: 4K pages, placed anywhere */
	.quad	0, 0, 0
	.ascii	"ARM\x64"
	.long	__pe_offset
	pe_header 0xaa64		/* IMAGE_FILE_MACHINE_ARM64 */
	slot	2
