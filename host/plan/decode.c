/* Controls of forms that are slow to decode; see decode.h. */
#include "host/plan/decode.h"

#include "host/isa/decoding.h"
#include "host/isa/isa.h"
#include "host/plan/pairs.h"

static bool set_control(const struct catalogue *c, const char *name,
			struct experiment *ret)
{
	const struct form *f = catalogue_form(c, name);
	struct pair pair;

	if (!f || f->status != FORM_MEASURABLE)
		return false;
	*ret = experiment_of(EXPERIMENT_CONTROL, f, -1, -1);
	return pair_independent(c, f, &pair) && pair_add_helpers(c, &pair, ret);
}

size_t decode_controls(const struct catalogue *c, const struct form *form,
		       struct experiment ret[DECODE_MAX])
{
	char name[DECODING_ROOM];
	size_t n = 0;

	if (!c->isa->decoding || form->variant ||
	    !decoding_long(form->name, name) || !set_control(c, name, &ret[n]))
		return 0;
	n++;
	if (decoding_like(c->isa->decoding, form->name, name))
		n += set_control(c, name, &ret[n]);
	return n;
}
