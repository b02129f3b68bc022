/* What was seen on a Zen 5, on request on random cores: four address ports that
 * loads and stores share, two of which alone serve loads of vectors.  Two loads of
 * general registers and two of vectors take 1.12 cycles in turn and 1.40 one kind
 * behind the other, two loads of vectors and two stores the same.  Seven moves that
 * the renamer eliminates start in a cycle, where the front end has eight slots. */
#include "tests/ports/truth.h"

/* A queue for each port of accesses, and one for all others. */
static void bind(struct truth *t, model_ports accesses)
{
	t->in_turn = true;
	t->n_queues = 0;
	for (model_ports set = accesses; set != 0; set &= set - 1)
		t->queues[t->n_queues++] = set & (~set + 1);
	t->queues[t->n_queues++] =
		(((model_ports)1 << t->n_ports) - 1) & ~accesses;
}

/* Accesses have all address ports, or those of vectors. */
static void use_two_sets(struct truth_form *f, model_ports address,
			 model_ports few)
{
	for (size_t k = 0; k < f->n_uses; k++)
		if ((f->uses[k].ports & ~address) == 0 &&
		    f->uses[k].ports != address)
			f->uses[k].ports = few;
}

bool truth_share_addresses(struct truth *t)
{
	enum { LEAST_WIDTH = 6, N_ADDED = 4 };
	const model_ports address = t->group[2];
	const model_ports few = address & (address - 1);
	const model_ports data = (model_ports)3 << t->n_ports;

	if (few == 0 || t->width < LEAST_WIDTH)
		return false;
	t->n_ports += 2;
	for (size_t i = 0; i < t->n_forms; i++) {
		use_two_sets(&t->forms[i], address, few);
		t->forms[i].memory =
			t->forms[i].n_uses == 1 &&
			(t->forms[i].uses[0].ports & ~address) == 0;
	}
	for (unsigned i = 0; i < N_ADDED; i++) {
		struct truth_form *f = truth_add(t, "load");

		f->memory = true;
		truth_use(f, few);
		f = truth_add(t, "store");
		f->memory = f->stores = true;
		truth_use(f, address);
		truth_use(f, data);
		truth_add(t, "move")->part = 1 / (double)(t->width - 1);
	}
	bind(t, address);
	return true;
}
