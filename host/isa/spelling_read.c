/* The table of spellings, read by LLVM's assembler; see spelling.h. */
#include <string.h>

#include "host/base/file.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/mc_parse.h"
#include "host/isa/spelling.h"

struct reader {
	struct arena *a;
	const struct catalogue *c;
	struct buffer text,
		lines; /* lines: const char *, one each of the text */
	int (*take)(void *context, const struct spelling *x);
	void *context;
};

static void add_line(struct reader *r, const char *line, const char *word,
		     size_t n)
{
	const char *at = strchr(line, '?');
	const char *text =
		at ? arena_printf(r->a, "%.*s%.*s%s", (int)(at - line), line,
				  (int)n, word, at + 1)
		   : line;

	buffer_add(&r->lines, &text, sizeof(text));
	buffer_printf(&r->text, "%s\n", text);
}

static void add_lines(struct reader *r, const struct isa_spelling *x)
{
	const char *at = x->words ? x->words : " ";

	while (*at != '\0') {
		size_t n = strcspn(at, " ");

		add_line(r, x->line, at, n);
		at += n + strspn(at + n, " ");
	}
}

static int take_statement(void *context, const struct mc_statement *s)
{
	struct reader *r = context;
	const char *const *lines = (void *)r->lines.bytes;
	struct instance i;

	if (s->is_label || s->n_code == 0 || s->line == 0 ||
	    s->line > r->lines.n / sizeof(*lines) ||
	    instance_decode_whole(r->c, s->code, s->n_code, &i) == 0 || !i.form)
		return ERR_OK;
	return r->take(r->context, &(struct spelling){ lines[s->line - 1],
						       i.form, s->branch });
}

int spelling_read(struct arena *a, const struct catalogue *c,
		  int (*take)(void *context, const struct spelling *x),
		  void *context, struct err *e)
{
	struct reader r = { .a = a, .c = c, .take = take, .context = context };
	struct mc_parser *p = NULL;

	if (mc_parser_open(c->isa->triple, c->isa->default_cpu,
			   c->isa->features, &p, e) != ERR_OK)
		return e->code;
	for (const struct isa_spelling *x = c->isa->spellings; x->line; x++)
		add_lines(&r, x);
	buffer_add(&r.text, "", 1);
	(void)mc_parse(p,
		       &(struct mc_text){ .name = "spellings",
					  .text = (const char *)r.text.bytes,
					  .n = r.text.n - 1 },
		       take_statement, &r, e);
	mc_parser_close(p);
	buffer_free(&r.text);
	buffer_free(&r.lines);
	return e->code;
}
