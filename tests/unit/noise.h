/* A machine with a reference clock and every disturbance of tests/adversary/README.md:
 * a drifting frequency, preemption, storms of 1.8 us stalls, a busy sibling.
 * Its truth is known, so the estimator can be scored. */
#ifndef UNIT_NOISE_H
#define UNIT_NOISE_H

#include <math.h>
#include <stdlib.h>

#include "host/solve/evidence.h"
#include "host/solve/stats.h"

enum {
	MACHINE_ROWS = 11,
	MACHINE_KERNELS = 1500,
	MACHINE_VISITS = 3,
	CALIB_N = 40, /* of 144 adds: 1.4 us */
	PROBE_N = 4,
};

static const struct shape machine_shape = { .unroll = { 48, 96, 144 },
					    .ops_per_body = 1 };
static const struct calibration machine_calibration = {
	.usable = true,
	.kernels = { { .unroll = { 48, 96, 144 }, .ops_per_body = 1 },
		     { .unroll = { 48, 96, 144 }, .ops_per_body = 1 },
		     { .unroll = { 48, 96, 144 }, .ops_per_body = 1 } },
};

/* A state that comes and goes at random. */
struct episode {
	double gap_ns, min_ns, max_ns; /* mean time between, length */
	double begin, end;
};

struct machine {
	uint64_t random;
	double now; /* nanoseconds */
	double phase;
	double ticks_per_ns;
	double drift;
	struct episode storm, sibling, preempt;
	uint64_t n_probe; /* iterations of the probe */
};

struct kernel {
	double cycles, second; /* per op; a row runs at one of the two */
	double shared;         /* how much slower while the sibling is busy */
	/* Each length of a row runs at one of the two, and keeps to it in the
	 * next row with this chance; 0: all lengths of a row run at the same.
	 */
	double keeps;
};

/* xorshift64*: the same noise on every machine. */
static inline double machine_random(struct machine *q)
{
	q->random ^= q->random >> 12;
	q->random ^= q->random << 25;
	q->random ^= q->random >> 27;
	return (double)(q->random * 0x2545f4914f6cdd1dull >> 11) * 0x1p-53;
}

static inline struct machine machine_new(uint64_t seed)
{
	struct machine q = {
		.random = seed * 0x9e3779b97f4a7c15ull | 1,
		.ticks_per_ns = 2.596,
		.n_probe = PROBE_N,
		.drift = 0.01,
		.storm = { 300e6, 1e6, 10e6, -1, -1 },
		.sibling = { 8e9, 20e6, 900e6, -1, -1 },
		.preempt = { 20e6, 20e3, 400e3, -1, -1 },
	};

	q.phase = machine_random(&q) * 6.28;
	return q;
}

static inline void machine_silence(struct machine *q)
{
	q->storm.gap_ns = q->sibling.gap_ns = q->preempt.gap_ns = INFINITY;
	q->drift = 0;
}

static inline bool episode_on(struct machine *q, struct episode *x)
{
	while (x->end < q->now) {
		double last = x->end < 0 ? 0 : x->end;

		if (isinf(x->gap_ns))
			return false;
		x->begin = last - x->gap_ns * log(1 - machine_random(q));
		x->end = x->begin + x->min_ns +
			 (x->max_ns - x->min_ns) * machine_random(q);
	}
	return x->begin <= q->now;
}

/* Run for this many cycles; `shared`: the slowdown while the sibling is
 * busy. */
static inline uint64_t machine_run(struct machine *q, double cycles,
				   double shared)
{
	const double call_cycles = 90, stall_ns = 1800, stall_gap_ns = 9000;
	double ghz = 4.1 * (1 + q->drift * sin(q->now / 0.3e9 + q->phase) +
			    q->drift / 2 * sin(q->now / 0.02e9));
	double begin = floor(q->now * q->ticks_per_ns);
	double ns;

	if (episode_on(q, &q->sibling))
		cycles *= 1 + shared;
	ns = (call_cycles + cycles) / ghz;
	if (episode_on(q, &q->storm) && machine_random(q) < ns / stall_gap_ns)
		ns += stall_ns;
	q->now += ns;
	if (episode_on(q, &q->preempt))
		q->now = q->preempt.end + 1;
	return (uint64_t)(floor(q->now * q->ticks_per_ns) - begin);
}

static inline struct sample machine_visit(struct machine *q,
					  const struct kernel *k,
					  uint32_t visit, uint64_t *values)
{
	struct sample m = { .visit = visit,
			    .calib_iterations = { CALIB_N, CALIB_N,
						  q->n_probe },
			    .n_rows = MACHINE_ROWS,
			    .row = 8,
			    .values = values };

	double state[PACK_LENGTHS] = { 0 };

	/* About 3 us for the longest length, as the runtime tunes it. */
	m.n_iterations = (uint64_t)(12000 / (144 * k->cycles)) + 1;
	for (size_t row = 0; row < MACHINE_ROWS; row++) {
		uint64_t *d = values + row * 8;
		double per_body =
			machine_random(q) < 0.5 ? k->cycles : k->second;
		const double chain = 0.02, probe = 0.7;

		for (int i = 0; i < PACK_LENGTHS; i++)
			if (k->keeps == 0)
				state[i] = per_body;
			else if (row == 0 || machine_random(q) > k->keeps)
				state[i] = machine_random(q) < 0.5 ? k->cycles
								   : k->second;
		d[0] = machine_run(q, 144 * CALIB_N, chain);
		d[1] = machine_run(q, 48 * CALIB_N, chain);
		d[2] = machine_run(q, 144 * (double)q->n_probe, probe);
		for (int i = 0; i < PACK_LENGTHS; i++)
			d[3 + i] = machine_run(
				q,
				(double)m.n_iterations *
					(2 +
					 state[i] * machine_shape.unroll[i]),
				k->shared);
		d[6] = machine_run(q, 144 * CALIB_N, chain);
		d[7] = machine_run(q, 48 * CALIB_N, chain);
	}
	return m;
}

struct score {
	size_t n;
	size_t n_good;  /* ok and within 0.5 % */
	size_t n_wrong; /* ok and not within 1 % */
};

/* Calibration from every visit, as the solver takes it. */
static inline struct calibration machine_calibrate(const struct sample *m,
						   size_t n)
{
	struct calibration ret = machine_calibration;
	struct visit_facts *facts = calloc(n, sizeof(*facts));
	size_t n_facts = 0;

	for (size_t i = 0; i < n; i++)
		n_facts += estimate_visit_facts(&ret, &machine_shape, &m[i],
						&facts[n_facts]);
	estimate_calibrate(&ret, facts, n_facts);
	free(facts);
	return ret;
}

static inline void machine_judge(const struct kernel *k,
				 const struct estimate *e, struct score *s)
{
	double off = fabs(e->low / k->cycles - 1);

	s->n++;
	s->n_good += e->state == VERDICT_OK && off <= 0.005;
	s->n_wrong += e->state == VERDICT_OK && off > 0.01;
}

/* Judge all kernels together. */
static inline void machine_judge_all(const struct kernel *kernels,
				     const bool *chains, size_t n,
				     const struct sample *samples,
				     const struct calibration *c,
				     struct score *s)
{
	struct kernel_visits *list = calloc(n, sizeof(*list));
	struct visit *visits = calloc(n * MACHINE_VISITS, sizeof(*visits));
	struct evidence *evidence = calloc(1, sizeof(*evidence));

	for (size_t i = 0; i < n * MACHINE_VISITS; i++)
		visits[i] = visit_read(&machine_shape, c, &samples[i]);
	for (size_t i = 0; i < n; i++)
		list[i] = (struct kernel_visits){
			.combine = chains[i] ? COMBINE_MEDIAN : COMBINE_LOWEST,
			.n = MACHINE_VISITS,
			.visits = visits + i * MACHINE_VISITS,
		};
	evidence_learn(evidence, list, n);
	for (size_t i = 0; i < n; i++) {
		struct estimate e = evidence_judge(evidence, &list[i]);

		machine_judge(&kernels[i], &e, s);
	}
	free(evidence);
	free(visits);
	free(list);
}

/* Measure many kernels in three passes and compare with the truth. */
static inline struct score machine_score(uint64_t seed)
{
	static const double truths[] = { 1,    2,       3,   4, 5, 7, 13,  19,
					 0.25, 1.0 / 3, 0.5, 1, 2, 4, 1.5, 6 };
	enum { N = MACHINE_KERNELS * MACHINE_VISITS, FIRST_THROUGHPUT = 8 };
	const double gap_ns = 1e6;
	struct machine q = machine_new(seed);
	struct calibration c;
	struct score s = { 0 };
	bool chains[MACHINE_KERNELS];
	struct kernel *kernels = calloc(MACHINE_KERNELS, sizeof(*kernels));
	struct sample *samples = calloc(N, sizeof(*samples));
	uint64_t *values = calloc(N, MACHINE_ROWS * 8 * sizeof(*values));

	for (size_t i = 0; i < MACHINE_KERNELS; i++) {
		double truth = truths[i % ARRAY_LEN(truths)];
		bool chain = i % ARRAY_LEN(truths) < FIRST_THROUGHPUT;

		chains[i] = chain;
		kernels[i].cycles = kernels[i].second = truth;
		kernels[i].shared = (chain ? 0.05 : 0.65) * machine_random(&q);
	}
	for (uint32_t visit = 0; visit < MACHINE_VISITS; visit++)
		for (size_t i = 0; i < MACHINE_KERNELS; i++) {
			size_t at = i * MACHINE_VISITS + visit;

			samples[at] =
				machine_visit(&q, &kernels[i], visit,
					      values + at * MACHINE_ROWS * 8);
			q.now += gap_ns;
		}
	c = machine_calibrate(samples, N);
	machine_judge_all(kernels, chains, MACHINE_KERNELS, samples, &c, &s);
	free(kernels);
	free(samples);
	free(values);
	return s;
}

#endif
