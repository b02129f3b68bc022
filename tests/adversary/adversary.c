/* Machines drawn at random, on which the runtime measures kernels of known
 * cost in simulated time; the solver's answers are scored.
 *
 *	adversary FIRST COUNT [-v] [-quiet] [-floor] [-stay]
 *		[-only DISTURBANCE]...
 *
 * Seeds FIRST .. FIRST + COUNT - 1, a line of scores and a line of parameters
 * each.  -v prints each kernel without a right value.  -only switches all
 * other disturbances off; -quiet all of them.  -stay: the code of a kernel
 * stays in its place.  Exit status 1: a seed misses a
 * requirement.  With -floor: all seeds together are below the floors, which are
 * lower than the requirements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/adversary/score.h"

struct options {
	uint64_t first, count;
	unsigned only; /* bits; 0: as drawn */
	bool verbose, quiet, floor, stay;
};

/* Floors of the solver with all disturbances as drawn. */
static const struct {
	double reach, close, wrong; /* shares of kernels */
} floors = { 0.95, 0.99, 0.0005 };

struct totals {
	unsigned n, n_passed, n_failed[N_REQUIREMENTS], n_wrong;
	double valued, least_valued, reach, close, least_close;
	double time, longest_time, visits;
};

static double share(unsigned part, unsigned all)
{
	return all ? (double)part / all : 1;
}

static void add(struct totals *t, const struct score *s)
{
	double valued = share(s->n_valued, s->n);
	double close = share(s->n_close, s->n_resolvable);

	t->n_passed += score_passes(s);
	for (int i = 0; i < N_REQUIREMENTS; i++)
		t->n_failed[i] += s->failed[i];
	t->n_wrong += s->n_wrong;
	t->valued += valued;
	t->close += close;
	t->reach += share(s->n_required_valued, s->n_required);
	t->time += s->time;
	t->visits += s->visits;
	if (t->n == 0 || valued < t->least_valued)
		t->least_valued = valued;
	if (t->n == 0 || close < t->least_close)
		t->least_close = close;
	if (s->time > t->longest_time)
		t->longest_time = s->time;
	t->n++;
}

static void one(const struct options *o, uint64_t seed, struct totals *t)
{
	static struct kernels kernels;
	static struct outcome run, silent;
	struct machine m = machine_draw(seed, o->only);
	struct machine calm = m;
	const double limit = 20; /* the real time of a seed */
	struct score s;

	m.stays = o->stay;
	calm.on = 0;
	calm.n_cores = 1;
	if (o->quiet)
		m = calm;
	kernels_make(&m, &kernels);
	rounds_run(&calm, &kernels, INFINITY, &silent);
	if (o->quiet)
		run = silent;
	else
		rounds_run(&m, &kernels, limit * silent.measured_ns, &run);
	s = score_run(&m, &kernels, &run, &silent);
	printf("seed %llu: ", (unsigned long long)seed);
	score_print(&s, stdout);
	fputs("  ", stdout);
	machine_print(&m, stdout);
	fputs("\n", stdout);
	if (o->verbose)
		score_print_wrong(&kernels, &run, stdout);
	add(t, &s);
}

static void summarise(const struct totals *t)
{
	double n = t->n;

	printf("%u of %u seeds pass; missed:", t->n_passed, t->n);
	for (int i = 0; i < N_REQUIREMENTS; i++)
		printf(" %s %u", score_requirement(i), t->n_failed[i]);
	printf("\nvalued %.2f %% (least %.1f %%, in reach %.2f %%), "
	       "within 1 %% %.2f %% (least %.1f %%), %u ok off by 3 %%, "
	       "time %.2f (most %.2f), %.1f visits\n",
	       100 * t->valued / n, 100 * t->least_valued, 100 * t->reach / n,
	       100 * t->close / n, 100 * t->least_close, t->n_wrong,
	       t->time / n, t->longest_time, t->visits / n);
}

static bool is_above_floors(const struct totals *t)
{
	double n = t->n;

	return t->reach / n >= floors.reach && t->close / n >= floors.close &&
	       t->n_wrong <= floors.wrong * n * N_MEASURED;
}

static int usage(void)
{
	fputs("usage: adversary FIRST COUNT [-v] [-quiet] [-floor] [-stay] "
	      "[-only DISTURBANCE]...\n"
	      "disturbances:",
	      stderr);
	for (enum disturbance d = 0; d < N_DISTURBANCES; d++)
		fprintf(stderr, " %s", machine_disturbance_name(d));
	fputs("\n", stderr);
	return 2;
}

static bool parse(int argc, char **argv, struct options *o)
{
	if (argc < 3)
		return false;
	o->first = strtoull(argv[1], NULL, 10);
	o->count = strtoull(argv[2], NULL, 10);
	for (int i = 3; i < argc; i++) {
		enum disturbance d = N_DISTURBANCES;

		if (strcmp(argv[i], "-v") == 0) {
			o->verbose = true;
		} else if (strcmp(argv[i], "-quiet") == 0) {
			o->quiet = true;
		} else if (strcmp(argv[i], "-floor") == 0) {
			o->floor = true;
		} else if (strcmp(argv[i], "-stay") == 0) {
			o->stay = true;
		} else if (strcmp(argv[i], "-only") == 0 && i + 1 < argc) {
			d = machine_disturbance(argv[++i]);
			if (d == N_DISTURBANCES)
				return false;
			o->only |= 1u << d;
		} else {
			return false;
		}
	}
	return o->count > 0;
}

int main(int argc, char **argv)
{
	struct options o = { .count = 0 };
	struct totals t = { 0 };

	if (!parse(argc, argv, &o))
		return usage();
	for (uint64_t seed = o.first; seed - o.first < o.count; seed++)
		one(&o, seed, &t);
	summarise(&t);
	return (o.floor ? is_above_floors(&t) : t.n_passed == t.n) ? 0 : 1;
}
