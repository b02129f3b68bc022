/* Forms that are slower with sources that others wrote; see complete_read.h. */
#include <math.h>
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/model/complete_read.h"

/* Measured times of the same cost differ by less, in cycles. */
static const double same = 0.15;

/* Narrower registers are parts of vector registers of this width. */
enum { LEAST_BITS = 128 };

static unsigned bits_of(const struct completion *k, const struct form *f)
{
	unsigned bits = class_bits(k->c, f);

	return bits < LEAST_BITS ? LEAST_BITS : bits;
}

/* ---- the table ----------------------------------------------------------- */

/* The number of a form, which is added; WRITTEN_MAX: no room, or the catalogue
 * lacks it. */
static uint32_t add_form(struct completion *k, const char *name)
{
	const struct form *f = catalogue_form(k->c, name);
	struct written_table *t = &k->written;
	uint32_t form = f ? (uint32_t)(f - k->c->forms) : 0, i = 0;

	if (!f)
		return WRITTEN_MAX;
	while (i < t->n && t->forms[i] != form)
		i++;
	if (i == t->n && i < WRITTEN_MAX)
		t->forms[t->n++] = form;
	return i;
}

/* Have both results the same effect, as far as both are known? */
static bool is_same_writer(const struct written_table *t, uint32_t x,
			   uint32_t y)
{
	enum { ENOUGH = 2 };
	uint32_t n = 0;

	for (uint32_t r = 0; r < t->n; r++) {
		float a = t->cycles[r][x], b = t->cycles[r][y];

		if (a < 0 || b < 0 || r == x || r == y)
			continue;
		if (fabsf(a - b) > same)
			return false;
		n++;
	}
	return n >= ENOUGH;
}

/* A pair without a value takes that of another writer whose effects are equal
 * wherever both are known, on at least ENOUGH forms. */
static void fill_gaps(struct completion *k)
{
	struct written_table *t = &k->written;
	const struct written_table given = *t;

	for (uint32_t r = 0; r < t->n; r++)
		for (uint32_t w = 0; w < t->n; w++)
			for (uint32_t x = 0; x < t->n && t->cycles[r][w] < 0;
			     x++)
				if (given.cycles[r][x] >= 0 &&
				    is_same_writer(&given, w, x))
					t->cycles[r][w] = given.cycles[r][x];
}

void complete_open_written(struct completion *k)
{
	struct written_table *t = &k->written;

	for (uint32_t r = 0; r < WRITTEN_MAX; r++)
		for (uint32_t w = 0; w < WRITTEN_MAX; w++)
			t->cycles[r][w] = r == w ? 0 : -1;
	for (size_t i = 0; i < k->given->n_written; i++) {
		const struct model_written *x = &k->given->written[i];
		uint32_t r = add_form(k, x->form), w = add_form(k, x->writer);

		if (r < WRITTEN_MAX && w < WRITTEN_MAX)
			t->cycles[r][w] =
				x->cycles < same ? 0 : (float)x->cycles;
	}
	fill_gaps(k);
}

/* ---- forms that are like those of the table ------------------------------ */

/* Are both executed by the same unit?  Published tables tell by ports and
 * latency; without them, LLVM's scheduling class and what was measured. */
static bool is_same_unit(const struct completion *k, const struct form *f,
			 const struct form *g)
{
	const struct model_form *x = complete_find(k->tables, f);
	const struct model_form *y = complete_find(k->tables, g);

	if (x && y && x->has_ports && y->has_ports)
		return class_same_ports(x, y) &&
		       fabs(longest_latency(x) - longest_latency(y)) < same;
	x = model_find(k->given, f->name);
	y = model_find(k->given, g->name);
	return class_schedule(k, f) != 0 &&
	       class_schedule(k, f) == class_schedule(k, g) &&
	       (!x || !y ||
		(rates_agree(x->throughput, y->throughput) &&
		 fabs(longest_latency(x) - longest_latency(y)) < same));
}

uint8_t complete_written(const struct completion *k, const struct form *f)
{
	const struct written_table *t = &k->written;
	const struct form *of = f;

	if (t->n == 0 || !f->vector_state || form_stores(f) ||
	    (form_loads(f) && !form_computes(f)))
		return 0;
	for (uint32_t i = 0; i < t->n; i++)
		if (&k->c->forms[t->forms[i]] == f)
			return (uint8_t)(i + 1);
	for (uint32_t i = 0; i < t->n; i++) {
		const struct form *g = &k->c->forms[t->forms[i]];

		if (strcmp(g->mnemonic, f->mnemonic) == 0 &&
		    bits_of(k, f) == bits_of(k, g))
			return (uint8_t)(i + 1);
	}
	if (form_loads(f))
		of = class_in_registers(k, f, COST_LATENCY);
	for (uint32_t i = 0; of && i < t->n; i++) {
		const struct form *g = &k->c->forms[t->forms[i]];

		if (bits_of(k, of) == bits_of(k, g) && is_same_unit(k, of, g))
			return (uint8_t)(i + 1);
	}
	return 0;
}

double completed_written(const struct completion *k,
			 const struct completed_form *reader,
			 const struct completed_form *writer)
{
	if (reader->written == 0 || writer->written == 0)
		return 0;
	return fmax(
		0, k->written.cycles[reader->written - 1][writer->written - 1]);
}
