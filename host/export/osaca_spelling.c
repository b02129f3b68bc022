/* Other spellings of forms, as the instruction set's table has them.  LLVM's
 * assembler tells which form a line is; see osaca_entry.h. */
#include <string.h>

#include "host/export/osaca_entry.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/mc_parse.h"
#include "host/isa/spelling.h"
#include "host/isa/variant.h"

enum { LINE = 128, MAX_LINES = 1024 };

struct spelling_reader {
	struct arena *a;
	const struct model *m;
	const struct catalogue *c;
	struct buffer text;
	const char *lines[MAX_LINES];
	size_t n;
	void (*add)(void *context, const struct form *form,
		    const struct model_form *f, const struct signature *s);
	void *context;
};

static void add_line(struct spelling_reader *r, const char *line,
		     const char *word, size_t n)
{
	const char *at = strchr(line, '?');
	char *text = at ? arena_printf(r->a, "%.*s%.*s%s", (int)(at - line),
				       line, (int)n, word, at + 1)
			: arena_strdup(r->a, line);

	if (r->n == MAX_LINES)
		return;
	r->lines[r->n++] = text;
	buffer_printf(&r->text, "%s\n", text);
}

static void add_lines(struct spelling_reader *r, const struct isa_spelling *x)
{
	const char *at = x->words;

	if (!at)
		add_line(r, x->line, "", 0);
	while (at && *at != '\0') {
		size_t n = strcspn(at, " ");

		add_line(r, x->line, at, n);
		at += n + strspn(at + n, " ");
	}
}

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

static int take(void *context, const struct mc_statement *x)
{
	struct spelling_reader *r = context;
	const struct model_form *f;
	const struct form *form;
	struct signature s;
	struct instance i;

	if (x->is_label || x->n_code == 0 || x->line == 0 || x->line > r->n ||
	    instance_decode_whole(r->c, x->code, x->n_code, &i) == 0 ||
	    !i.form || !signature_parse(r->c->isa, r->lines[x->line - 1], &s))
		return ERR_OK;
	f = find_cost(r, i.form->name, &form);
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
		.a = a, .m = m, .c = c, .add = add, .context = context
	};
	struct mc_parser *p = NULL;

	if (mc_parser_open(c->isa->triple, c->isa->default_cpu,
			   c->isa->features, &p, e) != ERR_OK)
		return e->code;
	for (const struct isa_spelling *x = c->isa->spellings; x->line; x++)
		add_lines(&r, x);
	buffer_add(&r.text, "", 1);
	(void)mc_parse(p, "spellings", (const char *)r.text.bytes, r.text.n - 1,
		       0, take, &r, e);
	mc_parser_close(p);
	buffer_free(&r.text);
	return e->code;
}
