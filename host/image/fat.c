/* A FAT disk that EFI boots by its removable-media path: the flat file as
 * EFI/BOOT/BOOT<arch>.EFI.  mtools lays the file system out; it works on a
 * plain file and needs no rights. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/pack.h"
#include "host/image/flat.h"

extern char **environ;

enum {
	MIB = 1024 * 1024,
	SECTOR = 512,
	/* The least that is FAT32 with one-sector clusters, rounded up: 65525
	 * clusters (UEFI 2.10, 13.3 and the FAT specification). */
	MIN_MIB = 36,
	MAX_IMAGE = 1024 * MIB,
};

/* UEFI 2.10, table 3.2: file names of the removable-media path. */
static const char *const boot_names[] = {
	[PACK_ISA_X86_64] = "BOOTX64.EFI",
	[PACK_ISA_AARCH64] = "BOOTAA64.EFI",
	[PACK_ISA_RISCV64] = "BOOTRISCV64.EFI",
};

/* Run a program of mtools with its output discarded. */
static int run(const char *const *argv, struct err *e)
{
	posix_spawn_file_actions_t io;
	pid_t pid;
	int status;

	posix_spawn_file_actions_init(&io);
	posix_spawn_file_actions_addopen(&io, STDOUT_FILENO, "/dev/null",
					 O_WRONLY, 0);

	/* execve() takes its arguments as if it might write to them. */
	union {
		const char *const *from;
		char *const *to;
	} args = { .from = argv };
	int ret = posix_spawnp(&pid, argv[0], &io, NULL, args.to, environ);

	posix_spawn_file_actions_destroy(&io);
	if (ret)
		return err_set(e, ERR_SYSTEM,
			       "%s: a program that starts (%s); it is in the "
			       "package mtools",
			       argv[0], strerror(ret));
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != 0)
		return err_set(e, ERR_SYSTEM, "%s: success on a new file",
			       argv[0]);
	return ERR_OK;
}

/* Make the disk `disk` from the flat file `flat`. */
static int make_disk(const char *disk, const char *flat, const char *name,
		     size_t n_flat, struct err *e)
{
	char sectors[24], target[64];
	size_t mib = MIN_MIB + n_flat / MIB;

	snprintf(sectors, sizeof(sectors), "%zu", mib * (MIB / SECTOR));
	snprintf(target, sizeof(target), "::EFI/BOOT/%s", name);

	const char *const format[] = { "mformat",  "-i", disk, "-C",    "-F",
				       "-c",       "1",  "-T", sectors, "-v",
				       "ANECHOIC", "::", NULL };
	const char *const folders[] = { "mmd",   "-i",         disk,
					"::EFI", "::EFI/BOOT", NULL };
	const char *const copy[] = { "mcopy", "-i", disk, flat, target, NULL };

	if (run(format, e) != ERR_OK || run(folders, e) != ERR_OK ||
	    run(copy, e) != ERR_OK)
		return e->code;
	return ERR_OK;
}

static int build_in(const char *folder, const struct buffer *flat,
		    struct buffer *ret, struct err *e)
{
	struct runtime_slot slot = flat_slot(flat);
	struct arena a = { 0 };
	const char *from = arena_printf(&a, "%s/flat", folder);
	const char *disk = arena_printf(&a, "%s/disk", folder);
	unsigned char *bytes;
	size_t n;

	if (file_write(from, flat->bytes, flat->n, e) == ERR_OK &&
	    make_disk(disk, from, boot_names[slot.isa], flat->n, e) == ERR_OK &&
	    file_read(&a, disk, MAX_IMAGE, &bytes, &n, e) == ERR_OK)
		buffer_add(ret, bytes, n);
	(void)unlink(from);
	(void)unlink(disk);
	arena_free(&a);
	return e->code;
}

static int build(const struct image_request *q, struct buffer *ret,
		 struct err *e)
{
	const char *tmp = getenv("TMPDIR");
	struct arena a = { 0 };
	struct buffer flat = { 0 };
	char *folder = arena_printf(&a, "%s/anechoic-XXXXXX",
				    tmp && *tmp ? tmp : "/tmp");
	struct err inner = { 0 };

	if (flat_build(q, &flat, e) != ERR_OK) {
		arena_free(&a);
		return e->code;
	}
	if (!mkdtemp(folder)) {
		err_set(&inner, ERR_SYSTEM, "%s: a folder that can be made",
			folder);
	} else {
		(void)build_in(folder, &flat, ret, &inner);
		(void)rmdir(folder);
	}
	buffer_free(&flat);
	arena_free(&a);
	return inner.code ? err_set(e, inner.code, "%s", inner.message)
			  : ERR_OK;
}

extern const struct image_kind image_kind_fat;
const struct image_kind image_kind_fat = {
	.name = "fat",
	.build = build,
};
