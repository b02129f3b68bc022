/* Bytes that the user gives for the memory of own code; see snippet.h. */
#include <inttypes.h>

#include "host/campaign/snippet.h"
#include "host/isa/frame.h"
#include "host/isa/isa.h"

enum { N_GPRS = 32 };

/* The register that points to the data; -1: there is none. */
static int pointer_of(const struct snippet *s, const struct snippet_data *d)
{
	for (int g = 0; g < N_GPRS; g++)
		if (s->gprs[g].pointer && (d->reg < 0 || d->reg == g))
			return g;
	return -1;
}

void snippet_data_extents(const struct snippet_request *q, struct snippet *s)
{
	for (size_t i = 0; i < q->n_data; i++) {
		const struct snippet_data *d = &q->data[i];
		int g = d->is_address ? -1 : pointer_of(s, d);

		if (g < 0)
			continue;
		if (s->gprs[g].low > 0)
			s->gprs[g].low = 0;
		if (s->gprs[g].high < d->bytes)
			s->gprs[g].high = d->bytes;
	}
}

static int place(struct arena *a, const struct snippet_request *q,
		 const struct snippet_data *d, const struct snippet *s,
		 struct gen_data *ret, struct err *e)
{
	int g = pointer_of(s, d);
	*ret = (struct gen_data){ .at = d->address,
				  .bytes = d->bytes,
				  .is_address = d->is_address,
				  .value = d->value,
				  .value_bytes = d->value_bytes };
	if (d->is_address && !q->pages)
		return err_set(e, ERR_INPUT,
			       "%s: memory at address 0x%" PRIx64
			       " needs a board that is a process, such as "
			       "linux-process",
			       d->name, d->address);
	if (d->is_address)
		return ERR_OK;
	if (g < 0 || !(s->gen.image.gpr_is_memory >> g & 1))
		return d->reg < 0
			       ? err_set(e, ERR_INPUT,
					 "%s: the code has no register that "
					 "points into memory, so these bytes "
					 "have no place",
					 d->name)
			       : err_set(e, ERR_INPUT,
					 "%s: %s does not point into memory in "
					 "this code",
					 d->name,
					 frame_gpr(a, q->program->c->isa,
						   (unsigned)d->reg));
	ret->at = s->gen.image.gpr[g] + (uint64_t)s->gen.frame.bias[g];
	return ERR_OK;
}

int snippet_place_data(struct arena *a, const struct snippet_request *q,
		       struct snippet *s, struct err *e)
{
	struct gen_data *list = ARENA_ARRAY(a, struct gen_data, q->n_data + 1);

	for (size_t i = 0; i < q->n_data; i++)
		if (place(a, q, &q->data[i], s, &list[i], e) != ERR_OK)
			return e->code;
	s->gen.data = list;
	s->gen.n_data = q->n_data;
	return ERR_OK;
}
