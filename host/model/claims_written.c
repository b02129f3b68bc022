/* How much longer latencies of a form are if another form has written one of its
 * sources; see claims_read.h. */
#include <math.h>
#include <string.h>

#include "host/model/claims_read.h"
#include "host/model/complete.h"

/* The mean of chains whose instances differ is a value, too. */
static bool is_known(const struct claim *c)
{
	static const double narrow = 0.25;

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
		const struct model_form *form, *writer;
		double alone;

		if (!is_known(&c[i]))
			continue;
		form = claims_find_form(r, c[i].form, strlen(c[i].form));
		writer = claims_find_form(r, c[i].destination, at);
		if (!form || !writer ||
		    !claims_own_latency(r, form, c[i].source, &alone))
			continue;

		const struct model_written x = {
			form->name, writer->name,
			fmax(0, model_cycles(claim_span(&c[i])) - alone)
		};

		buffer_add(&r->written, &x, sizeof(x));
	}
}
