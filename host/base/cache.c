/* The user's cache directory; see cache.h. */
#include "host/base/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/crc32.h"
#include "host/base/order.h"

static const char cache_ending[] = ".image";

/* Is it a directory of this user's?  False and errno ENOENT: it does not
 * exist. */
static bool cache_is_own(const char *path, mode_t *ret_mode)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	*ret_mode = st.st_mode;
	errno = 0;
	return S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

/* Make the directory if the one above it is this user's.  Under sudo, HOME may
 * be that of another user, who could not use what root leaves there. */
static bool cache_make(const char *above, const char *path, mode_t *ret_mode)
{
	if (cache_is_own(path, ret_mode))
		return true;
	return errno == ENOENT && cache_is_own(above, ret_mode) &&
	       (mkdir(path, S_IRWXU) == 0 || errno == EEXIST) &&
	       cache_is_own(path, ret_mode);
}

char *cache_path(struct arena *a, const char *subject)
{
	const char *off = getenv("ANECHOIC_NO_CACHE");
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const char *folder;
	char *parent, *above;
	size_t n;
	mode_t mode;

	/* The XDG specification says that relative paths are ignored. */
	if (xdg && *xdg != '/')
		xdg = NULL;
	if ((off && *off) || (!xdg && (!home || *home != '/')))
		return NULL;
	parent =
		arena_printf(a, "%s%s", xdg ? xdg : home, xdg ? "" : "/.cache");
	for (n = strlen(parent); n > 1 && parent[n - 1] == '/';)
		parent[--n] = '\0';
	folder = arena_printf(a, "%s/anechoic", parent);
	above = arena_strdup(a, parent);
	*(strrchr(above, '/') + 1) = '\0';
	if (!cache_make(above, parent, &mode) ||
	    !cache_make(parent, folder, &mode) || (mode & (S_IWGRP | S_IWOTH)))
		return NULL;
	return arena_printf(a, "%s/%.*s-%08x%s", folder,
			    (int)strcspn(subject, " "), subject,
			    (unsigned)crc32_update(0, subject, strlen(subject)),
			    cache_ending);
}

/* The counter that SQLite increments with each transaction. */
static unsigned cache_counter(int fd)
{
	enum { AT = 24, HEADER = 28 };
	unsigned char b[HEADER];

	if (pread(fd, b, sizeof(b), 0) != (ssize_t)sizeof(b) ||
	    memcmp(b, "SQLite format 3", 16) != 0)
		return 0;
	return (unsigned)b[AT] << 24 | (unsigned)b[AT + 1] << 16 |
	       (unsigned)b[AT + 2] << 8 | b[AT + 3];
}

bool cache_identify(struct buffer *key, const char *path)
{
	/* Times of files advance in steps of a few milliseconds. */
	enum { SETTLED_SECONDS = 2 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned counter = fd >= 0 ? cache_counter(fd) : 0;
	char *whole = realpath(path, NULL);
	struct stat st;
	bool good =
		fd >= 0 && whole && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	struct hold h;

	if (fd >= 0)
		(void)close(fd);
	guard_hold(&h, free, whole);
	if (good) {
		good = counter != 0 ||
		       time(NULL) - st.st_mtim.tv_sec > SETTLED_SECONDS;
		buffer_printf(
			key, " %s %llu %llu %lld %lld.%09ld %lld.%09ld %u",
			whole, (unsigned long long)st.st_dev,
			(unsigned long long)st.st_ino, (long long)st.st_size,
			(long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
			(long long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec,
			counter);
	}
	guard_drop(&h);
	free(whole);
	return good;
}

void cache_touch(const char *path)
{
	(void)utimensat(AT_FDCWD, path, NULL, 0);
}

/* ---- removal ----------------------------------------------------------- */

struct cache_file {
	struct timespec used;
	char name[64];
};

static int cache_by_use(const void *a, const void *b)
{
	const struct cache_file *x = a, *y = b;

	return x->used.tv_sec != y->used.tv_sec
		       ? ORDER(y->used.tv_sec, x->used.tv_sec)
		       : ORDER(y->used.tv_nsec, x->used.tv_nsec);
}

static bool cache_is_image(const char *name)
{
	size_t n = strlen(name), end = sizeof(cache_ending) - 1;

	return n > end && n < sizeof((struct cache_file){ 0 }.name) &&
	       strcmp(name + n - end, cache_ending) == 0;
}

static void close_folder(void *object)
{
	(void)closedir(object);
}

void cache_trim(const char *path)
{
	struct buffer files = { 0 };
	struct cache_file *list;
	const struct dirent *d;
	char folder[4096];
	struct hold h;
	DIR *dir;
	int at;

	(void)snprintf(folder, sizeof(folder), "%s", path);
	if (strrchr(folder, '/'))
		*strrchr(folder, '/') = '\0';
	dir = opendir(folder);
	if (!dir)
		return;
	guard_hold(&h, close_folder, dir);
	at = dirfd(dir);
	while (at >= 0 && (d = readdir(dir)) != NULL) {
		struct cache_file x = { 0 };
		struct stat st;

		if (!cache_is_image(d->d_name) ||
		    fstatat(at, d->d_name, &st, 0) != 0)
			continue;
		x.used = st.st_mtim;
		(void)snprintf(x.name, sizeof(x.name), "%.63s", d->d_name);
		buffer_add(&files, &x, sizeof(x));
	}
	list = (void *)files.bytes;
	order_sort(list, files.n / sizeof(*list), sizeof(*list), cache_by_use);
	for (size_t i = CACHE_MAX_FILES; i < files.n / sizeof(*list); i++)
		(void)unlinkat(at, list[i].name, 0);
	guard_drop(&h);
	(void)closedir(dir);
	buffer_free(&files);
}
