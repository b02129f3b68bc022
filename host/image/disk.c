/* Builds disks with external programs, on plain files in a temporary folder.
 * This needs no privileges and leaves no other files behind. */
#include "host/image/disk.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/types.h"
#include "host/base/folder.h"

extern char **environ;

enum {
	MIB = 1024 * 1024,
	SECTOR = 512,
	/* Smallest FAT32 file system with one-sector clusters, rounded up:
	 * 65525 clusters (UEFI 2.10, 13.3 and the FAT specification). */
	MIN_MIB = 36,
	MAX_IMAGE = 1024 * MIB,
	MAX_ARGS = 16,
};

/* A temporary folder for one job. */
struct work_folder {
	struct arena a;
	const char *folder, *in, *out;
};

static int open_work_folder(struct work_folder *w, struct err *e)
{
	w->folder = folder_open(&w->a, e);
	if (!w->folder)
		return e->code;
	w->in = arena_printf(&w->a, "%s/in", w->folder);
	w->out = arena_printf(&w->a, "%s/out", w->folder);
	return ERR_OK;
}

static void close_work_folder(struct work_folder *w)
{
	folder_close(w->folder);
	arena_free(&w->a);
}

/* Run a program with its output discarded. */
static int run_program(const char *const *argv, const char *package,
		       struct err *e)
{
	posix_spawn_file_actions_t io;
	pid_t pid;
	int status;

	posix_spawn_file_actions_init(&io);
	posix_spawn_file_actions_addopen(&io, STDOUT_FILENO, "/dev/null",
					 O_WRONLY, 0);

	/* execve() has non-const parameters but does not write to them. */
	union {
		const char *const *from;
		char *const *to;
	} args = { .from = argv };
	int ret = posix_spawnp(&pid, argv[0], &io, NULL, args.to, environ);

	posix_spawn_file_actions_destroy(&io);
	if (ret)
		return err_set(e, ERR_SYSTEM,
			       "cannot start %s: %s; it is in the package %s",
			       argv[0], strerror(ret), package);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != 0)
		return err_set(e, ERR_SYSTEM, "%s failed", argv[0]);
	return ERR_OK;
}

static int run_mtool(const char *const *argv, struct err *e)
{
	return run_program(argv, "mtools", e);
}

static int read_output(struct work_folder *w, struct buffer *ret, struct err *e)
{
	unsigned char *bytes;
	size_t n;

	if (file_read(&w->a, w->out, MAX_IMAGE, &bytes, &n, e) != ERR_OK)
		return e->code;
	buffer_add(ret, bytes, n);
	return ERR_OK;
}

static int format_disk(struct work_folder *w, size_t n_bytes, struct err *e)
{
	const char *sectors = arena_printf(
		&w->a, "%zu", (2 * (n_bytes / MIB) + MIN_MIB) * (MIB / SECTOR));
	const char *const argv[] = { "mformat",  "-i", w->out, "-C",    "-F",
				     "-c",       "1",  "-T",   sectors, "-v",
				     "ANECHOIC", "::", NULL };

	return run_mtool(argv, e);
}

/* Make the folders of a path, except those that an earlier file has. */
static int make_folders(struct work_folder *w, const struct disk_file *files,
			size_t i, struct err *e)
{
	const char *path = files[i].path;

	for (const char *s = strchr(path, '/'); s; s = strchr(s + 1, '/')) {
		size_t n = (size_t)(s - path) + 1;
		bool known = false;

		for (size_t k = 0; k < i; k++)
			known |= strncmp(files[k].path, path, n) == 0;

		const char *const argv[] = {
			"mmd", "-i", w->out,
			arena_printf(&w->a, "::%.*s", (int)n - 1, path), NULL
		};

		if (!known && run_mtool(argv, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

static int put_file(struct work_folder *w, const struct disk_file *f,
		    struct err *e)
{
	const char *const argv[] = { "mcopy",
				     "-i",
				     w->out,
				     w->in,
				     arena_printf(&w->a, "::%s", f->path),
				     NULL };

	if (file_write(w->in, f->bytes, f->n, e) != ERR_OK)
		return e->code;
	return run_mtool(argv, e);
}

/* mformat writes a partition entry over the whole disk and counts sectors
 * beyond its end, which some firmware refuses. */
static void set_entry(unsigned char *disk, size_t n)
{
	enum { ENTRY = 446, TYPE = 4, SECTORS = 12 };

	if (n >= SECTOR && disk[ENTRY + TYPE] != 0)
		disk_put(disk + ENTRY + SECTORS, n / SECTOR, 4);
}

int disk_fat(const struct disk_file *files, size_t n, struct buffer *ret,
	     struct err *e)
{
	struct work_folder w = { .folder = NULL };
	size_t n_bytes = 0;

	for (size_t i = 0; i < n; i++)
		n_bytes += files[i].n;
	if (open_work_folder(&w, e) == ERR_OK)
		(void)format_disk(&w, n_bytes, e);
	for (size_t i = 0; i < n && e->code == ERR_OK; i++)
		if (make_folders(&w, files, i, e) == ERR_OK)
			(void)put_file(&w, &files[i], e);
	if (e->code == ERR_OK && read_output(&w, ret, e) == ERR_OK)
		set_entry(ret->bytes, ret->n);
	close_work_folder(&w);
	return e->code;
}

int disk_tool(const char *const *argv, const char *package,
	      const struct buffer *in, struct buffer *ret, struct err *e)
{
	struct work_folder w = { .folder = NULL };
	const char *words[MAX_ARGS + 1];
	size_t n = 0;
	bool ready = open_work_folder(&w, e) == ERR_OK;

	for (; n < MAX_ARGS && argv[n]; n++) {
		words[n] = argv[n];
		if (strcmp(argv[n], "@IN@") == 0)
			words[n] = w.in;
		else if (strcmp(argv[n], "@OUT@") == 0)
			words[n] = w.out;
	}
	words[n] = NULL;
	if (ready && file_write(w.in, in->bytes, in->n, e) == ERR_OK &&
	    run_program(words, package, e) == ERR_OK)
		(void)read_output(&w, ret, e);
	close_work_folder(&w);
	return e->code;
}
