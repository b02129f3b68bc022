/* Ports of invented cores that do more than the port model says: what the
 * inference repairs, and what it leaves open. */
#include <math.h>

#include "tests/unit/port_bench.h"
#include "tests/unit/unit.h"

/* Cycles of a mix of two forms by the answer. */
static double expected(const struct bench *b, uint32_t x, uint32_t n_x,
		       uint32_t y, uint32_t n_y)
{
	struct ports_mix mix = { 2, { { x, n_x }, { y, n_y } } };
	double cycles = 0;

	assert_true(ports_expect(&b->w, &mix, &cycles));
	return cycles;
}

static bool is_near(double x, double y)
{
	return fabs(x / y - 1) < 0.01;
}

static bool has_note(const struct bench *b, const char *text)
{
	for (size_t i = 0; i < b->w.n_notes; i++)
		if (strstr(b->w.notes[i], text))
			return true;
	return false;
}

/* The first form of a class reads two registers, the others one, and six can be
 * read in a cycle.  With forms on ports of their own that read two, only the
 * first one is slow: it must not make these ports look shared. */
TEST(representative_that_reads_more)
{
	SCOPED(finish) struct bench b = start(4);
	uint32_t first, member, reader;

	b.t->n_reads = 6;
	add_all(&b, 3, 0);
	first = add(&b, 7, 1);
	b.t->forms[first].n_read = 2;
	member = add(&b, 7, 1);
	(void)add(&b, 7, 1);
	for (uint32_t i = member; i < b.t->n_forms; i++)
		b.t->forms[i].n_read = 1;
	add_all(&b, 2, 6);
	/* Too many for the readers to be in a sample of all forms. */
	add_all(&b, 21, 1);
	reader = add(&b, 0x18, 1);
	(void)add(&b, 0x18, 1);
	for (uint32_t i = reader; i < b.t->n_forms; i++)
		b.t->forms[i].n_read = 2;
	(void)add(&b, 1, 1);
	infer(&b);
	for (size_t i = 0; i < b.w.n_classes; i++)
		assert_true(b.w.classes[i].ports != 0);
	assert_int_equal(b.w.forms[member].verdict, PORTS_OK);
	assert_int_equal(b.w.forms[reader].verdict, PORTS_OK);
	assert_true(is_near(expected(&b, member, 3, reader, 2), 1.25));
	assert_true(is_near(expected(&b, member, 3, first, 3), 2));
	assert_true(has_note(&b, "slower in mixes than other members"));
}

/* The same without another member: the class contradicts all others and leaves
 * the matrix, and nothing is certain of its form. */
TEST(class_that_contradicts)
{
	SCOPED(finish) struct bench b = start(4);
	uint32_t first, reader;

	b.t->n_reads = 6;
	add_all(&b, 3, 0);
	first = add(&b, 7, 1);
	b.t->forms[first].n_read = 2;
	add_all(&b, 2, 6);
	add_all(&b, 12, 1);
	add_all(&b, 12, 2);
	reader = add(&b, 0x18, 1);
	(void)add(&b, 0x18, 1);
	for (uint32_t i = reader; i < b.t->n_forms; i++)
		b.t->forms[i].n_read = 2;
	infer(&b);
	assert_int_not_equal(b.w.forms[first].verdict, PORTS_OK);
	assert_int_equal(b.w.forms[reader].verdict, PORTS_OK);
	assert_true(is_near(expected(&b, reader, 2, first + 1, 2), 1));
}

/* Slots are unknown: two uops, of which one can only use a part of the other's
 * ports, are as slow with the wider set as a uop that holds a port for two
 * cycles. */
TEST(two_uops_are_not_one_that_holds_a_port)
{
	SCOPED(finish) struct bench b = start(5);
	uint32_t both, wide;

	b.t->uneven = true;
	add_all(&b, 3, 0);
	wide = add(&b, 0xf, 1);
	add_all(&b, 3, 0xf);
	add_all(&b, 4, 7);
	add_all(&b, 4, 0x10);
	both = add(&b, 7, 1);
	b.t->forms[both].uses[1] = (struct model_use){ 0xf, 1, 1 };
	b.t->forms[both].n_uses = b.t->forms[both].slots = 2;
	infer(&b);
	assert_int_equal(b.w.forms[wide].verdict, PORTS_OK);
	if (b.w.forms[both].verdict == PORTS_OK)
		assert_true(
			is_near(expected(&b, both, 2, wide + 4, 6), 8.0 / 3));
}

/* Slots are unknown.  Stores look like one uop on the ports of their addresses,
 * and share two ports for their data that no other form has. */
TEST(second_uop_where_slots_are_unknown)
{
	SCOPED(finish) struct bench b = start(6);
	uint32_t x, y;

	b.t->uneven = true;
	add_all(&b, 4, 0);
	add_all(&b, 5, 3);
	add_all(&b, 5, 0xc);
	add_all(&b, 5, 1);
	add_all(&b, 5, 0x10);
	x = add(&b, 3, 1);
	y = add(&b, 0xc, 1);
	for (uint32_t i = x; i <= y; i++) {
		b.t->forms[i].uses[1] = (struct model_use){ 0x60, 1, 1 };
		b.t->forms[i].n_uses = b.t->forms[i].slots = 2;
	}
	b.t->n_ports = 7;
	infer(&b);
	assert_true(b.w.uneven);
	if (b.w.forms[x].verdict == PORTS_OK &&
	    b.w.forms[y].verdict == PORTS_OK)
		assert_true(is_near(expected(&b, x, 4, y, 4), 4));
	assert_int_equal(b.w.forms[x].class_id, PORTS_NONE);
	assert_int_equal(b.w.forms[4].verdict, PORTS_OK);
}

/* A front end that is up to a seventh slower than its width: many random mixes
 * take over a tenth longer than the model says.  With a constant width none
 * does. */
TEST(residual_is_said)
{
	for (int uneven = 0; uneven < 2; uneven++) {
		SCOPED(finish) struct bench b = start(3);

		b.t->uneven = uneven;
		add_all(&b, 4, 0);
		for (model_ports set = 3; set < 0x400; set <<= 2)
			add_all(&b, 3, set);
		infer(&b);
		assert_int_equal(has_note(&b, "Ports do not explain"), uneven);
	}
}

/* A move takes no port when it is alone, four per cycle, and one of three ports
 * in mixes.  The front end is six wide, no matter that slower forms together
 * reach five. */
TEST(width_with_a_move_that_changes)
{
	SCOPED(finish) struct bench b = start(6);
	uint32_t move;

	add_all(&b, 3, 0);
	add_all(&b, 3, 7);
	add_all(&b, 3, 8);
	add_all(&b, 3, 16);
	move = add(&b, 7, 1);
	b.t->forms[move].alone = 0.25;
	infer(&b);
	assert_true(b.w.width.low == 6);
	assert_false(b.w.uneven);
}

/* Without a filler, forms that are faster than any mix of others have no known
 * slots. */
TEST(faster_than_any_mix)
{
	SCOPED(finish) struct bench b = start(6);

	b.t->uneven = true;
	add_all(&b, 3, 0);
	for (uint32_t i = 0; i < 3; i++)
		b.t->forms[i].alone = 0.185;
	add_all(&b, 5, 3);
	add_all(&b, 5, 4);
	add_all(&b, 5, 8);
	infer(&b);
	assert_true(b.w.uneven);
	assert_true(b.w.width.low < 5);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(b.w.forms[i].verdict, PORTS_OPEN);
	assert_int_equal(b.w.forms[3].verdict, PORTS_OK);
}

/* The front end is four wide at most and never quite reaches it, and only two
 * forms of one port each can start with each other.  The core is not of width
 * two. */
TEST(few_ports_are_no_narrow_front_end)
{
	SCOPED(finish) struct bench b = start(4);

	b.t->uneven = true;
	add_all(&b, 3, 0);
	for (uint32_t i = 0; i < 3; i++)
		b.t->forms[i].alone = 0.28;
	add_all(&b, 5, 1);
	add_all(&b, 5, 2);
	infer(&b);
	assert_true(b.w.width.low > 2.5);
	for (uint32_t i = 3; i < b.t->n_forms; i++) {
		assert_int_equal(b.w.forms[i].verdict, PORTS_OK);
		assert_int_equal(b.w.forms[i].n_uses, 1);
	}
}

/* The front end hides that two classes of three ports have two in common.  A
 * uop that holds a port of one of them slows the other class down. */
TEST(held_port_of_a_hidden_overlap)
{
	SCOPED(finish) struct bench b = start(4);
	uint32_t slow, other;

	add_all(&b, 3, 0);
	add_all(&b, 3, 7);
	other = add(&b, 0xe, 1);
	add_all(&b, 2, 0xe);
	add_all(&b, 3, 0x10);
	slow = add(&b, 7, 10);
	infer(&b);
	assert_int_equal(b.w.forms[other].verdict, PORTS_OK);
	if (b.w.forms[slow].verdict == PORTS_OK)
		assert_true(is_near(expected(&b, slow, 1, other, 8), 4.5));
}

/* A form as fast as a front end of width three uses three ports; a uop that
 * holds one of them shows that, also where slots are unknown. */
TEST(wide_form_where_slots_are_unknown)
{
	SCOPED(finish) struct bench b = start(3);
	uint32_t wide, slow;

	b.t->uneven = true;
	add_all(&b, 3, 0);
	wide = add(&b, 7, 1);
	add_all(&b, 3, 3);
	add_all(&b, 3, 8);
	slow = add(&b, 3, 5);
	infer(&b);
	assert_int_equal(b.w.forms[slow].verdict, PORTS_OK);
	assert_int_equal(b.w.forms[wide].verdict, PORTS_OPEN);
}

/* A uop that holds one of three ports for five cycles, where no class consists
 * of the three: what makes it slow is no port that is busy for 1.67 cycles. */
TEST(slow_uop_on_ports_without_a_class)
{
	SCOPED(finish) struct bench b = start(3);
	uint32_t slow;

	add_all(&b, 3, 0);
	add_all(&b, 3, 8);
	add_all(&b, 3, 16);
	slow = add(&b, 7, 5);
	infer(&b);
	assert_int_equal(b.w.forms[slow].verdict, PORTS_OPEN);
}
