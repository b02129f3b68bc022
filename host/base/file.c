/* Whole-file input and output; see file.h. */
#include "host/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/monotonic.h"
#include "host/base/random.h"

static int not_read(const char *path, struct err *e)
{
	return err_set(e, ERR_INPUT, "cannot read %s: %s", path,
		       strerror(errno));
}

bool file_get(int fd, void *bytes, size_t n, size_t *ret_n)
{
	char *at = bytes;
	ssize_t got = 1;

	for (*ret_n = 0; *ret_n < n && got != 0;) {
		got = read(fd, at + *ret_n, n - *ret_n);
		if (got < 0 && errno != EINTR)
			return false;
		*ret_n += got > 0 ? (size_t)got : 0;
	}
	return true;
}

int file_read_open(int fd, const char *path, size_t limit, struct buffer *b,
		   struct err *e)
{
	enum { CHUNK = 1 << 16 };
	size_t got;

	do {
		if (!file_get(fd, buffer_reserve(b, CHUNK), CHUNK, &got))
			return not_read(path, e);
		b->n += got;
		if (b->n > limit)
			return err_set(e, ERR_INPUT,
				       "%s is larger than %zu bytes", path,
				       limit);
	} while (got == CHUNK);
	return ERR_OK;
}

static void close_file(void *object)
{
	(void)close(*(const int *)object);
}

int file_read(struct arena *a, const char *path, size_t limit,
	      unsigned char **ret_bytes, size_t *ret_n, struct err *e)
{
	bool input = strcmp(path, "-") == 0;
	int fd = input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct buffer b = { 0 };
	struct hold h = { 0 };

	if (fd < 0)
		return not_read(path, e);
	if (!input)
		guard_hold(&h, close_file, &fd);

	int ret = file_read_open(fd, path, limit, &b, e);

	guard_drop(&h);
	if (!input)
		(void)close(fd);
	if (ret == ERR_OK) {
		*ret_n = b.n;
		*ret_bytes = (unsigned char *)buffer_take(a, &b);
	}
	buffer_free(&b);
	return ret;
}

int file_read_text(struct arena *a, const char *path, size_t limit,
		   char **ret_text, size_t *ret_n, struct err *e)
{
	unsigned char *bytes = NULL;
	int ret = file_read(a, path, limit, &bytes, ret_n, e);

	if (bytes == NULL)
		return ret;
	if (memchr(bytes, '\0', *ret_n))
		return err_set(e, ERR_INPUT,
			       "%s is not a text file: it contains a NUL byte",
			       path);
	*ret_text = (char *)bytes;
	return ERR_OK;
}

char *text_take_line(char **at)
{
	char *line = *at, *end = line + strcspn(line, "\r\n");

	if (*line == '\0')
		return NULL;
	*at = end + strspn(end, "\r");
	*at += **at == '\n';
	*end = '\0';
	return line;
}

bool file_put(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n > 0) {
		ssize_t put = write(fd, at, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		at += put;
		n -= (size_t)put;
	}
	return true;
}

/* ---- writing ------------------------------------------------------------ */

static int not_written(const char *path, int code, struct err *e)
{
	return err_set(e, code, "cannot write %s: %s", path, strerror(errno));
}

/* Create a file whose name ends in six random letters, written over the end of
 * `temp`, with as much of `mode` as the umask allows: mkstemp()'s files are
 * private, and who asks for the umask changes it for all threads. */
static int create_beside(char *temp, mode_t mode)
{
	enum { LETTERS = 6, TRIES = 100 };
	uint64_t seed =
		monotonic_ns() ^ (uint64_t)getpid() << 32 ^ (uintptr_t)&seed;
	char *end = temp + strlen(temp) - LETTERS;
	int fd = -1;

	for (int i = 0; i < TRIES; i++) {
		uint64_t bits = random_next(&seed);

		for (int k = 0; k < LETTERS; k++, bits /= 26)
			end[k] = (char)('a' + bits % 26);
		fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	return fd;
}

static int write_output(const void *bytes, size_t n, struct err *e)
{
	if (fwrite(bytes, 1, n, stdout) == n && fflush(stdout) == 0)
		return ERR_OK;
	return err_set(e, ERR_SYSTEM, "cannot write to standard output: %s",
		       strerror(errno));
}

/* Write all of an open file, and close it. */
static int put_and_close(int fd, const char *path, bool sync, const void *bytes,
			 size_t n, struct err *e)
{
	int ret = ERR_OK;

	if (!file_put(fd, bytes, n) || (sync && fsync(fd) != 0))
		ret = not_written(path, ERR_SYSTEM, e);
	if (close(fd) != 0 && ret == ERR_OK)
		ret = not_written(path, ERR_SYSTEM, e);
	return ret;
}

/* Write to what is there: a device, a pipe, or a file in a folder that takes no
 * other. */
static int write_there(const char *path, const void *bytes, size_t n,
		       struct err *e)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return not_written(path, ERR_INPUT, e);
	return put_and_close(fd, path, false, bytes, n, e);
}

const char *file_target(struct arena *a, const char *path)
{
	enum { MOST_LINKS = 40 }; /* path_resolution(7) */
	char to[PATH_MAX];

	for (int i = 0; i < MOST_LINKS; i++) {
		ssize_t n = readlink(path, to, sizeof(to) - 1);
		const char *slash = strrchr(path, '/');

		if (n < 0)
			break;
		to[n] = '\0';
		path = *to == '/' || !slash
			       ? arena_strdup(a, to)
			       : arena_printf(a, "%.*s/%s", (int)(slash - path),
					      path, to);
	}
	return path;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

void file_keep_rights(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & 0777;

	/* Only root can give a file away.  Another group gets no more than
	 * everybody. */
	if (fchown(fd, old->st_uid, old->st_gid) != 0 &&
	    fchown(fd, (uid_t)-1, old->st_gid) != 0)
		mode &= 0707 | (old->st_mode & 07) << 3;
	/* Where modes cannot be set, they do not matter. */
	(void)fchmod(fd, mode);
}

/* The file that a new one replaces. */
struct target {
	const char *path; /* its name in messages */
	const char *to;
	const struct stat *old; /* what is there; NULL: nothing */
};

/* Write a new file and put it where the target is. */
static int replace(struct arena *a, const struct target *t, const void *bytes,
		   size_t n, struct err *e)
{
	const char *path = t->path, *to = t->to;
	const struct stat *old = t->old;
	char *temp = arena_printf(a, "%s.XXXXXX", to);
	bool mounted;
	int fd, ret;

	if (old && faccessat(AT_FDCWD, to, W_OK, AT_EACCESS) != 0)
		return not_written(path, ERR_INPUT, e);
	fd = create_beside(temp, old ? 0600 : 0666);
	if (fd < 0 && old && (errno == EACCES || errno == EPERM))
		return write_there(path, bytes, n, e);
	if (fd < 0)
		return not_written(path, ERR_INPUT, e);
	if (old)
		file_keep_rights(fd, old);
	ret = put_and_close(fd, path, true, bytes, n, e);
	if (ret == ERR_OK && rename(temp, to) == 0)
		return ERR_OK;
	/* A file that is a mount point can only be written. */
	mounted = ret == ERR_OK && errno == EBUSY;
	if (ret == ERR_OK && !mounted)
		ret = err_set(e, ERR_SYSTEM, "cannot replace %s: %s", path,
			      strerror(errno));
	(void)unlink(temp);
	return mounted ? write_there(path, bytes, n, e) : ret;
}

static bool is_for_writing(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/* The standard stream that is this file, as with /dev/stdout; -1: none. */
static int stream_of(const struct stat *file)
{
	struct stat st;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (fstat(fd, &st) == 0 && is_same(file, &st) &&
		    is_for_writing(fd))
			return fd;
	return -1;
}

/* Behind what the stream has been given. */
static int write_stream(int fd, const char *path, const void *bytes, size_t n,
			struct err *e)
{
	(void)fflush(stdout);
	return file_put(fd, bytes, n) ? ERR_OK
				      : not_written(path, ERR_SYSTEM, e);
}

int file_write(const char *path, const void *bytes, size_t n, struct err *e)
{
	struct arena a = { 0 };
	struct stat old, behind;
	bool exists = stat(path, &old) == 0;
	const char *to;
	int ret;

	if (strcmp(path, "-") == 0)
		return write_output(bytes, n, e);
	if (!exists && errno != ENOENT)
		return not_written(path, ERR_INPUT, e);
	if (exists && stream_of(&old) >= 0)
		return write_stream(stream_of(&old), path, bytes, n, e);
	if (exists && !S_ISREG(old.st_mode))
		return write_there(path, bytes, n, e);
	to = file_target(&a, path);
	/* Links of /proc lead elsewhere than they say. */
	if (exists && (stat(to, &behind) != 0 || !is_same(&old, &behind)))
		ret = write_there(path, bytes, n, e);
	else
		ret = replace(
			&a, &(struct target){ path, to, exists ? &old : NULL },
			bytes, n, e);
	arena_free(&a);
	return ret;
}

/* ---- buffers ------------------------------------------------------------ */

unsigned char *buffer_reserve(struct buffer *b, size_t n)
{
	if (n > b->room - b->n) {
		size_t room = b->room ? b->room * 2 : 4096;

		while (room - b->n < n)
			room *= 2;
		b->bytes = held_realloc(b->bytes, room, 1);
		b->room = room;
	}
	return b->bytes + b->n;
}

void buffer_add(struct buffer *b, const void *p, size_t n)
{
	if (n == 0)
		return;
	memcpy(buffer_reserve(b, n), p, n);
	b->n += n;
}

void buffer_printf(struct buffer *b, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);

	int n = vsnprintf(line, sizeof(line), format, args);

	va_end(args);
	if (n < 0)
		return;
	if ((size_t)n < sizeof(line)) {
		buffer_add(b, line, (size_t)n);
		return;
	}

	char *longer = held_realloc(NULL, (size_t)n + 1, 1);

	va_start(args, format);
	(void)vsnprintf(longer, (size_t)n + 1, format, args);
	va_end(args);
	buffer_add(b, longer, (size_t)n);
	held_free(longer);
}

void buffer_free(struct buffer *b)
{
	held_free(b->bytes);
	*b = (struct buffer){ 0 };
}

const char *buffer_text(struct buffer *b)
{
	*buffer_reserve(b, 1) = '\0';
	return (const char *)b->bytes;
}

char *buffer_take(struct arena *a, struct buffer *b)
{
	char *text = arena_alloc(a, b->n + 1, 1);

	if (b->n)
		memcpy(text, b->bytes, b->n);
	buffer_free(b);
	return text;
}

void *buffer_take_list(struct arena *a, struct buffer *b, size_t size,
		       size_t *ret_n)
{
	*ret_n = b->n / size;
	return buffer_take(a, b);
}
