/* Standard input and output of a process. */
#include "target/boot/linux/linux.h"
#include "target/console.h"

enum {
	STDIN = 0,
	STDOUT = 1,
	POLLIN = 1,
	EINTR = 4,
	EAGAIN = 11,
	STATUS_HOST_GONE = 1,
	BUFFER_BYTES = 4096,
	MS_PER_S = 1000,
	NS_PER_MS = 1000 * 1000,
};

struct pollfd {
	int fd;
	short events, revents;
};

static struct {
	char bytes[BUFFER_BYTES];
	size_t at, n;
	bool closed;
} in;

static bool stdio_init(void)
{
	return true;
}

static void stdio_write(const char *bytes, size_t n)
{
	while (n > 0) {
		long put = linux_call(LINUX_WRITE, STDOUT, (long)bytes, (long)n,
				      0, 0, 0);

		if (put == -EINTR || put == -EAGAIN)
			continue;
		/* The host has gone. */
		if (put <= 0)
			boot_exit(STATUS_HOST_GONE);
		bytes += put;
		n -= (size_t)put;
	}
}

/* Does a byte, or the end, wait within `ms`? */
static bool readable(unsigned ms)
{
	struct pollfd p = { .fd = STDIN, .events = POLLIN };
	const int64_t timeout[] = {
		ms / MS_PER_S,
		(int64_t)(ms % MS_PER_S) * NS_PER_MS,
	};

	return linux_call(LINUX_PPOLL, (long)&p, in.closed ? 0 : 1,
			  (long)timeout, 0, 0, 0) > 0;
}

static int stdio_read(void)
{
	if (in.at == in.n) {
		if (in.closed || !readable(0))
			return -1;

		long n = linux_call(LINUX_READ, STDIN, (long)in.bytes,
				    BUFFER_BYTES, 0, 0, 0);

		if (n == -EINTR || n == -EAGAIN)
			return -1;
		if (n <= 0) {
			in.closed = true;
			return -1;
		}
		in.at = 0;
		in.n = (size_t)n;
	}
	return (unsigned char)in.bytes[in.at++];
}

static void stdio_wait(unsigned ms)
{
	if (in.at == in.n)
		(void)readable(ms);
}

static bool stdio_closed(void)
{
	return in.closed;
}

extern const struct console console_stdio;
const struct console console_stdio = {
	.name = "stdio",
	.init = stdio_init,
	.write = stdio_write,
	.read = stdio_read,
	.wait = stdio_wait,
	.closed = stdio_closed,
};
