/* See kernel.h. */
#include "tests/adversary/kernel.h"

#include <math.h>
#include <string.h>

#include "tests/adversary/rng.h"

static const uint8_t flags_of[N_CLASSES] = {
	[WIDTH_128] = PACK_KERNEL_VECTOR,
	[WIDTH_256] = PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE,
	[WIDTH_512] =
		PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE | PACK_KERNEL_WIDEST,
};

static const uint32_t unroll[PACK_LENGTHS] = { 48, 96, 144 };

static void set_states(const struct machine *m, struct kernel *k,
		       double exponent)
{
	for (int i = 0; i < MAX_STATES; i++)
		k->state[i] =
			k->width == WIDTH_NONE
				? 1
				: pow(m->states[k->width].slow[i], exponent);
}

static void set_sibling(struct rng *r, struct kernel *k, double low,
			double high)
{
	for (int i = 0; i < N_WORKLOADS; i++)
		k->sibling[i] = rng_between(r, low, high);
}

static double draw_chain(struct rng *r)
{
	const double half_share = 0.15;
	double cycles = 1 + rng_below(r, 20);

	return rng_unit(r) < half_share ? cycles + 0.5 : cycles;
}

static double draw_throughput(struct rng *r)
{
	static const double list[] = { 1.0 / 6, 0.2, 0.25, 1.0 / 3, 0.5, 0.5,
				       1,       1,   2,    4,       8 };

	return list[rng_below(r, sizeof(list) / sizeof(*list))];
}

static enum width draw_width(struct rng *r, bool wide)
{
	/* Packs have the widest kernels last. */
	const double general = 0.65, narrow_wide = 0.6;

	if (wide)
		return rng_unit(r) < narrow_wide ? WIDTH_256 : WIDTH_512;
	return rng_unit(r) < general ? WIDTH_GENERAL : WIDTH_128;
}

static enum kind draw_kind(struct rng *r)
{
	const double loads = 0.25, stores = 0.15;
	double x = rng_unit(r);

	return x < loads            ? KIND_LOAD
	       : x < loads + stores ? KIND_STORE
				    : KIND_REGISTER;
}

static struct kernel draw(const struct machine *m, struct rng *r,
			  enum width width)
{
	const double long_share = 0.1; /* chains of many uops */
	struct kernel k = { .width = width,
			    .probe = N_PROBES,
			    .chain = rng_unit(r) < 0.5,
			    .kind = draw_kind(r),
			    .flags = flags_of[width] };
	double exponent = rng_unit(r);

	k.cycles = k.chain ? draw_chain(r) : draw_throughput(r);
	if (!k.chain)
		set_sibling(r, &k, 0, 1);
	else if (rng_unit(r) < long_share)
		set_sibling(r, &k, 0.05, 0.4);
	else
		set_sibling(r, &k, 0, 0.05);
	set_states(m, &k, m->states[width].own ? exponent : 1);
	return k;
}

/* Chains and probes.  The hidden states of wide classes slow them, those of
 * general code do not. */
static void make_calibration(const struct machine *m, struct rng *r,
			     struct kernel *list)
{
	const double probe = 1.0 / (4 + rng_below(r, 3));
	const struct kernel calibration[KERNEL_FIRST] = {
		[KERNEL_CHAIN_A] = { .width = WIDTH_NONE,
				     .chain = true,
				     .probe = N_PROBES,
				     .cycles = 1 },
		[KERNEL_CHAIN_B] = { .width = WIDTH_NONE,
				     .chain = true,
				     .probe = N_PROBES,
				     .cycles = 1 },
		[KERNEL_PROBE] = { .width = WIDTH_NONE,
				   .cycles = probe,
				   .probe = PROBE_SIBLING },
		[KERNEL_WAKE_512] = { .width = WIDTH_512,
				      .cycles = 1,
				      .probe = PROBE_WIDE },
		[KERNEL_WAKE_256] = { .width = WIDTH_256,
				      .cycles = 0.5,
				      .probe = PROBE_WIDE },
		[KERNEL_LOADS] = { .width = WIDTH_256,
				   .kind = KIND_LOAD,
				   .cycles = 0.5,
				   .probe = PROBE_LOADS },
	};

	for (int i = 0; i < KERNEL_FIRST; i++) {
		struct kernel *k = &list[i];

		*k = calibration[i];
		k->flags = flags_of[k->width] | PACK_KERNEL_CALIB;
		set_states(m, k, 1);
		if (k->chain)
			set_sibling(r, k, 0, 0.03);
		else
			set_sibling(r, k, 0.4, 1.2);
	}
}

static void make_pack(struct kernels *ret)
{
	ret->pack.header = (struct pack_header){
		.n_kernels = N_KERNELS,
		.kernels_offset = sizeof(struct pack_header),
		.calib = { KERNEL_CHAIN_A, KERNEL_CHAIN_B, KERNEL_PROBE },
		/* As gen_profile() has them. */
		.kernel_cycles = 2000,
		.n_repeats = 3,
		.sandwich_ns = 4000,
		.n_sandwiches = 11,
		.n_visits = 3,
		.wake = { KERNEL_WAKE_512 + 1, KERNEL_WAKE_256 + 1 },
		.loads = KERNEL_LOADS + 1,
	};
	for (unsigned i = 0; i < N_KERNELS; i++) {
		struct pack_kernel *k = &ret->pack.table[i];

		*k = (struct pack_kernel){ .id = i + 1,
					   .flags = ret->list[i].flags };
		memcpy(k->unroll, unroll, sizeof(unroll));
	}
}

void kernels_make(const struct machine *m, struct kernels *ret)
{
	/* Stretches of kernels, each ordered by width, as in packs of
	 * host/campaign/campaign.c. */
	enum { STRETCH = 100, NARROW = 60, UP_TO_256 = 85 };
	struct rng r = rng_new(m->seed, 2);

	make_calibration(m, &r, ret->list);
	for (unsigned i = 0; i < N_MEASURED; i++) {
		unsigned at = i % STRETCH;
		enum width w = at < NARROW      ? draw_width(&r, false)
			       : at < UP_TO_256 ? WIDTH_256
						: WIDTH_512;

		ret->list[KERNEL_FIRST + i] = draw(m, &r, w);
	}
	for (unsigned i = 0; i < N_KERNELS; i++)
		ret->list[i].number = i;
	make_pack(ret);
}
