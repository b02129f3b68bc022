/* Image kind "sd": a card for boards whose loader is U-Boot.  A GPT disk with
 * one FAT partition, which holds the flat file and two ways for U-Boot to start
 * it automatically.
 *
 *	/anechoic.img			Linux Image and EFI application in one
 *	/boot.scr			a script for `source`
 *	/extlinux/extlinux.conf		a menu for `sysboot`
 *
 * The card has no part of the board's boot chain. */
#include <string.h>

#include "common/pack.h"
#include "host/image/disk.h"
#include "host/image/flat.h"

/* mkimage's names of the instruction sets; NULL: U-Boot does not boot Linux
 * Images of it. */
static const char *const arch_names[] = {
	[PACK_ISA_X86_64] = NULL,
	[PACK_ISA_AARCH64] = "arm64",
	[PACK_ISA_RISCV64] = "riscv",
};

/* U-Boot sets the first three variables if it finds the script itself.  The
 * defaults are for a script loaded by hand. */
static const char script[] =
	"# anechoic_args: options of the runtime, as anechoic.core=4\n"
	"# anechoic_boot: bootefi to enter it as an EFI application\n"
	"test -n \"${devtype}\" || setenv devtype mmc\n"
	"test -n \"${devnum}\" || setenv devnum 0\n"
	"test -n \"${distro_bootpart}\" || setenv distro_bootpart 1\n"
	"setenv bootargs \"${anechoic_args}\"\n"
	"load ${devtype} ${devnum}:${distro_bootpart} ${kernel_addr_r}"
	" /anechoic.img\n"
	"if test \"${anechoic_boot}\" = bootefi; then\n"
	"  bootefi ${kernel_addr_r} ${fdtcontroladdr}\n"
	"else\n"
	"  booti ${kernel_addr_r} - ${fdtcontroladdr}\n"
	"fi\n";

/* Without an fdt line U-Boot passes its own device tree. */
static const char menu[] = "default anechoic\n"
			   "timeout 10\n"
			   "label anechoic\n"
			   "\tmenu label anechoic\n"
			   "\tkernel /anechoic.img\n"
			   "\tappend anechoic.passes=1\n";

static int compile_script(const char *arch, struct buffer *ret, struct err *e)
{
	const char *const argv[] = { "mkimage",  "-A", arch,   "-T",
				     "script",   "-C", "none", "-n",
				     "anechoic", "-d", "@IN@", "@OUT@",
				     NULL };
	struct buffer text = { 0 };
	int status;

	buffer_add(&text, script, strlen(script));
	status = disk_tool(argv, "u-boot-tools", &text, ret, e);
	buffer_free(&text);
	return status;
}

static int sd_build(const struct image_request *q, struct buffer *ret,
		    struct err *e)
{
	struct buffer flat = { 0 }, compiled = { 0 }, fat = { 0 };

	if (flat_build(q, &flat, e) != ERR_OK)
		return e->code;

	const char *arch = arch_names[flat_slot(&flat).isa];

	if (arch)
		(void)compile_script(arch, &compiled, e);
	else
		(void)err_set(e, ERR_INPUT,
			      "image kind sd: U-Boot boots no Linux Image for "
			      "%s",
			      q->board->isa);

	const struct disk_file files[] = {
		{ "anechoic.img", flat.bytes, flat.n },
		{ "boot.scr", compiled.bytes, compiled.n },
		{ "extlinux/extlinux.conf", menu, strlen(menu) },
	};

	if (e->code == ERR_OK &&
	    disk_fat(files, ARRAY_LEN(files), &fat, e) == ERR_OK)
		(void)disk_gpt(&fat, ret, e);
	buffer_free(&flat);
	buffer_free(&compiled);
	buffer_free(&fat);
	return e->code;
}

extern const struct image_kind image_kind_sd;
const struct image_kind image_kind_sd = {
	.name = "sd",
	.build = sd_build,
};
