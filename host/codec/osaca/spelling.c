/* Other spellings of forms, as the instruction set's table has them.  LLVM's
 * assembler tells which form a line is; see entry.h. */
#include <string.h>

#include "host/codec/osaca/entry.h"
#include "host/isa/isa.h"
#include "host/isa/spelling.h"
#include "host/isa/variant.h"

struct spelling_reader {
	const struct model *m;
	const struct catalogue *c;
	void (*add)(void *context, const struct form *form,
		    const struct model_form *f, const struct signature *s);
	void *context;
};

/* The form of the model for an opcode: itself, else the variant of which most
 * is known, of these the one with the shortest name. */
static const struct model_form *find_cost(const struct spelling_reader *r,
					  const char *name,
					  const struct form **ret)
{
	const struct model_form *best = NULL;
	size_t n = strcspn(name, "/");
	unsigned most = 0;

	for (size_t i = 0; i < r->m->n_forms; i++) {
		const struct model_form *f = &r->m->forms[i];
		const struct form *form;
		unsigned score;

		if (strncmp(f->name, name, n) != 0 ||
		    (f->name[n] != '\0' && f->name[n] != '/'))
			continue;
		form = catalogue_form(r->c, f->name);
		if (!form || form_family(form) == FAMILY_FUSED)
			continue;
		score = osaca_score(form, f);
		if (f->name[n] == '\0' && score > 0) {
			*ret = form;
			return f;
		}
		if (score > most || (best && score == most &&
				     strlen(f->name) < strlen(best->name))) {
			most = score;
			best = f;
			*ret = form;
		}
	}
	return best;
}

static int take(void *context, const struct spelling *x)
{
	struct spelling_reader *r = context;
	const struct model_form *f;
	const struct form *form;
	struct signature s;

	if (!signature_parse(r->c->isa, x->line, &s))
		return ERR_OK;
	f = find_cost(r, x->form->name, &form);
	if (!f)
		return ERR_OK;
	if (x->branch && s.n > 0)
		s.operands[s.n - 1].class = SIGNATURE_LABEL;
	r->add(r->context, form, f, &s);
	return ERR_OK;
}

int osaca_spellings(struct arena *a, const struct model *m,
		    const struct catalogue *c,
		    void (*add)(void *context, const struct form *form,
				const struct model_form *f,
				const struct signature *s),
		    void *context, struct err *e)
{
	struct spelling_reader r = {
		.m = m, .c = c, .add = add, .context = context
	};

	return spelling_read(a, c, take, &r, e);
}
