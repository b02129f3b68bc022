/* Image kind "fat": a FAT disk that EFI boots through the removable-media
 * path.  It holds the flat file as EFI/BOOT/BOOT<arch>.EFI and an options file
 * that users may edit. */
#include <string.h>

#include "common/pack.h"
#include "host/image/disk.h"
#include "host/image/flat.h"

/* UEFI 2.10, table 3.2: file names of the removable-media path. */
static const char *const boot_paths[] = {
	[PACK_ISA_X86_64] = "EFI/BOOT/BOOTX64.EFI",
	[PACK_ISA_AARCH64] = "EFI/BOOT/BOOTAA64.EFI",
	[PACK_ISA_RISCV64] = "EFI/BOOT/BOOTRISCV64.EFI",
};

/* Read by target/boot/efi.  Lines end with CR LF, which editors of EFI firmware
 * need. */
static const char options[] =
	"# Options of the runtime; docs/porting-board.md explains them.\r\n"
	"# passes = 1\r\n"
	"# ready_ms = 2000\r\n"
	"# log = 1\r\n";

static int fat_build(const struct image_request *q, struct buffer *ret,
		     struct err *e)
{
	struct buffer flat = { 0 };

	if (flat_build(q, &flat, e) != ERR_OK)
		return e->code;

	const struct disk_file files[] = {
		{ boot_paths[flat_slot(&flat).isa], flat.bytes, flat.n },
		{ "anechoic/anechoic.conf", options, strlen(options) },
	};
	int status = disk_fat(files, ARRAY_LEN(files), ret, e);

	buffer_free(&flat);
	return status;
}

extern const struct image_kind image_kind_fat;
const struct image_kind image_kind_fat = {
	.name = "fat",
	.build = fat_build,
};
