/* See score.h. */
#include "tests/adversary/score.h"

#include <math.h>

static const double close_to_truth = 0.01, wrong = 0.03;
static const double least_silence = 0.10, least_valued = 0.97,
		    least_close = 0.99, most_time = 3, usual_silence = 1.0 / 3,
		    quiet_error = 0.005, quiet_close = 0.995;

static const char *const requirements[N_REQUIREMENTS] = {
	[REQUIRE_VALUED] = "valued", [REQUIRE_CLOSE] = "close",
	[REQUIRE_RIGHT] = "right",   [REQUIRE_TIME] = "time",
	[REQUIRE_QUIET] = "quiet",
};

const char *score_requirement(enum requirement q)
{
	return requirements[q];
}

static double error_of(const struct kernel *k, const struct solver_answer *a)
{
	return a->cycles / k->cycles - 1;
}

/* A row of target/core/measure.c: each chain once long and once short, a third
 * of that, and the kernel's lengths with the shortest one twice. */
static double row_ns(const struct machine *m)
{
	const double chain_ns = 1500, kernel_ns = 4000, steps = 256;
	double least = steps * m->step_ns;

	return fmax(chain_ns, least) * 8 / 3 + fmax(kernel_ns, least) * 7 / 3;
}

/* Do all states of a class last as long as a row?  A state that begins and ends
 * within a run is part of the kernel's cost: no timing can distinguish it from
 * a slower kernel. */
static bool is_resolvable(const struct machine *m, enum width w)
{
	const struct state_parameters *x = &m->states[w];

	return !machine_has(m, DISTURB_STATES) || x->n < 2 ||
	       x->dwell_ns[0] >= row_ns(m);
}

static void count(struct score *s, const struct kernel *k,
		  const struct solver_answer *a, bool required, bool resolvable)
{
	double error = error_of(k, a);

	s->n++;
	s->n_required += required;
	if (!a->valued)
		return;
	s->n_valued++;
	s->n_required_valued += required;
	if (!resolvable)
		return;
	s->n_resolvable++;
	s->n_close += fabs(error) <= close_to_truth;
	if (!a->ok)
		return;
	s->n_wrong += fabs(error) > wrong;
	if (fabs(error) > fabs(s->worst))
		s->worst = error;
}

static bool is_quiet(const struct kernels *k, const struct outcome *silent)
{
	unsigned n_close = 0;

	for (unsigned i = KERNEL_FIRST; i < N_KERNELS; i++) {
		const struct solver_answer *a = &silent->answers[i];
		double error = fabs(error_of(&k->list[i], a));

		if (!a->valued || error > close_to_truth)
			return false;
		n_close += error <= quiet_error;
	}
	return n_close >= quiet_close * N_MEASURED;
}

/* If a core is undisturbed for less than a third of the time, most visits are
 * disturbed, and each of them costs time. */
static double allowed_time(double silence)
{
	return most_time * fmax(1, usual_silence / fmax(silence, 0.05));
}

struct score score_run(const struct machine *m, const struct kernels *k,
		       const struct outcome *run, const struct outcome *silent)
{
	struct score s = { .silence = 1 };
	double silence[N_WIDTHS];

	for (enum width w = 0; w < N_WIDTHS; w++) {
		silence[w] = machine_silence(m, w, row_ns(m));
		s.silence = fmin(s.silence, silence[w]);
	}
	for (unsigned i = KERNEL_FIRST; i < N_KERNELS; i++)
		count(&s, &k->list[i], &run->answers[i],
		      !run->out_of_reach[i] &&
			      silence[k->list[i].width] >= least_silence,
		      is_resolvable(m, k->list[i].width));
	s.time = run->measured_ns / silent->measured_ns;
	s.given_up = run->given_up;
	s.visits = (double)run->n_visits / N_MEASURED;
	s.failed[REQUIRE_VALUED] =
		s.n_required_valued < least_valued * s.n_required;
	s.failed[REQUIRE_CLOSE] = s.n_close < least_close * s.n_resolvable;
	s.failed[REQUIRE_RIGHT] = s.n_wrong > 0;
	s.failed[REQUIRE_TIME] = s.time > allowed_time(s.silence);
	s.failed[REQUIRE_QUIET] = !is_quiet(k, silent);
	return s;
}

bool score_passes(const struct score *s)
{
	for (int i = 0; i < N_REQUIREMENTS; i++)
		if (s->failed[i])
			return false;
	return true;
}

static double percent(unsigned part, unsigned all)
{
	return all ? 100.0 * part / all : 100;
}

void score_print(const struct score *s, FILE *out)
{
	fputs(score_passes(s) ? "pass" : "FAIL", out);
	for (int i = 0; i < N_REQUIREMENTS; i++)
		if (s->failed[i])
			fprintf(out, " %s", requirements[i]);
	fprintf(out,
		": %u kernels, valued %.1f %% (%.1f %% of %u in reach), "
		"within 1 %% %.1f %%, worst ok %+.2f %%, %u ok off by 3 %%, "
		"time %.2f%s, %.1f visits, silence %.0f %%\n",
		s->n, percent(s->n_valued, s->n),
		percent(s->n_required_valued, s->n_required), s->n_required,
		percent(s->n_close, s->n_resolvable), 100 * s->worst,
		s->n_wrong, s->time, s->given_up ? " (given up)" : "",
		s->visits, 100 * s->silence);
}

void score_print_wrong(const struct kernels *k, const struct outcome *run,
		       FILE *out)
{
	static const char *const widths[N_WIDTHS] = { "general", "128", "256",
						      "512" };
	static const char *const kinds[N_KINDS] = { "register", "load",
						    "store" };

	for (unsigned i = KERNEL_FIRST; i < N_KERNELS; i++) {
		const struct kernel *x = &k->list[i];
		const struct solver_answer *a = &run->answers[i];
		double error = error_of(x, a);

		if (a->valued && fabs(error) <= close_to_truth)
			continue;
		fprintf(out,
			"  kernel %u: %s %s %s, truth %.3f, value %.3f "
			"(%+.1f %%), %s, %u/%u visits%s\n",
			i, widths[x->width], kinds[x->kind],
			x->chain ? "chain" : "throughput", x->cycles, a->cycles,
			100 * error, verdict_word(a->verdict), a->values,
			a->visits,
			run->out_of_reach[i] ? ", out of reach" : "");
	}
}
