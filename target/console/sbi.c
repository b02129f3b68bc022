/* The firmware's console: the debug console extension where it exists, the
 * calls of SBI 0.1 otherwise. */
#include "target/console.h"

#include "target/boot/sbi/sbi.h"

enum {
	DBCN_WRITE = 0,
	DBCN_READ = 1,
};

static struct {
	bool has_dbcn;
} console;

static bool init(void)
{
	console.has_dbcn = sbi_has(SBI_DBCN);
	return console.has_dbcn || sbi_has(SBI_LEGACY_PUTCHAR);
}

static void write(const char *bytes, size_t n)
{
	/* A write may be partial; an error will not get better. */
	while (console.has_dbcn && n > 0) {
		struct sbi_ret r = sbi_call(SBI_DBCN, DBCN_WRITE, n,
					    (uintptr_t)bytes, 0, 0, 0);

		if (r.error)
			return;
		bytes += r.value;
		n -= (size_t)r.value;
	}
	for (size_t i = 0; i < n; i++)
		(void)sbi_call(SBI_LEGACY_PUTCHAR, 0, (unsigned char)bytes[i],
			       0, 0, 0, 0);
}

static int read(void)
{
	struct sbi_ret r;
	unsigned char c;

	if (console.has_dbcn) {
		r = sbi_call(SBI_DBCN, DBCN_READ, 1, (uintptr_t)&c, 0, 0, 0);
		return r.error || r.value != 1 ? -1 : c;
	}
	r = sbi_call(SBI_LEGACY_GETCHAR, 0, 0, 0, 0, 0, 0);
	return (int)r.error;
}

extern const struct console console_sbi;
const struct console console_sbi = {
	.name = "sbi",
	.init = init,
	.write = write,
	.read = read,
};
