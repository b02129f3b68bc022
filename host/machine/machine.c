/* Reads /proc and /sys; see machine.h. */
#include "host/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- CPUs -------------------------------------------------------------- */

/* Add the CPUs of a list; stops at the first syntax error. */
static void add_list(struct machine_cpus *c, const char *list)
{
	while (list && *list >= '0' && *list <= '9') {
		char *end;
		unsigned long from = strtoul(list, &end, 10), to = from;

		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		for (; from <= to && from < MACHINE_MAX_CPUS; from++) {
			c->n += !c->has[from];
			c->has[from] = true;
		}
		if (*end != ',')
			return;
		list = end + 1;
	}
}

static size_t first_cpu(const struct machine_cpus *c)
{
	size_t i = 0;

	while (i + 1 < MACHINE_MAX_CPUS && !c->has[i])
		i++;
	return c->n ? i : 0;
}

/* The rest of the line that starts with `key`. */
static const char *find_line(const char *text, const char *key)
{
	size_t n = strlen(key);

	while (text && strncmp(text, key, n) != 0) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text ? text + n + strspn(text + n, ": \t") : NULL;
}

static char *cpu_text(struct arena *a, const char *root, size_t cpu,
		      const char *name)
{
	return machine_text(a, root,
			    arena_printf(a, "/sys/devices/system/cpu/cpu%zu/%s",
					 cpu, name));
}

static void read_cpus(struct arena *a, const char *root, struct machine *m)
{
	add_list(&m->online,
		 machine_text(a, root, "/sys/devices/system/cpu/online"));
	add_list(&m->allowed,
		 find_line(machine_text(a, root, "/proc/self/status"),
			   "Cpus_allowed_list"));
	/* The mask may name CPUs that do not exist. */
	for (size_t i = 0; m->online.n && i < MACHINE_MAX_CPUS; i++)
		if (m->allowed.has[i] && !m->online.has[i]) {
			m->allowed.has[i] = false;
			m->allowed.n--;
		}
	m->threads = m->allowed;
	for (size_t i = 0; i < MACHINE_MAX_CPUS; i++)
		if (m->allowed.has[i])
			add_list(&m->threads,
				 cpu_text(a, root, i,
					  "topology/thread_siblings_list"));
}

/* ---- container, hypervisor, frequency, counters ------------------------ */

static bool exists(struct arena *a, const char *root, const char *path)
{
	return access(arena_printf(a, "%s%s", root, path), R_OK) == 0;
}

static const char *find_container(struct arena *a, const char *root)
{
	static const struct {
		const char *part, *name;
	} groups[] = {
		{ "kubepods", "kubernetes" },   { "docker", "docker" },
		{ "libpod", "podman" },         { "/lxc", "lxc" },
		{ "containerd", "containerd" },
	};
	const char *name = machine_text(a, root, "/run/systemd/container");
	const char *group = machine_text(a, root, "/proc/self/cgroup");

	if (name && *name)
		return name;
	if (exists(a, root, "/.dockerenv"))
		return "docker";
	if (exists(a, root, "/run/.containerenv"))
		return "podman";
	for (size_t i = 0; group && i < ARRAY_LEN(groups); i++)
		if (strstr(group, groups[i].part))
			return groups[i].name;
	return NULL;
}

static const char *find_hypervisor(struct arena *a, const char *root)
{
	const char *name = machine_text(a, root, "/sys/hypervisor/type");
	const char *flags;

	if (name && *name)
		return name;
	name = machine_text(a, root, "/proc/device-tree/hypervisor/compatible");
	if (name && *name)
		return name;
	/* A flag of the core says so, too. */
	flags = find_line(machine_text(a, root, "/proc/cpuinfo"), "flags");
	if (flags)
		flags = arena_printf(a, "%.*s ", (int)strcspn(flags, "\n"),
				     flags);
	if (!flags || !strstr(flags, " hypervisor "))
		return NULL;
	name = machine_text(a, root, "/sys/class/dmi/id/sys_vendor");
	return name && *name ? name : "yes";
}

/* Two drivers of cpufreq, one with the opposite meaning. */
static const char *find_turbo(struct arena *a, const char *root)
{
	const char *boost =
		machine_text(a, root, "/sys/devices/system/cpu/cpufreq/boost");
	const char *off = machine_text(
		a, root, "/sys/devices/system/cpu/intel_pstate/no_turbo");

	if (boost)
		return strcmp(boost, "0") == 0 ? "off" : "on";
	if (off)
		return strcmp(off, "0") == 0 ? "on" : "off";
	return NULL;
}

/* Core counters are a device of perf whose name depends on the core. */
static bool find_counters(struct arena *a, const char *root)
{
	static const char *const names[] = {
		"cpu",
		"cpu_core",
		"armv8_pmuv3",
		"armv8_pmuv3_0",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (exists(a, root,
			   arena_printf(a,
					"/sys/bus/event_source/devices/%s/type",
					names[i])))
			return true;
	return false;
}

void machine_read(struct arena *a, const char *root, struct machine *ret)
{
	const char *paranoid =
		machine_text(a, root, "/proc/sys/kernel/perf_event_paranoid");

	memset(ret, 0, sizeof(*ret));
	read_cpus(a, root, ret);
	machine_find_quota(a, root, ret);
	ret->container = find_container(a, root);
	ret->hypervisor = find_hypervisor(a, root);
	ret->governor = cpu_text(a, root, first_cpu(&ret->allowed),
				 "cpufreq/scaling_governor");
	ret->turbo = find_turbo(a, root);
	ret->has_counters = find_counters(a, root);
	ret->paranoid =
		paranoid ? (int)strtol(paranoid, NULL, 10) : MACHINE_UNKNOWN;
}

/* ---- ticks ------------------------------------------------------------- */

/* "cpu3 user nice system idle iowait irq softirq steal ..."; proc(5).  Guest
 * time is in user time, too. */
static bool parse_ticks(const char *line, struct machine_ticks *ret)
{
	double v[8] = { 0 };

	if (sscanf(line, "%*s %lf %lf %lf %lf %lf %lf %lf %lf", &v[0], &v[1],
		   &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]) < 4)
		return false;
	*ret = (struct machine_ticks){
		.busy = v[0] + v[1] + v[2] + v[5] + v[6],
		.idle = v[3] + v[4],
		.stolen = v[7],
	};
	return true;
}

bool machine_load_read(const char *root, struct machine_load *ret)
{
	struct arena a = { 0 };
	char *text = machine_text(&a, root, "/proc/stat"), *line;
	bool found = false;

	memset(ret, 0, sizeof(*ret));
	while ((line = strsep(&text, "\n")) != NULL) {
		unsigned long cpu;

		if (strncmp(line, "cpu", 3) != 0)
			break;
		if (line[3] == ' ') {
			found = parse_ticks(line, &ret->all);
			continue;
		}
		cpu = strtoul(line + 3, NULL, 10);
		if (cpu < MACHINE_MAX_CPUS)
			(void)parse_ticks(line, &ret->cpu[cpu]);
	}
	arena_free(&a);
	return found;
}

/* Ticks between two readings; they never run backwards. */
static struct machine_ticks between(const struct machine_ticks *from,
				    const struct machine_ticks *to)
{
	struct machine_ticks t = {
		.busy = to->busy - from->busy,
		.idle = to->idle - from->idle,
		.stolen = to->stolen - from->stolen,
	};

	t.busy = t.busy > 0 ? t.busy : 0;
	t.idle = t.idle > 0 ? t.idle : 0;
	t.stolen = t.stolen > 0 ? t.stolen : 0;
	return t;
}

double machine_stolen(const struct machine_load *from,
		      const struct machine_load *to)
{
	struct machine_ticks t = between(&from->all, &to->all);
	double all = t.busy + t.idle + t.stolen;

	return all > 0 ? t.stolen / all : 0;
}

double machine_siblings_busy(const struct machine *m,
			     const struct machine_load *from,
			     const struct machine_load *to)
{
	double busy = 0, all = 0;

	for (size_t i = 0; i < MACHINE_MAX_CPUS; i++) {
		struct machine_ticks t;

		if (!m->threads.has[i] || m->allowed.has[i])
			continue;
		t = between(&from->cpu[i], &to->cpu[i]);
		busy += t.busy;
		all += t.busy + t.idle + t.stolen;
	}
	return all > 0 ? busy / all : 0;
}

/* ---- what limits a measurement ------------------------------------------ */

bool machine_is_throttled(const struct machine *m, size_t n)
{
	return m->quota > 0 && m->quota < (double)n;
}

bool machine_has_cpuset(const struct machine *m)
{
	return m->allowed.n > 0 && m->allowed.n < m->online.n;
}

/* "0-3,8" */
static const char *list_text(struct arena *a, const struct machine_cpus *c)
{
	const char *text = "";

	for (size_t i = 0; i < MACHINE_MAX_CPUS; i++) {
		size_t last = i;

		if (!c->has[i])
			continue;
		while (last + 1 < MACHINE_MAX_CPUS && c->has[last + 1])
			last++;
		text = arena_printf(a, "%s%s%zu", text, *text ? "," : "", i);
		if (last > i)
			text = arena_printf(a, "%s-%zu", text, last);
		i = last;
	}
	return text;
}

const struct machine_fact *machine_facts(struct arena *a,
					 const struct machine *m)
{
	const struct machine_fact facts[] = {
		{ "allowed_cpus",
		  machine_has_cpuset(m)
			  ? arena_printf(a, "%s_of_%zu",
					 list_text(a, &m->allowed), m->online.n)
			  : NULL },
		{ "quota",
		  m->quota > 0 ? arena_printf(a, "%.4g", m->quota) : NULL },
		{ "container", m->container },
		{ "governor", m->governor },
		{ "turbo", m->turbo },
		{ NULL, NULL },
	};

	return arena_copy(a, facts, sizeof(facts));
}

const char *const *machine_warnings(struct arena *a, const struct machine *m,
				    size_t n_cores)
{
	enum { MOST = 4 };
	const char **list = ARENA_ARRAY(a, const char *, MOST);
	size_t n = 0;

	if (machine_is_throttled(m, n_cores))
		list[n++] = arena_printf(
			a,
			"a quota of %.3g CPUs (%s) is less than the %zu that "
			"measure: they are stopped for parts of each period, "
			"which takes longer and disturbs visits",
			m->quota, m->quota_file, n_cores);
	if (machine_has_cpuset(m))
		list[n++] = arena_printf(
			a,
			"only CPUs %s of %zu may be used (affinity or cpuset)",
			list_text(a, &m->allowed), m->online.n);
	if (m->container)
		list[n++] = arena_printf(
			a,
			"inside a container (%s): what runs outside it is not "
			"visible and may disturb",
			m->container);
	list[n] = NULL;
	return list;
}
