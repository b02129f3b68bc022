/* Units of invented cores: ports that no form of one uop uses. */
#include <math.h>

#include "tests/unit/port_bench.h"
#include "tests/unit/unit.h"

enum { TWO = 3, ONE = 4, HIDDEN = 8, OTHER = 16 };

/* Add a uop to the form. */
static void add_uop(struct bench *b, uint32_t form, model_ports ports,
		    double cycles)
{
	struct truth_form *f = &b->t->forms[form];

	f->uses[f->n_uses++] = (struct model_use){ ports, 1, cycles };
	f->slots = (unsigned)f->n_uses;
	while (ports >> b->t->n_ports != 0)
		b->t->n_ports++;
}

/* Forms without ports, a class of two ports, one of one port, and a form with a
 * uop on two ports and one on the hidden port, whose rate shows the latter. */
static struct bench start_hidden(uint32_t *ret_shows)
{
	struct bench b = start(4);

	add_all(&b, 3, 0);
	add_all(&b, 3, TWO);
	add_all(&b, 3, ONE);
	*ret_shows = add(&b, TWO, 1);
	add_uop(&b, *ret_shows, HIDDEN, 1);
	return b;
}

/* Do the answers say that the two forms share the hidden port, and nothing
 * else? */
static void check_shared(const struct bench *b, uint32_t x, uint32_t n_x,
			 uint32_t y, double cycles)
{
	struct ports_mix mix = { 2, { { x, n_x }, { y, 1 } } };
	double found;

	assert_int_equal(b->w.forms[x].verdict, PORTS_OK);
	assert_int_equal(b->w.forms[y].verdict, PORTS_OK);
	assert_true(ports_expect(&b->w, &mix, &found));
	assert_true(fabs(found / cycles - 1) < 0.01);
}

/* A form of two uops whose known port is as slow as the hidden one: its own
 * rate does not show the second uop. */
TEST(hidden_port_behind_a_known_one)
{
	uint32_t shows, hides;
	SCOPED(finish) struct bench b = start_hidden(&shows);

	hides = add(&b, ONE, 1);
	add_uop(&b, hides, HIDDEN, 1);
	infer(&b);
	assert_int_equal(b.w.forms[hides].n_uses, 2);
	check_shared(&b, shows, 1, hides, 2);
}

/* The same behind a port that no other form has, which the form keeps busy for
 * several cycles. */
TEST(hidden_port_behind_a_busy_unit)
{
	uint32_t shows, hides;
	SCOPED(finish) struct bench b = start_hidden(&shows);

	hides = add(&b, OTHER, 5);
	add_uop(&b, hides, HIDDEN, 1);
	infer(&b);
	assert_int_equal(b.w.forms[hides].n_uses, 2);
	check_shared(&b, shows, 7, hides, 8);
}

/* Two forms whose known ports are both as slow as the hidden one: only their
 * mix shows that they share it. */
TEST(hidden_port_of_a_pair)
{
	uint32_t shows, x, y;
	SCOPED(finish) struct bench b = start_hidden(&shows);

	b.t->n_forms--;
	add_all(&b, 3, OTHER);
	x = add(&b, ONE, 1);
	add_uop(&b, x, HIDDEN, 1);
	y = add(&b, OTHER, 1);
	add_uop(&b, y, HIDDEN, 1);
	infer(&b);
	check_shared(&b, x, 1, y, 2);
}
