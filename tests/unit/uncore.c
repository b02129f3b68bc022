/* Counters of memory controllers, from a tree that the tests write: its PMU is
 * the kernel's software clock, so that perf really counts. */
#include <linux/perf_event.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/base/folder.h"
#include "host/machine/uncore.h"
#include "tests/unit/unit.h"

enum { WAIT_NS = 20 * 1000 * 1000 };

struct tree {
	struct arena a;
	const char *root;
};

static void put(struct tree *t, const char *file, const char *text)
{
	char *full = arena_printf(&t->a, "%s/sys/bus/event_source/devices/%s",
				  t->root, file);
	FILE *f;

	for (char *at = full + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = '\0';
		(void)mkdir(full, 0700);
		*at = '/';
	}
	f = fopen(full, "we");
	assert_non_null(f);
	(void)fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* As an Intel server describes a controller; a count is a byte. */
static void put_controller(struct tree *t, const char *device)
{
	static const char *const files[][2] = {
		{ "type", "1\n" },
		{ "cpumask", "0\n" },
		{ "format/event", "config:0-7\n" },
		{ "format/umask", "config:8-15\n" },
		{ "events/cas_count_read", "event=0x00,umask=0x0\n" },
		{ "events/cas_count_read.scale", "9.5367431640625e-07\n" },
		{ "events/cas_count_read.unit", "MiB\n" },
		{ "events/cas_count_write", "event=0x00\n" },
		{ "events/cas_count_write.scale", "1.9073486328125e-06\n" },
		{ "events/cas_count_write.unit", "MiB\n" },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		put(t, arena_printf(&t->a, "%s/%s", device, files[i][0]),
		    files[i][1]);
}

static int setup(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));
	struct err e = { .code = ERR_OK, .message = "" };

	assert_non_null(t);
	t->root = folder_open(&t->a, &e);
	assert_non_null(t->root);
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct tree *t = *state;
	char *command = arena_printf(&t->a, "rm -rf '%s'", t->root);

	assert_int_equal(system(command), 0);
	arena_free(&t->a);
	free(t);
	return 0;
}

EACH(setup, teardown);

/* May this process count on a whole CPU? */
static bool perf_permits(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr) };
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0ul);

	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

static double now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Two controllers count twice the nanoseconds; a written one is two bytes. */
TEST_ON(bytes_are_counts_of_all_controllers, struct tree *t)
{
	struct timespec wait = { .tv_nsec = WAIT_NS };
	double from[UNCORE_WAYS], to[UNCORE_WAYS], outer, inner;
	struct uncore u;

	if (!perf_permits())
		skip();
	put_controller(t, "uncore_imc_0");
	put_controller(t, "uncore_imc_1");
	put(t, "software/type", "1\n");
	assert_true(uncore_open(&t->a, t->root, &u));
	assert_int_equal(u.n, 2);
	outer = now_ns();
	assert_true(uncore_read(&u, from));
	inner = now_ns();
	(void)nanosleep(&wait, NULL);
	inner = now_ns() - inner;
	assert_true(uncore_read(&u, to));
	outer = now_ns() - outer;
	for (int i = 0; i < UNCORE_WAYS; i++) {
		double counts = (to[i] - from[i]) / 2 / (1 + i);

		/* Two clocks of the kernel. */
		assert_true(counts > 0.99 * inner && counts < 1.01 * outer);
	}
	uncore_close(&u);
	assert_int_equal(u.n, 0);
}

TEST_ON(without_controllers_there_are_none, struct tree *t)
{
	struct uncore u;

	assert_false(uncore_open(&t->a, t->root, &u));
	put(t, "software/type", "1\n");
	assert_false(uncore_open(&t->a, t->root, &u));
	assert_int_equal(u.n, 0);
}

/* What is described in another way is not guessed. */
TEST_ON(other_descriptions_are_refused, struct tree *t)
{
	static const char *const files[][2] = {
		{ "format/umask", "config1:8-15\n" },
		{ "format/event", "config:0-7,32-35\n" },
		{ "format/event", "config:60-70\n" },
		{ "events/cas_count_read", "event=0x1ff,umask=0x0\n" },
		{ "events/cas_count_read", "event=,umask=0x0\n" },
		{ "events/cas_count_read", "edge=1\n" },
		{ "events/cas_count_read.unit", "Joules\n" },
		{ "events/cas_count_read.scale", "x\n" },
		{ "cpumask", "0-3\n" },
		{ "cpumask", "" },
	};
	struct uncore u;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		put_controller(t, "uncore_imc_0");
		put(t, arena_printf(&t->a, "uncore_imc_0/%s", files[i][0]),
		    files[i][1]);
		assert_false(uncore_open(&t->a, t->root, &u));
		assert_int_equal(u.n, 0);
	}
}
