/* See lock.h. */
#include "host/store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	int operation;
	const char *refused;
} kinds[] = {
	[LOCK_WRITER] = { LOCK_SH, "is being replaced by another anechoic "
				   "(merge)" },
	[LOCK_REPLACER] = { LOCK_EX, "is being written by another anechoic" },
};

/* A file that cannot be written may still be replaced. */
static int open_plain(const char *path, bool create)
{
	enum { MODE = 0644 }; /* as SQLite's */
	int flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	int fd = open(path, O_RDWR | flags | (create ? O_CREAT : 0), MODE);
	struct stat st;

	if (fd < 0)
		fd = open(path, O_RDONLY | flags);
	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

/* Does the path still name the file?  It may have been replaced before the
 * lock was taken. */
static bool is_named(const char *path, int fd)
{
	struct stat named, locked;

	return stat(path, &named) == 0 && fstat(fd, &locked) == 0 &&
	       named.st_dev == locked.st_dev && named.st_ino == locked.st_ino;
}

bool lock_open(int fd, enum lock_kind kind)
{
	/* The other errors of flock(2): the file system has no locks, as some
	 * network file systems. */
	return flock(fd, kinds[kind].operation | LOCK_NB) == 0 ||
	       (errno != EWOULDBLOCK && errno != EINTR);
}

int lock_file(const char *path, enum lock_kind kind, bool create, int *ret_fd,
	      struct err *e)
{
	for (;;) {
		int fd = open_plain(path, create);
		bool locked = fd >= 0 && lock_open(fd, kind);
		int why = errno;

		*ret_fd = fd;
		if (fd < 0 || (locked && is_named(path, fd)))
			return ERR_OK;
		(void)close(fd);
		if (!locked && why == EWOULDBLOCK)
			return err_set(e, ERR_SYSTEM,
				       "%s %s; try again when it has ended",
				       path, kinds[kind].refused);
	}
}
