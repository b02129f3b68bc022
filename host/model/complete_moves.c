/* Latencies of moves from a register to itself, and of loads with a scaled
 * index; see complete.h. */
#include <math.h>
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"
#include "host/model/complete_read.h"

/* Is it a variant with one register for all operands, of a form that is
 * eliminated? */
static bool is_same_move(const struct completion *k, const struct form *f)
{
	const struct model_form *base;
	char name[ISA_NAME_ROOM];
	size_t n = strcspn(f->name, "/");

	if (form_family(f) != FAMILY_SAME || n >= sizeof(name))
		return false;
	memcpy(name, f->name, n);
	name[n] = '\0';
	base = model_find(k->given, name);
	return base && base->n_latencies > 0 &&
	       longest_latency(base) < eliminated;
}

/* Most of the moves decide. */
void complete_moves(struct completion *k, const struct known_form *given)
{
	size_t n = 0, n_executed = 0;
	double most = 0;

	for (const struct known_form *x = given; x->form; x++) {
		if (x->own->n_latencies == 0 || !is_same_move(k, x->form))
			continue;
		n++;
		n_executed += longest_latency(x->own) >= eliminated;
		most = fmax(most, longest_latency(x->own));
	}
	k->same_move = 2 * n_executed > n ? most : 0;
}

double completed_same_move(const struct completion *k)
{
	return k->same_move;
}

/* The longest latency of a load; negative: none, or not known to a cycle. */
static double load_cycles(const struct completion *k, const char *name)
{
	struct known_latencies l =
		latencies_between(NULL, model_find(k->given, name), 0);

	return l.n == l.n_exact ? l.most : -1;
}

double completed_scaled(const struct completion *k, int64_t scale)
{
	const struct variant_rule *r = k->c->isa->rules;
	double plain, scaled;

	while (r && r->names &&
	       (r->variant.family != FAMILY_SCALED ||
		r->variant.scale != scale))
		r++;
	if (!r || !r->names)
		return 0;
	plain = load_cycles(k, *r->names);
	scaled = load_cycles(
		k, arena_printf(k->a, "%s/%s", *r->names, r->variant.suffix));
	return plain < 0 || scaled < 0 ? 0 : fmax(scaled - plain, 0);
}
