/* Whole-file input and output; see file.h. */
#include "host/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_all(int fd, const char *path, size_t limit, struct buffer *b,
		    struct err *e)
{
	unsigned char chunk[1 << 16];

	for (;;) {
		ssize_t got = read(fd, chunk, sizeof(chunk));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(e, ERR_INPUT, "cannot read %s: %s", path,
				       strerror(errno));
		if (got == 0)
			return ERR_OK;
		if (b->n + (size_t)got > limit)
			return err_set(e, ERR_INPUT,
				       "%s is larger than %zu bytes", path,
				       limit);
		buffer_add(b, chunk, (size_t)got);
	}
}

int file_read(struct arena *a, const char *path, size_t limit,
	      unsigned char **ret_bytes, size_t *ret_n, struct err *e)
{
	bool input = strcmp(path, "-") == 0;
	int fd = input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct buffer b = { 0 };

	if (fd < 0)
		return err_set(e, ERR_INPUT, "cannot read %s: %s", path,
			       strerror(errno));

	int ret = read_all(fd, path, limit, &b, e);

	if (!input)
		(void)close(fd);
	if (ret == ERR_OK) {
		unsigned char *copy = arena_alloc(a, b.n + 1, 1);

		if (b.n)
			memcpy(copy, b.bytes, b.n);
		*ret_bytes = copy;
		*ret_n = b.n;
	}
	buffer_free(&b);
	return ret;
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

/* rename() must not replace devices and pipes (-o /dev/stdout): write to them
 * directly. */
static bool is_plain_target(const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

static int write_output(const void *bytes, size_t n, struct err *e)
{
	if (fwrite(bytes, 1, n, stdout) == n && fflush(stdout) == 0)
		return ERR_OK;
	return err_set(e, ERR_SYSTEM, "cannot write to standard output: %s",
		       strerror(errno));
}

int file_write(const char *path, const void *bytes, size_t n, struct err *e)
{
	if (strcmp(path, "-") == 0)
		return write_output(bytes, n, e);

	struct arena a = { 0 };
	bool plain = is_plain_target(path);
	char *temp = plain ? arena_printf(&a, "%s.XXXXXX", path)
			   : arena_strdup(&a, path);
	int fd = plain ? mkstemp(temp) : open(path, O_WRONLY | O_CLOEXEC);
	int ret = ERR_OK;

	if (fd < 0) {
		ret = err_set(e, ERR_INPUT, "cannot write %s: %s", path,
			      strerror(errno));
		arena_free(&a);
		return ret;
	}
	/* mkstemp() creates files with mode 0600; results get the mode that the
	 * umask allows. */
	mode_t mask = umask(0);

	(void)umask(mask);
	if (!file_put(fd, bytes, n) ||
	    (plain && (fchmod(fd, 0666 & ~mask) != 0 || fsync(fd) != 0)))
		ret = err_set(e, ERR_SYSTEM, "cannot write %s: %s", path,
			      strerror(errno));
	if (close(fd) != 0 && ret == ERR_OK)
		ret = err_set(e, ERR_SYSTEM, "cannot write %s: %s", path,
			      strerror(errno));
	if (plain && ret == ERR_OK && rename(temp, path) != 0)
		ret = err_set(e, ERR_SYSTEM, "cannot replace %s: %s", path,
			      strerror(errno));
	if (plain && ret != ERR_OK)
		(void)unlink(temp);
	arena_free(&a);
	return ret;
}

void buffer_add(struct buffer *b, const void *p, size_t n)
{
	if (n > b->room - b->n) {
		size_t room = b->room ? b->room * 2 : 4096;

		while (room - b->n < n)
			room *= 2;
		b->bytes = xrealloc(b->bytes, room, 1);
		b->room = room;
	}
	if (n)
		memcpy(b->bytes + b->n, p, n);
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

	char *longer = xrealloc(NULL, (size_t)n + 1, 1);

	va_start(args, format);
	(void)vsnprintf(longer, (size_t)n + 1, format, args);
	va_end(args);
	buffer_add(b, longer, (size_t)n);
	free(longer);
}

void buffer_free(struct buffer *b)
{
	free(b->bytes);
	*b = (struct buffer){ 0 };
}
