/* Conditions of this machine; see doctor_machine.h. */
#include "host/cli/doctor_machine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/machine/machine.h"

enum { WATCH_NS = 500 * 1000 * 1000 };

/* More stolen time than this is worth a mark: a visit takes milliseconds, so
 * one in a hundred of them is disturbed. */
static const double much_stolen = 0.01;
/* A sibling that is busy so often disturbs most visits. */
static const double much_busy = 0.1;

static void say(bool good, const char *text)
{
	printf("  %-4s %s\n", good ? "ok" : "--", text);
}

static void say_cpus(struct arena *a, const struct machine *m)
{
	if (m->online.n == 0 || m->allowed.n == 0)
		say(false, "CPUs: /sys or /proc does not list them");
	else
		say(!machine_has_cpuset(m),
		    arena_printf(a, "CPUs: %zu online, %zu may be used here%s",
				 m->online.n, m->allowed.n,
				 machine_has_cpuset(m)
					 ? " (affinity mask or cpuset)"
					 : ""));
	if (m->quota > 0)
		say(!machine_is_throttled(m, m->allowed.n),
		    arena_printf(a, "quota: %.3g CPUs (%s)", m->quota,
				 m->quota_file));
	else
		say(true, "quota: none");
	say(!m->container,
	    m->container
		    ? arena_printf(a,
				   "container: %s; what runs outside it is not "
				   "visible here",
				   m->container)
		    : "container: none");
}

static void say_counters(struct arena *a, const struct machine *m)
{
	if (!m->has_counters)
		say(false, "core counters: the kernel has no driver for them; "
			   "a reference clock and calibration replace them");
	else if (m->paranoid != MACHINE_UNKNOWN && m->paranoid > 2)
		say(false, arena_printf(a,
					"core counters: perf_event_paranoid is "
					"%d; 2 or less permits them",
					m->paranoid));
	else
		say(true, "core counters: by perf");
}

static void say_frequency(struct arena *a, const struct machine *m)
{
	if (!m->governor)
		say(true, "frequency: not controlled by this system");
	else
		say(strcmp(m->governor, "performance") == 0,
		    arena_printf(a, "frequency: governor %s%s", m->governor,
				 strcmp(m->governor, "performance") == 0
					 ? ""
					 : "; performance is steadier"));
	if (m->turbo)
		say(strcmp(m->turbo, "off") == 0,
		    arena_printf(a, "turbo: %s%s", m->turbo,
				 strcmp(m->turbo, "off") == 0
					 ? ""
					 : "; the clock depends on load and "
					   "heat"));
	say(!m->hypervisor,
	    m->hypervisor ? arena_printf(a,
					 "hypervisor: %s; its other guests are "
					 "not visible here",
					 m->hypervisor)
			  : "hypervisor: no sign of one");
}

static void say_load(struct arena *a, const struct machine *m)
{
	/* Too large for the stack. */
	struct machine_load *l = ARENA_ARRAY(a, struct machine_load, 2);
	size_t n_siblings = m->threads.n - m->allowed.n;
	double stolen, busy;

	if (!machine_load_read("", &l[0])) {
		say(false, "steal: /proc/stat cannot be read");
		return;
	}
	(void)nanosleep(&(struct timespec){ .tv_nsec = WATCH_NS }, NULL);
	if (!machine_load_read("", &l[1]))
		return;
	stolen = machine_stolen(&l[0], &l[1]);
	say(stolen <= much_stolen,
	    arena_printf(a,
			 "steal: the hypervisor took %.1f %% of the last half "
			 "second",
			 100 * stolen));
	if (m->threads.n == 0)
		return;
	busy = machine_siblings_busy(m, &l[0], &l[1]);
	say(busy <= much_busy,
	    n_siblings == 0
		    ? "SMT siblings: none outside the usable CPUs"
		    : arena_printf(a,
				   "SMT siblings: %zu outside the usable CPUs, "
				   "busy %.0f %% of the time",
				   n_siblings, 100 * busy));
}

void doctor_machine(struct arena *a)
{
	struct machine m;

	machine_read(a, "", &m);
	printf("this machine\n");
	say_cpus(a, &m);
	say_counters(a, &m);
	say_frequency(a, &m);
	say_load(a, &m);
}
