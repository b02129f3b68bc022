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

static void append(char *text, const char *more)
{
	(void)memcpy(text + strlen(text), more, strlen(more) + 1);
}

static void add_number(char *text, uint32_t number)
{
	char digits[12];
	size_t n = sizeof(digits) - 1;

	digits[n] = '\0';
	do
		digits[--n] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	append(text, digits + n);
}

/* The paragraph of this CPU in /proc/cpuinfo; the first if it has none. */
static const char *find_paragraph(const char *text)
{
	char line[32] = "processor\t: ";
	const char *at;

	add_number(line, process.cpu);
	append(line, "\n");
	at = process.pinned ? strstr(text, line) : NULL;
	return at ? at : text;
}

/* The value of a line "key<blanks>: value". */
static void describe_line(struct wire_line *w, const char *paragraph,
			  const char *key)
{
	enum { ROOM = 256 };
	char value[ROOM] = "";
	const char *at = strstr(paragraph, key);
	const char *colon = at ? strchr(at, ':') : NULL;

	if (!colon || colon[1] != ' ')
		return;
	colon += 2;
	for (size_t i = 0; i < ROOM - 1 && colon[i] && colon[i] != '\n'; i++)
		value[i] = colon[i];
	wire_word(w, key, value);
}

static void describe_cpuinfo(struct wire_line *w)
{
	/* Paragraphs of 40 to 200 CPUs. */
	enum { ROOM = 64 << 10 };
	static char text[ROOM];
	long n = linux_read_file("/proc/cpuinfo", text, ROOM - 1);

	if (n <= 0)
		return;
	text[n] = '\0';
	for (size_t i = 0; linux_cpuinfo_keys[i]; i++)
		describe_line(w, find_paragraph(text), linux_cpuinfo_keys[i]);
}

/* A number such as 0x410fd4f0. */
static bool parse_hex(const char *s, uint64_t *ret)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t number = 0;

	if (s[0] != '0' || s[1] != 'x')
		return false;
	for (s += 2; *s != '\0' && *s != '\n'; s++) {
		const char *digit = strchr(digits, *s);

		if (!digit)
			return false;
		number = number << 4 | (uint64_t)(digit - digits);
	}
	*ret = number;
	return true;
}

static void describe_id(struct wire_line *w)
{
	enum { ROOM = 128 };
	char path[ROOM] = "/sys/devices/system/cpu/cpu", text[ROOM];
	uint64_t id;
	long n;

	if (!linux_id_key || !process.pinned)
		return;
	add_number(path, process.cpu);
	append(path, "/");
	append(path, linux_id_file);
	n = linux_read_file(path, text, ROOM - 1);
	text[n > 0 ? n : 0] = '\0';
	if (n > 0 && parse_hex(text, &id))
		wire_hex(w, linux_id_key, id);
}

/* The machine-id is confidential (machine-id(5)), so its hash is reported:
 * FNV-1a of 64 bits. */
static void describe_machine(struct wire_line *w)
{
	enum { DIGITS = 32 };
	char text[DIGITS];
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	if (linux_read_file("/etc/machine-id", text, DIGITS) != DIGITS)
		return;
	for (size_t i = 0; i < DIGITS; i++)
		hash = (hash ^ (unsigned char)text[i]) *
		       UINT64_C(0x100000001b3);
	wire_hex(w, "machine_id", hash);
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
	describe_cpuinfo(w);
	describe_id(w);
	describe_machine(w);
}

/* The host that starts the process knows. */
void boot_describe_image(struct wire_line *w)
{
	(void)w;
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
