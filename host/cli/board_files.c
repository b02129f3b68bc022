/* The texts of a new board's files; see board_files.h. */
#include "host/cli/board_files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/file.h"

/* UARTs that the runtime drives itself, where the firmware has no console. */
static bool has_driver(const char *uart)
{
	static const char *const known[] = { "ns16550", "pl011" };

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (strcmp(uart, known[i]) == 0)
			return true;
	return false;
}

/* U-Boot's command that brings the image into memory, or "" if it is there. */
static const char *load_command(struct arena *a, const struct new_board *b)
{
	if (strcmp(b->image, "sd") != 0)
		return "";
	return arena_printf(a, "load mmc 0:1 0x%" PRIx64 " /anechoic.img",
			    b->load_address);
}

static const char *start_command(struct arena *a, const struct new_board *b)
{
	return arena_printf(a, "booti 0x%" PRIx64 " - ${fdtcontroladdr}",
			    b->load_address);
}

static void conf_uboot(struct arena *a, const struct new_board *b,
		       struct buffer *t)
{
	const char *load = load_command(a, b);
	int step = 1;

	buffer_printf(t,
		      "# What INFO must have: /cpus/timebase-frequency, the "
		      "address of /chosen/stdout-path\n"
		      "info = hz=%" PRIu64 ",uart=0x%" PRIx64 "%s\n",
		      b->timebase_hz, b->uart_address,
		      has_driver(b->uart) ? "" : ",console=sbi");
	if (!has_driver(b->uart))
		buffer_printf(t,
			      "# The runtime has no driver for %s: the "
			      "firmware's console carries the records.\n",
			      b->uart);
	buffer_printf(t,
		      "# What U-Boot prints, and what is typed there; kernel_"
		      "addr_r is its own address.\n"
		      "dialogue.%d = Hit any key to stop autoboot:| \\c\n",
		      step++);
	if (*load)
		buffer_printf(t, "dialogue.%d = 20|=> |%s\n", step++, load);
	buffer_printf(t, "dialogue.%d = 20|=> |%s\n", step,
		      start_command(a, b));
}

/* What a firmware's device tree would say. */
static void conf_devices(const struct new_board *b, struct buffer *t)
{
	buffer_printf(
		t,
		"# Devices: docs/machine-mode.md. If the registers of the "
		"UART are words: uart_shift = 2, uart_width = 4.\n"
		"# A simulation does well with ready_ms = 1 and a long "
		"timeout_s.\n"
		"timebase = %" PRIu64 "\n"
		"uart = %s@0x%" PRIx64 "\n",
		b->timebase_hz, b->uart, b->uart_address);
	if (*b->chip)
		buffer_printf(t, "chip = %s\n", b->chip);
	if (*b->clint)
		buffer_printf(t, "clint = %s\n", b->clint);
	if (*b->poweroff)
		buffer_printf(t, "poweroff = %s\n", b->poweroff);
	buffer_printf(t, "info = mode=m,hz=%" PRIu64 ",uart=0x%" PRIx64 "\n",
		      b->timebase_hz, b->uart_address);
}

static void conf_text(struct arena *a, const struct new_board *b,
		      struct buffer *t)
{
	buffer_printf(
		t,
		"# %s. Say here what is odd about it, and where its facts "
		"come from.\n"
		"describe = %s%s%s, %s-%s\n"
		"runtime = %s-%s\n"
		"transport = serial\n"
		"image = %s\n"
		"clock = either\n"
		"verified = nowhere yet\n",
		b->name, b->name, *b->cpu ? ", " : "", b->cpu, b->isa, b->boot,
		b->isa, b->boot, b->image);
	if (*b->cpu)
		buffer_printf(t, "cpu = %s\n", b->cpu);
	else
		buffer_printf(t, "# Without `cpu`, forms that the core lacks "
				 "are measured too and come back as illegal.\n"
				 "# cpu = an LLVM name of the core\n");
	if (*b->features)
		buffer_printf(t, "features = %s\n", b->features);
	buffer_printf(t, "timeout_s = 60\n");
	if (b->has_uboot)
		conf_uboot(a, b, t);
	if (b->has_devices)
		conf_devices(b, t);
}

static void readme_uboot(struct arena *a, const struct new_board *b,
			 struct buffer *t)
{
	const char *load = load_command(a, b);

	buffer_printf(t, "`collect` and `measure` type this at U-Boot's prompt "
			 "(`dialogue` in the board's file):\n\n");
	if (*load)
		buffer_printf(t, "    %s\n", load);
	else
		buffer_printf(t,
			      "    the image must be at 0x%" PRIx64
			      " first: `tftpboot`, `loady` or flash\n",
			      b->load_address);
	buffer_printf(
		t,
		"    %s\n\n"
		"Type once, so that later starts need no typing:\n\n"
		"    setenv bootcmd '%s%s%s'\n"
		"    saveenv\n\n"
		"INFO must have `hz=%" PRIu64 "` and `uart=0x%" PRIx64
		"`; `info` in the board's file says so, and another value "
		"is a warning.\n",
		start_command(a, b), load, *load ? "; " : "",
		start_command(a, b), b->timebase_hz, b->uart_address);
}

static void readme_text(struct arena *a, const struct new_board *b,
			struct buffer *t)
{
	buffer_printf(t,
		      "# %s\n\n"
		      "    anechoic doctor  --board %s --tty /dev/ttyUSB0\n"
		      "    anechoic image   --board %s -o %s.img\n"
		      "    anechoic collect --board %s --tty /dev/ttyUSB0 "
		      "--db %s.db\n\n",
		      b->name, b->name, b->name, b->name, b->name, b->name);
	if (b->has_uboot)
		readme_uboot(a, b, t);
	else if (b->has_devices)
		buffer_printf(t,
			      "Load the image where the core starts after "
			      "reset; it needs no firmware "
			      "(docs/machine-mode.md). A simulation is "
			      "the console: `--console-cmd 'sim %s.img'` in "
			      "place of `--tty`.\n",
			      b->name);
	else
		buffer_printf(t, "The firmware starts `EFI/BOOT` on the disk "
				 "that the image is written to; secure boot is "
				 "off.\n");
	buffer_printf(t, "\nNot verified on hardware.\n");
}

/* Make a folder; *ret_made: it was not there. */
static int make_folder(const char *path, bool *ret_made, struct err *e)
{
	*ret_made = mkdir(path, 0777) == 0;
	if (!*ret_made && errno != EEXIST)
		return err_set(e, ERR_INPUT,
			       "cannot make the folder %s: %s; choose another "
			       "one by -o",
			       path, strerror(errno));
	return ERR_OK;
}

/* Write both files, the .conf last: a board without one does not exist. */
static int write_both(const char *conf, const struct buffer *conf_bytes,
		      const char *readme, const struct buffer *readme_bytes,
		      struct err *e)
{
	bool had_readme = access(readme, F_OK) == 0;

	if (!had_readme &&
	    file_write(readme, readme_bytes->bytes, readme_bytes->n, e))
		return e->code;
	if (file_write(conf, conf_bytes->bytes, conf_bytes->n, e) &&
	    !had_readme)
		(void)unlink(readme);
	return e->code;
}

int board_files_write(struct arena *a, const struct new_board *b,
		      const char *folder, const char **ret_conf, struct err *e)
{
	const char *path = arena_printf(a, "%s/%s", folder, b->name);
	const char *conf =
		arena_printf(a, "%s/%s-%s.conf", path, b->isa, b->boot);
	struct buffer text = { 0 }, readme = { 0 };
	bool made;

	if (access(conf, F_OK) == 0)
		return err_set(e, ERR_USAGE,
			       "%s exists; edit it, or choose another name",
			       conf);
	if (make_folder(path, &made, e) != ERR_OK)
		return e->code;
	conf_text(a, b, &text);
	readme_text(a, b, &readme);
	if (write_both(conf, &text, arena_printf(a, "%s/README.md", path),
		       &readme, e) != ERR_OK &&
	    made)
		(void)rmdir(path);
	buffer_free(&text);
	buffer_free(&readme);
	*ret_conf = conf;
	return e->code;
}
