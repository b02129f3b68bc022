/* Annotations of llvm-exegesis' snippet files, comments of the form
 * "# LLVM-EXEGESIS-DEFREG XMM1 42" (its documentation, "Snippets"): first values
 * of registers.  What else they say of the state holds without them (docs/time.md). */
#include <string.h>

#include "host/base/hex.h"
#include "host/cli/time_command.h"
#include "host/isa/catalogue.h"

enum { MOST_VALUE = 2 * VALUE_BYTES, NAME_ROOM = 24 };

static const char mark[] = "LLVM-EXEGESIS-";

struct annotation {
	const char *at, *end; /* what is left of its line */
	unsigned line;
};

struct snippet_word {
	const char *at;
	size_t n;
};

/* Behind the mark; NULL: the line has none. */
static const char *behind_mark(const char *at, const char *end)
{
	for (; at + sizeof(mark) - 1 <= end; at++)
		if (memcmp(at, mark, sizeof(mark) - 1) == 0)
			return at + sizeof(mark) - 1;
	return NULL;
}

static struct snippet_word next_word(struct annotation *x)
{
	struct snippet_word w;

	while (x->at < x->end && (*x->at == ' ' || *x->at == '\t'))
		x->at++;
	w.at = x->at;
	while (x->at < x->end && *x->at != ' ' && *x->at != '\t' &&
	       *x->at != '\r')
		x->at++;
	w.n = (size_t)(x->at - w.at);
	return w;
}

static bool word_is(struct snippet_word w, const char *text)
{
	return w.n == strlen(text) && memcmp(w.at, text, w.n) == 0;
}

/* Hexadecimal digits, the highest first. */
static bool parse_value(struct snippet_word w, uint8_t ret[VALUE_BYTES])
{
	if (w.n > 2 && w.at[0] == '0' && (w.at[1] == 'x' || w.at[1] == 'X')) {
		w.at += 2;
		w.n -= 2;
	}
	if (w.n == 0 || w.n > MOST_VALUE)
		return false;
	memset(ret, 0, VALUE_BYTES);
	for (size_t i = 0; i < w.n; i++) {
		int d = hex_digit(w.at[w.n - 1 - i]);

		if (d < 0)
			return false;
		ret[i / 2] |= (uint8_t)(i % 2 ? d << 4 : d);
	}
	return true;
}

static uint16_t word_register(const struct catalogue *c, struct snippet_word w)
{
	char name[NAME_ROOM];

	if (w.n == 0 || w.n >= sizeof(name))
		return REG_NONE;
	memcpy(name, w.at, w.n);
	name[w.n] = '\0';
	return catalogue_register(c, name);
}

static int take_register(const struct timing_job *j, struct annotation *x,
			 struct snippet_set *ret, struct err *e)
{
	const struct catalogue *c = j->c.catalogue;
	struct snippet_word name = next_word(x), value = next_word(x);
	const struct reg *r;

	ret->reg = word_register(c, name);
	r = &c->regs[ret->reg];
	if (ret->reg == REG_NONE || !parse_value(value, ret->bytes) ||
	    (r->bank != BANK_GPR && r->bank != BANK_VECTOR))
		return err_set(e, ERR_INPUT,
			       "%s:%u: expected a general or vector register "
			       "and at most %d hexadecimal digits",
			       j->in.source.name, x->line, MOST_VALUE);
	memcpy(&ret->value, ret->bytes, sizeof(ret->value));
	return ERR_OK;
}

/* Memory of such a snippet: only where pages appear, and with their content. */
static int refuse_memory(const struct timing_job *j, const struct annotation *x,
			 struct err *e)
{
	return err_set(e, ERR_INPUT,
		       "%s:%u: memory of a value or address of its own is not "
		       "supported; without the annotation, memory that the "
		       "code accesses appears in a process",
		       j->in.source.name, x->line);
}

int time_annotations(struct timing_job *j, struct err *e)
{
	const char *text = j->in.source.text;
	const char *end = text ? text + j->in.source.n : NULL;
	struct snippet_request *q = &j->request;
	struct snippet_set *sets;
	unsigned line = 1;
	size_t n = 0;

	for (const char *at = text; at && at < end; at++)
		n += *at == '\n';
	sets = ARENA_ARRAY(j->a, struct snippet_set, q->n_sets + n + 2);
	n = 0;
	for (const char *at = text; at && at < end; line++) {
		const char *stop = source_line_end(at, end);
		struct annotation x = { .at = behind_mark(at, stop),
					.end = stop,
					.line = line };
		struct snippet_word kind;

		at = stop < end ? stop + 1 : end;
		if (!x.at)
			continue;
		kind = next_word(&x);
		if (word_is(kind, "DEFREG")) {
			if (take_register(j, &x, &sets[n++], e) != ERR_OK)
				return e->code;
		} else if (word_is(kind, "MEM-DEF") ||
			   word_is(kind, "MEM-MAP")) {
			return refuse_memory(j, &x, e);
		}
	}
	/* Options count, so they come last. */
	memcpy(sets + n, q->sets, q->n_sets * sizeof(*sets));
	q->sets = sets;
	q->n_sets += n;
	return ERR_OK;
}
