/* Runs, whose answers may need to know where the emulator keeps registers: that
 * is found in its CPU state while a program with known values runs
 * (host/isa/guest.h). Each kind of register must be found at one place only. */
#include <string.h>

#include "host/guest/run.h"
#include "host/isa/isa.h"

/* Steps between registers that are tried. */
enum { LEAST_STEP = 8, MOST_STEP = 1024, LEAST_VECTOR = 16 };

/* Do the bytes at `at` hold register i? */
typedef bool matcher(const struct isa_guest *g, const unsigned char *state,
		     size_t at, unsigned i, uint32_t bytes);

static bool is_gpr(const struct isa_guest *g, const unsigned char *state,
		   size_t at, unsigned i, uint32_t bytes)
{
	uint64_t x, want = guest_state_value(i);

	(void)bytes;
	memcpy(&x, state + at, sizeof(x));
	return i == g->other_gpr || x == want;
}

static bool is_mask(const struct isa_guest *g, const unsigned char *state,
		    size_t at, unsigned i, uint32_t bytes)
{
	uint64_t x, want = (UINT64_C(2) << i) - 1;

	(void)g, (void)bytes;
	memcpy(&x, state + at, sizeof(x));
	return x == want;
}

/* Exactly `bytes` bytes of its value. */
static bool is_vector(const struct isa_guest *g, const unsigned char *state,
		      size_t at, unsigned i, uint32_t bytes)
{
	(void)g;
	for (uint32_t k = 0; k < bytes; k++)
		if (state[at + k] != GUEST_STATE_BYTE + i)
			return false;
	return state[at + bytes] != GUEST_STATE_BYTE + i &&
	       (at == 0 || state[at - 1] != GUEST_STATE_BYTE + i);
}

/* The only place of n registers; false: none, or several. */
static bool layout_find(const struct isa_guest *g, const unsigned char *state,
			matcher *is, unsigned n, uint32_t bytes,
			struct exchange_registers *ret)
{
	unsigned found = 0;

	for (size_t at = 0; at + bytes < EXCHANGE_PROBE; at += LEAST_STEP) {
		if (!is(g, state, at, 0, bytes))
			continue;
		for (uint32_t step = bytes; step <= MOST_STEP;
		     step += LEAST_STEP) {
			unsigned i = 1;

			if (at + (size_t)n * step + bytes >= EXCHANGE_PROBE)
				break;
			while (i < n &&
			       is(g, state, at + (size_t)i * step, i, bytes))
				i++;
			if (i < n)
				continue;
			found++;
			*ret = (struct exchange_registers){ (uint32_t)at,
							    step };
		}
	}
	return found == 1;
}

static bool find_all(const struct isa_guest *g, const unsigned char *state,
		     struct exchange_layout *l)
{
	enum { WORD = 8 };
	bool vectors = false;

	for (uint32_t n = LEAST_VECTOR; n <= MOST_STEP / 4 && !vectors;
	     n *= 2) {
		l->vector_bytes = n;
		vectors = layout_find(g, state, is_vector, g->n_vectors, n,
				      &l->vector);
	}
	return vectors &&
	       layout_find(g, state, is_gpr, g->n_gprs, WORD, &l->gpr) &&
	       (g->n_masks == 0 ||
		layout_find(g, state, is_mask, g->n_masks, WORD, &l->mask));
}

/* The program with known values has a mark where the state is to be shown. */
static void answer_plainly(struct guest_run *r, struct exchange_slot *s)
{
	run_answer(r, s, run_block(r, s));
}

static int find_layout(struct arena *a, struct guest_run *r, struct err *e)
{
	const struct isa_guest *g = r->request.c->isa->guest;
	char *program =
		arena_printf(a, "%s/%s", r->request.share, g->state_program);
	char *const words[] = { program, NULL };
	struct guest_request q = {
		.c = r->request.c,
		.program = program,
		.argv = words,
		.share = r->request.share,
		.guest_cpu = r->request.guest_cpu,
		.probe = true,
	};
	struct guest_run *probe;
	const struct exchange_slot *s;

	if (run_emulator(&q, answer_plainly, &probe, e) != ERR_OK)
		return e->code;
	s = run_slot(probe, 0);
	r->layout_known =
		s && s->probed && find_all(g, s->probe, &r->x->layout);
	guest_close(probe);
	if (r->layout_known)
		return ERR_OK;
	return err_set(e, ERR_FAILED,
		       "this %s does not report all accesses of the program's "
		       "instructions, and where it keeps registers is not "
		       "found; the counts would be wrong",
		       g->emulator);
}

/* Without the layout there is no answer, and the run ends. */
static void answer(struct guest_run *r, struct exchange_slot *s)
{
	struct arena a = { 0 };
	uint32_t block = run_block(r, s);

	if (block != EXCHANGE_NONE && !r->layout_known &&
	    run_needs_layout(r, s, block) &&
	    find_layout(&a, r, &r->failure) != ERR_OK)
		block = EXCHANGE_NONE;
	arena_free(&a);
	run_answer(r, s, block);
}

int guest_run(const struct guest_request *q, struct guest_run **ret_run,
	      struct err *e)
{
	return run_emulator(q, answer, ret_run, e);
}
