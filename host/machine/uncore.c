#include "host/machine/uncore.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/machine/machine.h"

#define DEVICES "/sys/bus/event_source/devices"

enum { CONFIG_BITS = 64 };

/* Names of the events in sysfs: of server and of client controllers. */
static const char *const names[][UNCORE_WAYS] = {
	{ "cas_count_read", "cas_count_write" },
	{ "data_reads", "data_writes" },
};

struct finder {
	struct arena *a;
	const char *root;
	struct uncore *u;
};

static char *device_text(const struct finder *f, const char *device,
			 const char *file)
{
	return machine_text(f->a, f->root,
			    arena_printf(f->a, DEVICES "/%s/%s", device, file));
}

/* ---- an event ----------------------------------------------------------- */

/* Put a value into the bits that the file format/TERM names, "config:8-15". */
static bool put_term(const struct finder *f, const char *device,
		     const char *term, uint64_t value, uint64_t *config)
{
	const char *bits =
		device_text(f, device, arena_printf(f->a, "format/%s", term));
	unsigned long from, to;
	char *end;

	if (!bits || strncmp(bits, "config:", 7) != 0)
		return false;
	from = to = strtoul(bits + 7, &end, 10);
	if (*end == '-')
		to = strtoul(end + 1, &end, 10);
	if (*end || to < from || to >= CONFIG_BITS ||
	    (to - from + 1 < CONFIG_BITS && value >> (to - from + 1)))
		return false;
	*config |= value << from;
	return true;
}

/* "event=0x04,umask=0x03" */
static bool parse_event(const struct finder *f, const char *device, char *text,
			uint64_t *config)
{
	char *rest = text, *term;

	*config = 0;
	while ((term = strsep(&rest, ",")) != NULL) {
		char *value = strchr(term, '='), *end;
		uint64_t number = 1;

		if (value) {
			*value++ = '\0';
			number = strtoull(value, &end, 0);
			if (!*value || *end)
				return false;
		}
		if (!put_term(f, device, term, number, config))
			return false;
	}
	return true;
}

/* Bytes of a count; 0: unknown. */
static double bytes_of(const struct finder *f, const char *device,
		       const char *event)
{
	const double mib = 1 << 20;
	const char *unit = device_text(
		f, device, arena_printf(f->a, "events/%s.unit", event));
	const char *scale = device_text(
		f, device, arena_printf(f->a, "events/%s.scale", event));

	if (!unit || !scale || strcmp(unit, "MiB") != 0)
		return 0;
	return strtod(scale, NULL) * mib;
}

static int open_event(uint32_t type, uint64_t config, int cpu)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

/* ---- a device ----------------------------------------------------------- */

/* Both counters of a device, through one CPU. */
static bool open_pair(struct uncore *u, uint32_t type,
		      const uint64_t config[UNCORE_WAYS],
		      const double bytes[UNCORE_WAYS], int cpu)
{
	size_t i = u->n;

	if (i == UNCORE_MAX)
		return false;
	u->at[i].fd[UNCORE_READ] = open_event(type, config[UNCORE_READ], cpu);
	u->at[i].fd[UNCORE_WRITTEN] =
		open_event(type, config[UNCORE_WRITTEN], cpu);
	memcpy(u->at[i].bytes, bytes, sizeof(u->at[i].bytes));
	u->n++;
	return u->at[i].fd[UNCORE_READ] >= 0 &&
	       u->at[i].fd[UNCORE_WRITTEN] >= 0;
}

/* On one CPU of each socket: "0,56". */
static bool open_device(const struct finder *f, const char *device,
			const char *const event[UNCORE_WAYS])
{
	const char *type = device_text(f, device, "type");
	char *cpus = device_text(f, device, "cpumask");
	uint64_t config[UNCORE_WAYS];
	double bytes[UNCORE_WAYS];
	char *cpu;

	for (int i = 0; i < UNCORE_WAYS; i++) {
		char *text = device_text(
			f, device, arena_printf(f->a, "events/%s", event[i]));

		bytes[i] = bytes_of(f, device, event[i]);
		if (!text || bytes[i] <= 0 ||
		    !parse_event(f, device, text, &config[i]))
			return false;
	}
	if (!type || !cpus)
		return false;
	while ((cpu = strsep(&cpus, ",")) != NULL) {
		char *end;
		long number = strtol(cpu, &end, 10);

		if (end == cpu || *end ||
		    !open_pair(f->u, (uint32_t)strtoul(type, NULL, 10), config,
			       bytes, (int)number))
			return false;
	}
	return true;
}

static const char *const *events_of(const struct finder *f, const char *device)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (device_text(f, device,
				arena_printf(f->a, "events/%s", names[i][0])))
			return names[i];
	return NULL;
}

/* ---- all ---------------------------------------------------------------- */

bool uncore_open(struct arena *a, const char *root, struct uncore *ret)
{
	struct finder f = { a, root, ret };
	DIR *d = opendir(arena_printf(a, "%s" DEVICES, root));
	const struct dirent *entry;
	bool ok = true;

	ret->n = 0;
	while (d && ok && (entry = readdir(d)) != NULL) {
		const char *const *event =
			entry->d_name[0] == '.' ? NULL
						: events_of(&f, entry->d_name);

		if (event)
			ok = open_device(&f, entry->d_name, event);
	}
	if (d)
		(void)closedir(d);
	if (!ok)
		uncore_close(ret);
	return ret->n > 0;
}

void uncore_close(struct uncore *u)
{
	for (size_t i = 0; i < u->n; i++)
		for (int k = 0; k < UNCORE_WAYS; k++)
			if (u->at[i].fd[k] >= 0)
				(void)close(u->at[i].fd[k]);
	u->n = 0;
}

bool uncore_read(const struct uncore *u, double bytes[UNCORE_WAYS])
{
	double sums[UNCORE_WAYS] = { 0, 0 };

	for (size_t i = 0; i < u->n; i++)
		for (int k = 0; k < UNCORE_WAYS; k++) {
			/* The count, and for how long it was wanted and ran. */
			uint64_t v[3];

			if (read(u->at[i].fd[k], v, sizeof(v)) !=
				    (ssize_t)sizeof(v) ||
			    v[1] != v[2])
				return false;
			sums[k] += (double)v[0] * u->at[i].bytes[k];
		}
	memcpy(bytes, sums, sizeof(sums));
	return u->n > 0;
}
