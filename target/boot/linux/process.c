/* The process: its options, its CPU, its exit. */
#include <string.h>

#include "common/wire.h"
#include "target/boot/linux/linux.h"

enum {
	STDERR = 2,
	MAX_CPUS = 4096,
	BITS = 64,
	PRIO_PROCESS = 0,
	HIGHEST_PRIORITY = -20,
	CLOCK_MONOTONIC_RAW = 4,
	NS_PER_S = 1000 * 1000 * 1000,
	AT_FDCWD = -100,
};

static struct {
	uint64_t mask[MAX_CPUS / BITS];
	uint32_t cpu;
	bool pinned;
} process;

static void put(const char *s)
{
	(void)linux_call(LINUX_WRITE, STDERR, (long)s, (long)strlen(s), 0, 0,
			 0);
}

void linux_complain(const char *what, const char *name, const char *expected)
{
	put("runtime: ");
	put(what);
	put(*name ? " " : "");
	put(name);
	put(": expected ");
	put(expected);
	put("\n");
}

static bool parse_cpu(const char *s, uint32_t *ret_cpu)
{
	uint32_t cpu = 0;

	if (*s == '\0')
		return false;
	for (; *s != '\0'; s++) {
		if (*s < '0' || *s > '9')
			return false;
		cpu = cpu * 10 + (uint32_t)(*s - '0');
		if (cpu >= MAX_CPUS)
			return false;
	}
	*ret_cpu = cpu;
	return true;
}

bool linux_parse(char **argv, struct linux_options *ret)
{
	struct linux_options o = { .pack = NULL };

	for (; *argv; argv++) {
		if (strcmp(*argv, "--cpu") == 0) {
			argv++;
			if (!*argv || !parse_cpu(*argv, &o.cpu)) {
				linux_complain("--cpu", *argv ? *argv : "",
					       "a number below 4096");
				return false;
			}
			o.pin = true;
		} else if (!o.pack && **argv != '-') {
			o.pack = *argv;
		} else {
			linux_complain("argument", *argv, "[--cpu N] PACKFILE");
			return false;
		}
	}
	if (!o.pack) {
		linux_complain("arguments", "", "[--cpu N] PACKFILE");
		return false;
	}
	*ret = o;
	return true;
}

/* Without a requested CPU the process stays where it started: cores of one
 * machine may differ, and a visit on two kinds would be a mixture. */
bool linux_settle(const struct linux_options *o)
{
	uint32_t cpu = o->cpu;

	if (!o->pin && linux_call(LINUX_GETCPU, (long)&cpu, 0, 0, 0, 0, 0) < 0)
		cpu = MAX_CPUS;
	if (cpu < MAX_CPUS) {
		process.mask[cpu / BITS] = UINT64_C(1) << (cpu % BITS);
		process.pinned = linux_call(LINUX_SCHED_SETAFFINITY, 0,
					    sizeof(process.mask),
					    (long)process.mask, 0, 0, 0) >= 0;
		process.cpu = cpu;
	}
	if (o->pin && !process.pinned) {
		linux_complain("--cpu", "", "a CPU this process may run on");
		return false;
	}
	(void)linux_call(LINUX_SETPRIORITY, PRIO_PROCESS, 0, HIGHEST_PRIORITY,
			 0, 0, 0);
	return true;
}

uint64_t boot_time_ns(void)
{
	uint64_t t[2] = { 0, 0 };

	(void)linux_call(LINUX_CLOCK_GETTIME, CLOCK_MONOTONIC_RAW, (long)t, 0,
			 0, 0, 0);
	return t[0] * NS_PER_S + t[1];
}

long linux_read_file(const char *path, char *bytes, size_t n)
{
	long fd = linux_call(LINUX_OPENAT, AT_FDCWD, (long)path, 0, 0, 0, 0);

	if (fd < 0)
		return fd;

	long ret = linux_call(LINUX_READ, fd, (long)bytes, (long)n, 0, 0, 0);

	(void)linux_call(LINUX_CLOSE, fd, 0, 0, 0, 0, 0);
	return ret;
}

/* The value of a line "key<blanks>: value" in /proc/cpuinfo. */
static void describe_cpuinfo(struct wire_line *w, const char *key)
{
	enum { ROOM = 2048 };
	char text[ROOM];
	long n = linux_read_file("/proc/cpuinfo", text, ROOM - 1);

	if (n <= 0)
		return;
	text[n] = '\0';

	char *at = strstr(text, key);
	char *colon = at ? strchr(at, ':') : NULL;
	char *end = colon ? strchr(colon, '\n') : NULL;

	if (!end || colon[1] != ' ')
		return;
	*end = '\0';
	wire_word(w, key, colon + 2);
}

void boot_describe(struct wire_line *w)
{
	/* struct new_utsname: sysname, nodename, release, version, machine,
	 * domainname, 65 bytes each. */
	enum { FIELD = 65, RELEASE = 2, N_FIELDS = 6 };
	char names[N_FIELDS][FIELD];

	wire_word(w, "boot", "linux");
	wire_u64(w, "shared", 1);
	if (linux_call(LINUX_UNAME, (long)names, 0, 0, 0, 0, 0) >= 0)
		wire_word(w, "kernel", names[RELEASE]);
	if (process.pinned)
		wire_u64(w, "pinned", process.cpu);
	if (linux_microcode_key)
		describe_cpuinfo(w, linux_microcode_key);
}

bool boot_is_shared(void)
{
	return true;
}

void boot_exit(int status)
{
	for (;;)
		(void)linux_call(LINUX_EXIT_GROUP, status, 0, 0, 0, 0, 0);
}
