/* See say.h. */
#include "common/say.h"

void say_unroll(struct wire_line *w, const char *key,
		const struct pack_kernel *k)
{
	uint64_t unroll[PACK_LENGTHS];

	for (int i = 0; k && i < PACK_LENGTHS; i++)
		unroll[i] = k->unroll[i];
	wire_list(w, key, unroll, k ? PACK_LENGTHS : 0);
}

void say_kernel(struct wire_line *w, const void *pack, uint32_t index)
{
	const struct pack_kernel *k = &pack_kernels(pack)[index];

	wire_u64(w, "k", index);
	wire_hex(w, "id", k->id);
	wire_word(w, "x", pack_label(pack, k));
}

void say_pack(struct wire_line *w, const void *pack, uint32_t visits,
	      bool core_clock)
{
	static const char keys[PACK_N_CALIB][3] = {
		[PACK_CALIB_CHAIN_A] = "au",
		[PACK_CALIB_CHAIN_B] = "bu",
		[PACK_CALIB_PROBE] = "pu",
	};
	const struct pack_header *h = pack_header(pack);
	uint64_t n = pack_n_measured(pack);

	wire_hex(w, "id", h->id);
	wire_u64(w, "kernels", h->n_kernels);
	wire_u64(w, "calib", h->n_kernels - n);
	wire_u64(w, "visits", visits);
	wire_u64(w, "budget", h->kernel_cycles);
	for (int i = 0; i < PACK_N_CALIB; i++)
		say_unroll(w, keys[i],
			   h->calib[i] == PACK_NO_KERNEL
				   ? NULL
				   : &pack_kernels(pack)[h->calib[i]]);
	wire_u64(w, "cycles", core_clock ? n * h->kernel_cycles : 0);
}
