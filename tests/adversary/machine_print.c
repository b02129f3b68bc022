/* A machine in short words; see machine.h. */
#include "tests/adversary/machine.h"

static const double us = 1e3, ms = 1e6, s = 1e9;

static const char *const width_names[N_WIDTHS] = { "general", "128", "256",
						   "512" };
static const char *const probe_names[] = { "sibling", "wide", "load" };

static void print_ns(double ns, FILE *out)
{
	if (ns < us)
		fprintf(out, "%.3g ns", ns);
	else if (ns < ms)
		fprintf(out, "%.3g us", ns / us);
	else if (ns < s)
		fprintf(out, "%.3g ms", ns / ms);
	else
		fprintf(out, "%.3g s", ns / s);
}

/* `words` and then a time. */
static void print_time(const char *words, double ns, FILE *out)
{
	fputs(words, out);
	print_ns(ns, out);
}

static void print_cores(const struct machine *m, FILE *out)
{
	fprintf(out, "tsc %.2f GHz", m->tsc_ghz);
	print_time(" step ", m->step_ns, out);
	for (unsigned i = 0; i < m->n_cores; i++) {
		const struct core_parameters *p = &m->core[i];

		fprintf(out, "; core %.2f GHz reading %.0f", p->ghz,
			p->reading_cycles);
		if (!machine_has_sibling(m))
			continue;
		fprintf(out, " sibling %.0f %%", 100 * p->sibling_busy);
		print_time(" x ", p->sibling_ns, out);
	}
}

static void print_states(const struct machine *m, FILE *out)
{
	for (unsigned w = 0; w < N_WIDTHS; w++) {
		const struct state_parameters *p = &m->states[w];

		if (!machine_has(m, DISTURB_STATES) || p->n == 1)
			continue;
		fprintf(out, "; states %s%s %.0f %% fast", width_names[w],
			p->own ? " own" : "", 100 * p->fast);
		print_time(" x ", p->dwell_ns[0], out);
		for (unsigned i = 1; i < p->n; i++) {
			fprintf(out, ", %.2f", p->slow[i]);
			print_time(" x ", p->dwell_ns[i], out);
		}
	}
}

static void print_wide(const struct machine *m, FILE *out)
{
	if (machine_has(m, DISTURB_STALL)) {
		print_time("; stall ", m->after_stall_ns, out);
		print_time(" after ", m->after_ns, out);
	}
	if (machine_has(m, DISTURB_SLEEP)) {
		fprintf(out, "; sleep x %.1f", m->asleep);
		print_time(" after ", m->doze_ns, out);
		print_time(" for ", m->stay_ns, out);
	}
	if (machine_has(m, DISTURB_LOADS)) {
		fprintf(out, "; loads x %.2f%s", m->loads_slow,
			m->sibling_wide ? " sibling" : "");
		print_time(" for ", m->settle_ns, out);
	}
	if (machine_has(m, DISTURB_LICENCE)) {
		fprintf(out, "; licence -%.0f %% -%.0f %%",
			100 * m->licence_slow[1], 100 * m->licence_slow[2]);
		print_time(" for ", m->licence_ns, out);
	}
}

void machine_print(const struct machine *m, FILE *out)
{
	print_cores(m, out);
	if (machine_has(m, DISTURB_NEVER))
		fputs("; never silent", out);
	if (machine_has(m, DISTURB_DRIFT)) {
		fprintf(out, "; drift %.1f+%.1f %%", 100 * m->drift_sine,
			100 * m->drift_walk);
		print_time(" x ", m->drift_ns, out);
	}
	if (machine_has(m, DISTURB_PREEMPT)) {
		print_time("; preempt ", m->preempt_ns, out);
		print_time(" each ", m->preempt_gap_ns, out);
	}
	if (machine_has(m, DISTURB_STORM)) {
		print_time("; storm ", m->storm_ns, out);
		print_time(" each ", m->storm_gap_ns, out);
		print_time(" of ", m->stall_ns, out);
	}
	if (machine_has(m, DISTURB_JUMP))
		fprintf(out, "; jump %.1g", m->jump);
	print_states(m, out);
	print_wide(m, out);
	if (machine_has(m, DISTURB_PROBE)) {
		fprintf(out, "; %s probe x %.2f", probe_names[m->wrong.probe],
			m->wrong.slow);
		if (m->wrong.width == WIDTH_NONE)
			print_time(" from ", m->wrong.from_ns, out);
		else
			fprintf(out, " at %s", width_names[m->wrong.width]);
	}
}
