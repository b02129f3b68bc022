/* See replace.h.
 *
 * An old file is locked alone.  Where there is none nothing can be locked: the
 * new file is then put there only if there still is none. */
#include "host/store/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/file.h"
#include "host/store/lock.h"

#define MARK   ".anechoic-new."
#define RANDOM "XXXXXX"

static int failed(struct err *e, int code, const char *path)
{
	return err_set(e, code, "cannot write %s: %s", path, strerror(errno));
}

/* The folder of a path, and in *ret_name the rest. */
static const char *folder_of(struct arena *a, const char *path,
			     const char **ret_name)
{
	char *folder = arena_strdup(a, path);
	char *slash = strrchr(folder, '/');

	*ret_name = slash ? path + (slash - folder) + 1 : path;
	if (!slash)
		return ".";
	slash[slash == folder] = '\0';
	return folder;
}

static bool is_temporary(const char *entry, const char *name)
{
	size_t n = strlen(name);

	return strncmp(entry, name, n) == 0 &&
	       strncmp(entry + n, MARK, strlen(MARK)) == 0 &&
	       strlen(entry + n) == strlen(MARK RANDOM);
}

/* Remove a temporary file if its process has ended: a living one holds a lock
 * on it.  The lock is kept until the file is gone, so that no process can have
 * created another one of the name. */
static void remove_one(struct arena *a, int dir, const char *entry)
{
	int fd = openat(dir, entry,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		(void)unlinkat(dir, arena_printf(a, "%s-journal", entry), 0);
		(void)unlinkat(dir, entry, 0);
	}
	(void)close(fd);
}

static void remove_left(struct arena *a, const char *path)
{
	const char *name;
	DIR *d = opendir(folder_of(a, path, &name));

	if (!d)
		return;
	for (struct dirent *x; (x = readdir(d)) != NULL;)
		if (is_temporary(x->d_name, name))
			remove_one(a, dirfd(d), x->d_name);
	(void)closedir(d);
}

/* Owner and permissions of the old file, or the permissions of a new one. */
static void set_rights(const struct replace *r)
{
	struct stat old;
	mode_t mask;

	if (r->lock >= 0 && fstat(r->lock, &old) == 0) {
		file_keep_rights(r->fd, &old);
		return;
	}
	mask = umask(0);
	(void)umask(mask);
	/* Where modes cannot be set, they do not matter. */
	(void)fchmod(r->fd, 0644 & ~mask);
}

/* The lock of a writer: those who open it to write hold one too. */
static int create_temporary(struct replace *r, struct arena *a, struct err *e)
{
	for (;;) {
		struct stat st = { .st_nlink = 1 };

		r->temporary = arena_printf(a, "%s" MARK RANDOM, r->path);
		r->fd = mkostemp(r->temporary, O_CLOEXEC);
		if (r->fd < 0)
			return failed(e, ERR_INPUT, r->path);
		if (lock_open(r->fd, LOCK_WRITER) && fstat(r->fd, &st) == 0 &&
		    st.st_nlink > 0) {
			set_rights(r);
			return ERR_OK;
		}
		/* Another process took it for a file that was left. */
		if (st.st_nlink > 0 && errno != EWOULDBLOCK)
			return failed(e, ERR_SYSTEM, r->path);
		(void)close(r->fd);
	}
}

int replace_begin(struct replace *r, struct arena *a, const char *path,
		  struct err *e)
{
	/* A link stays, and its target is replaced. */
	path = arena_strdup(a, file_target(a, path));
	*r = (struct replace){ .lock = -1, .fd = -1 };
	if (lock_file(path, LOCK_REPLACER, false, &r->lock, e) != ERR_OK)
		return e->code;
	r->path = path;
	remove_left(a, path);
	return create_temporary(r, a, e);
}

/* A file system that cannot rename without replacing can make a link so. */
static bool put_new(const struct replace *r)
{
	if (renameat2(AT_FDCWD, r->temporary, AT_FDCWD, r->path,
		      RENAME_NOREPLACE) == 0)
		return true;
	return (errno == EINVAL || errno == ENOSYS) &&
	       link(r->temporary, r->path) == 0 && unlink(r->temporary) == 0;
}

static int put_in_place(const struct replace *r, struct err *e)
{
	if (r->lock >= 0)
		return rename(r->temporary, r->path) == 0
			       ? ERR_OK
			       : failed(e, ERR_SYSTEM, r->path);
	if (put_new(r))
		return ERR_OK;
	return errno == EEXIST
		       ? err_set(e, ERR_SYSTEM,
				 "%s was created by another program in the "
				 "meantime; it is left as it is",
				 r->path)
		       : failed(e, ERR_SYSTEM, r->path);
}

int replace_finish(struct replace *r, struct arena *a, struct err *e)
{
	const char *name;
	int folder;

	if (fsync(r->fd) != 0)
		return failed(e, ERR_SYSTEM, r->path);
	if (put_in_place(r, e) != ERR_OK)
		return e->code;
	r->temporary = NULL;
	folder = open(folder_of(a, r->path, &name),
		      O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* EINVAL: the file system has nothing to flush. */
	if (folder < 0 || (fsync(folder) != 0 && errno != EINVAL))
		(void)failed(e, ERR_SYSTEM, r->path);
	if (folder >= 0)
		(void)close(folder);
	return e->code;
}

void replace_end(struct replace *r)
{
	if (!r->path)
		return;
	if (r->temporary)
		(void)unlink(r->temporary);
	if (r->fd >= 0)
		(void)close(r->fd);
	if (r->lock >= 0)
		(void)close(r->lock);
	r->path = NULL;
}
