/* What an instruction set has in addition to its catalogue, see typed.h: the
 * forms that programs use most; and other mnemonics of forms, from the table of
 * spellings: LLVM's assembler tells which form a line is. */
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/isa/isa.h"
#include "host/isa/spelling.h"
#include "host/isa/typed.h"

struct alias_reader {
	struct arena *a;
	const struct catalogue *c;
	struct buffer list; /* struct typed_alias */
};

static bool is_first(const struct alias_reader *r, const struct typed_alias *x)
{
	const struct typed_alias *list = (void *)r->list.bytes;

	for (size_t i = 0; i < r->list.n / sizeof(*list); i++)
		if (strcmp(list[i].word, x->word) == 0)
			return false;
	return true;
}

/* With as many operands as the form's own text, the mnemonic is another word
 * for the form's; with others it is so for this opcode alone. */
static int take(void *context, const struct spelling *x)
{
	struct alias_reader *r = context;
	const struct typed_index none = { .n_used = 0 };
	struct typed_alias alias = { .word = "" };
	struct typed_text line;
	struct typed_form f;
	unsigned n_operands;

	typed_read(r->c->isa, x->line, &line);
	typed_form(r->a, r->c, &none, x->form, &f);
	n_operands = *f.operands != '\0';
	for (const char *at = f.operands; *at != '\0'; at++)
		n_operands += at[0] == ' ' && at[1] != '|';
	alias.word = arena_strdup(r->a, line.words[0]);
	alias.opcode = x->form->opcode;
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

/* ---- what programs use --------------------------------------------------- */

struct used_name {
	const char *name;
	unsigned place;
};

static int used_compare(const void *a, const void *b)
{
	const struct used_name *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void load_used(struct arena *a, const struct isa *isa,
		      struct typed_index *ret)
{
	char *text = arena_strdup(a, isa->used);
	size_t n = 0;

	for (const char *at = text; *at != '\0'; at++)
		n += *at == '\n';
	*ret = (struct typed_index){ .n_used = 0 };
	ret->used = ARENA_ARRAY(a, struct used_name, n + 1);
	for (char *end; (end = strchr(text, '\n')) != NULL;) {
		*end = '\0';
		ret->used[ret->n_used] =
			(struct used_name){ text, (unsigned)ret->n_used };
		ret->n_used++;
		text = end + 1;
	}
	qsort(ret->used, n, sizeof(*ret->used), used_compare);
}

unsigned typed_used_place(const struct typed_index *x, const char *form)
{
	char name[ISA_NAME_ROOM];
	struct used_name key = { name, 0 };
	const struct used_name *found;
	size_t n = strcspn(form, "/");

	if (n >= sizeof(name))
		return TYPED_UNUSED;
	memcpy(name, form, n);
	name[n] = '\0';
	found = bsearch(&key, x->used, x->n_used, sizeof(key), used_compare);
	return found ? found->place : TYPED_UNUSED;
}

int typed_index_load(struct arena *a, const struct catalogue *c,
		     struct typed_index *ret, struct err *e)
{
	struct alias_reader r = { .a = a, .c = c };

	load_used(a, c->isa, ret);
	if (spelling_read(a, c, take, &r, e) == ERR_OK) {
		ret->n_aliases = r.list.n / sizeof(*ret->aliases);
		ret->aliases = arena_copy(a, r.list.bytes, r.list.n);
	}
	buffer_free(&r.list);
	return e->code;
}
