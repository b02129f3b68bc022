/* How much longer latencies of a form are if another form wrote one of its sources; see
 * claims_read.h. */
#include <math.h>
#include <string.h>

#include "host/model/claims_read.h"
#include "host/model/complete.h"

/* In cycles.  Wider spans are bounds and are not used; a chain faster than the form's own
 * by more than this is an error of measurement. */
static const double narrow = 0.25;

/* The mean of instances that differ is a value, too. */
static bool is_known(const struct claim *c)
{
	return claim_is(c, "written") && c->has_value &&
	       (strcmp(c->verdict, "ok") == 0 ||
		strcmp(c->verdict, "mixture") == 0) &&
	       c->high_cycles - c->low_cycles < narrow;
}

void claims_written(struct claim_reader *r)
{
	const struct claim *c = (const void *)r->values.bytes;
	size_t n = r->values.n / sizeof(*c);

	for (size_t i = 0; i < n; i++) {
		size_t at = strcspn(c[i].destination, "@");
		struct model_written x = { .cycles = 0 };
		const struct model_form *form, *writer;
		struct model_span own;

		if (!is_known(&c[i]))
			continue;
		form = claims_find_form(r, c[i].form, strlen(c[i].form));
		writer = claims_find_form(r, c[i].destination, at);
		if (!form || !writer)
			continue;
		own = claims_own_latency(r, form, c[i].source);
		if (!own.has_value || own.high - own.low >= narrow)
			continue;
		x.form = form->name;
		x.writer = writer->name;
		x.cycles = model_cycles(claim_span(&c[i])) - model_cycles(own);
		if (x.cycles < -narrow || x.cycles > MODEL_MOST_WRITTEN)
			continue;
		x.cycles = fmax(0, x.cycles);
		buffer_add(&r->written, &x, sizeof(x));
	}
}
