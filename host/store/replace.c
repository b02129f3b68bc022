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

#include "host/store/lock.h"

#define MARK   ".new."
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

/* Is this the temporary file of a process that has ended?  A living one holds
 * a lock on its own. */
static bool is_left(int dir, const char *entry, const char *name)
{
	size_t n = strlen(name);
	struct stat st;
	bool left;
	int fd;

	if (strncmp(entry, name, n) != 0 ||
	    strncmp(entry + n, MARK, strlen(MARK)) != 0 ||
	    strlen(entry + n) != strlen(MARK RANDOM))
		return false;
	fd = openat(dir, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	left = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0;
	if (fd >= 0)
		(void)close(fd);
	return left;
}

static void remove_left(struct arena *a, const char *path)
{
	const char *name;
	DIR *d = opendir(folder_of(a, path, &name));

	if (!d)
		return;
	for (struct dirent *x; (x = readdir(d)) != NULL;)
		if (is_left(dirfd(d), x->d_name, name)) {
			(void)unlinkat(dirfd(d), x->d_name, 0);
			(void)unlinkat(dirfd(d),
				       arena_printf(a, "%s-journal", x->d_name),
				       0);
		}
	(void)closedir(d);
}

/* The permissions of the old file, or those of a new one. */
static mode_t usual_mode(const struct replace *r)
{
	mode_t mask = umask(0);
	struct stat st;

	(void)umask(mask);
	return r->lock >= 0 && fstat(r->lock, &st) == 0 ? st.st_mode & 0777
							: 0644 & ~mask;
}

/* The lock of a writer: those who open it to write hold one too. */
static int create_temporary(struct replace *r, struct arena *a, struct err *e)
{
	mode_t mode = usual_mode(r);

	for (;;) {
		struct stat st = { .st_nlink = 1 };

		r->temporary = arena_printf(a, "%s" MARK RANDOM, r->path);
		r->fd = mkostemp(r->temporary, O_CLOEXEC);
		if (r->fd < 0)
			return failed(e, ERR_INPUT, r->path);
		if (fchmod(r->fd, mode) == 0 &&
		    flock(r->fd, LOCK_SH | LOCK_NB) == 0 &&
		    fstat(r->fd, &st) == 0 && st.st_nlink > 0)
			return ERR_OK;
		/* Another process took it for a file that was left. */
		if (errno != EWOULDBLOCK && st.st_nlink > 0)
			return failed(e, ERR_SYSTEM, r->path);
		(void)close(r->fd);
	}
}

int replace_begin(struct replace *r, struct arena *a, const char *path,
		  struct err *e)
{
	char *target = realpath(path, NULL);

	/* A link stays, and its target is replaced. */
	path = arena_strdup(a, target ? target : path);
	free(target);
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
	if (folder < 0 || fsync(folder) != 0)
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
