/* What limits a measurement, as facts and as sentences. */
#include "host/machine/machine.h"

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

void machine_facts(struct arena *a, const struct machine *m, machine_each *each,
		   void *context)
{
	if (machine_has_cpuset(m))
		each(context, "allowed_cpus",
		     arena_printf(a, "%s_of_%zu", list_text(a, &m->allowed),
				  m->online.n));
	if (m->quota > 0)
		each(context, "quota", arena_printf(a, "%.4g", m->quota));
	if (m->container)
		each(context, "container", m->container);
	if (m->governor)
		each(context, "governor", m->governor);
	if (m->turbo)
		each(context, "turbo", m->turbo);
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
