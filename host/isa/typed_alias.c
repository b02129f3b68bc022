/* Other mnemonics of forms, from the table of spellings: LLVM's assembler tells
 * which form a line is.  See typed.h. */
#include <string.h>

#include "host/base/file.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/mc_parse.h"
#include "host/isa/spelling.h"
#include "host/isa/typed.h"

struct alias_reader {
	struct arena *a;
	const struct catalogue *c;
	struct buffer text, lines; /* const char *, of text */
	struct buffer list;        /* struct typed_alias */
};

static void add_line(struct alias_reader *r, const char *line, const char *word,
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

static void add_lines(struct alias_reader *r, const struct isa_spelling *x)
{
	const char *at = x->words ? x->words : " ";

	while (*at != '\0') {
		size_t n = strcspn(at, " ");

		add_line(r, x->line, at, n);
		at += n + strspn(at + n, " ");
	}
}

static bool is_first(const struct alias_reader *r, const struct typed_alias *x)
{
	const struct typed_alias *list = (void *)r->list.bytes;

	for (size_t i = 0; i < r->list.n / sizeof(*list); i++)
		if (strcmp(list[i].word, x->word) == 0)
			return false;
	return true;
}

/* With as many operands as the form's own text, the mnemonic is another word for
 * the form's; with others it is so for this opcode alone. */
static int take(void *context, const struct mc_statement *x)
{
	struct alias_reader *r = context;
	size_t n = r->lines.n / sizeof(char *);
	const struct typed_index none = { .n_used = 0 };
	struct typed_alias alias = { .word = "" };
	struct typed_text line;
	struct typed_form f;
	struct instance i;
	unsigned n_operands;

	if (x->is_label || x->n_code == 0 || x->line == 0 || x->line > n ||
	    instance_decode_whole(r->c, x->code, x->n_code, &i) == 0 || !i.form)
		return ERR_OK;
	typed_read(r->c->isa,
		   ((const char **)(void *)r->lines.bytes)[x->line - 1], &line);
	typed_form(r->a, r->c, &none, i.form, &f);
	n_operands = *f.operands != '\0';
	for (const char *at = f.operands; *at != '\0'; at++)
		n_operands += at[0] == ' ' && at[1] != '|';
	alias.word = arena_strdup(r->a, line.words[0]);
	alias.opcode = i.form->opcode;
	if (line.n_operands == n_operands && !x->branch)
		alias.of = arena_printf(r->a, "%.*s",
					(int)strcspn(f.mnemonics, ","),
					f.mnemonics);
	if (alias.of && strcmp(alias.of, alias.word) == 0)
		return ERR_OK;
	alias.first = is_first(r, &alias);
	buffer_add(&r->list, &alias, sizeof(alias));
	return ERR_OK;
}

int typed_index_load(struct arena *a, const struct catalogue *c,
		     struct typed_index *ret, struct err *e)
{
	struct alias_reader r = { .a = a, .c = c };
	struct mc_parser *p = NULL;

	typed_used_load(a, c->isa, ret);
	if (mc_parser_open(c->isa->triple, c->isa->default_cpu,
			   c->isa->features, &p, e) != ERR_OK)
		return e->code;
	for (const struct isa_spelling *x = c->isa->spellings; x->line; x++)
		add_lines(&r, x);
	buffer_add(&r.text, "", 1);
	if (mc_parse(p, "spellings", (const char *)r.text.bytes, r.text.n - 1,
		     0, take, &r, e) == ERR_OK) {
		ret->n_aliases = r.list.n / sizeof(*ret->aliases);
		ret->aliases = arena_copy(a, r.list.bytes, r.list.n);
	}
	mc_parser_close(p);
	buffer_free(&r.text);
	buffer_free(&r.lines);
	buffer_free(&r.list);
	return e->code;
}
