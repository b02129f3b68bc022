/* Conditions of this machine; see doctor_machine.h. */
#include "host/cli/doctor_machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/base/print.h"
#include "host/campaign/forecast.h"
#include "host/isa/identity.h"
#include "host/machine/machine.h"

enum { WATCH_NS = 500 * 1000 * 1000 };

/* Of measuring, for the forecast. */
static const double part_seconds = 2;

/* More stolen time than this is worth a mark: a visit takes milliseconds, so
 * one in a hundred of them is disturbed. */
static const double much_stolen = 0.01;
/* A sibling that is busy so often disturbs most visits. */
static const double much_busy = 0.1;

static void PRINTF_LIKE(2, 3) say(bool good, const char *format, ...)
{
	va_list args;

	printf("  %-4s ", good ? "ok" : "--");
	va_start(args, format);
	(void)vprintf(format, args);
	va_end(args);
	(void)putchar('\n');
}

static void say_cpus(const struct machine *m)
{
	bool cpuset = machine_has_cpuset(m);

	if (m->online.n == 0 || m->allowed.n == 0)
		say(false, "CPUs: /sys or /proc does not list them");
	else
		say(!cpuset, "CPUs: %zu online, %zu may be used here%s",
		    m->online.n, m->allowed.n,
		    cpuset ? " (affinity mask or cpuset)" : "");
	if (m->quota > 0)
		say(!machine_is_throttled(m, m->allowed.n),
		    "quota: %.3g CPUs (%s)", m->quota, m->quota_file);
	else
		say(true, "quota: none");
	say(!m->container, "container: %s%s",
	    m->container ? m->container : "none",
	    m->container ? "; what runs outside it is not visible here" : "");
}

static void say_counters(const struct machine *m)
{
	if (!m->has_counters)
		say(false, "core counters: the kernel has no driver for them; "
			   "a reference clock and calibration replace them");
	else if (m->paranoid != MACHINE_UNKNOWN && m->paranoid > 2)
		say(false,
		    "core counters: perf_event_paranoid is %d; 2 or less "
		    "permits them",
		    m->paranoid);
	else
		say(true, "core counters: by perf");
}

static void say_frequency(const struct machine *m)
{
	bool steady = m->governor && strcmp(m->governor, "performance") == 0;
	bool off = m->turbo && strcmp(m->turbo, "off") == 0;

	if (m->governor)
		say(steady, "frequency: governor %s%s", m->governor,
		    steady ? "" : "; performance is steadier");
	else
		say(true, "frequency: not controlled by this system");
	if (m->turbo)
		say(off, "turbo: %s%s", m->turbo,
		    off ? "" : "; the clock depends on load and heat");
	say(!m->hypervisor, "hypervisor: %s%s",
	    m->hypervisor ? m->hypervisor : "no sign of one",
	    m->hypervisor ? "; its other guests are not visible here" : "");
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
	    "steal: the hypervisor took %.1f %% of the last half second",
	    100 * stolen);
	if (m->threads.n == 0)
		return;
	busy = machine_siblings_busy(m, &l[0], &l[1]);
	if (n_siblings == 0)
		say(busy <= much_busy,
		    "SMT siblings: none outside the usable CPUs");
	else
		say(busy <= much_busy,
		    "SMT siblings: %zu outside the usable CPUs, busy %.0f %% "
		    "of the time",
		    n_siblings, 100 * busy);
}

static void say_core(struct arena *a)
{
	struct identified i = identify_host(a);
	const char *name = i.core ? i.core->name : i.cpu;

	if (i.doubtful)
		say(false,
		    "core: probably %s (%s); its numbers: %s; --cpu names "
		    "another",
		    name, i.cpu, *i.says ? i.says : "unknown");
	else
		say(true, "core: %s (%s), %s", name, i.cpu, i.says);
}

void doctor_machine(struct arena *a)
{
	struct machine m;

	machine_read(a, "", &m);
	printf("this machine\n");
	say_core(a);
	say_cpus(&m);
	say_counters(&m);
	say_frequency(&m);
	say_load(a, &m);
}

/* ---- the forecast ------------------------------------------------------ */

static void say_clock(const struct forecast *f)
{
	say(f->core_clock, "clock: %s (counters: %s)%s",
	    f->core_clock ? "cycles of the core"
			  : "reference, of constant rate",
	    *f->counters ? f->counters : "unknown",
	    f->core_clock ? ""
			  : "; more visits, and some values are intervals");
}

static double share(size_t n, size_t of)
{
	return of ? 100.0 * (double)n / (double)of : 0;
}

int doctor_forecast(const struct campaign_request *q, struct err *e)
{
	struct forecast f;

	if (forecast_make(q, part_seconds, &f, e) != ERR_OK)
		return e->code;
	printf("forecast: an estimate from %zu kernel%s of the default set, "
	       "measured for %.1f s\n",
	       f.n_part, PLURAL(f.n_part), f.seconds);
	say_clock(&f);
	printf("       time: %.0f to %.0f s: %zu kernels, %.1f to %.1f visits "
	       "of "
	       "each, %.0f visits a second on %zu core%s, %.0f s to plan\n",
	       f.least_seconds, f.most_seconds, f.n_kernels, f.first_visits,
	       f.all_visits > f.first_visits ? f.all_visits : f.first_visits,
	       f.rate, f.n_cores, PLURAL(f.n_cores), f.plan_seconds);
	if (!forecast_has_rounds(&f)) {
		say(false, "values: the time was over before each kernel had "
			   "its visits, so nothing is known of them; the "
			   "machine is busy, and the time above is rough");
		return ERR_OK;
	}
	printf("       values: visits of %.0f %% of these kernels agree; %.0f "
	       "%% "
	       "of %zu values are exact, the others intervals or missing; "
	       "those of the whole set are tighter\n",
	       share(f.n_settled, f.n_part), share(f.n_exact, f.n_values),
	       f.n_values);
	return ERR_OK;
}
