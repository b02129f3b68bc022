/* Annotations of llvm-exegesis' snippet files, comments of the form
 * "# LLVM-EXEGESIS-DEFREG XMM1 42" (its documentation, "Snippet annotations"):
 * values of registers, memory at addresses, the place of the code, and the
 * register that counts its repetitions. */
#include <string.h>

#include "host/base/hex.h"
#include "host/cli/time_command.h"
#include "host/isa/catalogue.h"

enum { MOST_VALUE = 4096, NAME_ROOM = 24 };

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

/* Bytes of hexadecimal digits, the lowest first, in `a`; NULL: they are none, or
 * more than `most`. */
static uint8_t *parse_bytes(struct arena *a, struct snippet_word w, size_t most,
			    size_t *ret_n)
{
	uint8_t *ret;

	if (w.n > 2 && w.at[0] == '0' && (w.at[1] == 'x' || w.at[1] == 'X')) {
		w.at += 2;
		w.n -= 2;
	}
	if (w.n == 0 || w.n > 2 * most)
		return NULL;
	*ret_n = (w.n + 1) / 2;
	ret = ARENA_ARRAY(a, uint8_t, most);
	for (size_t i = 0; i < w.n; i++) {
		int d = hex_digit(w.at[w.n - 1 - i]);

		if (d < 0)
			return NULL;
		ret[i / 2] |= (uint8_t)(i % 2 ? d << 4 : d);
	}
	return ret;
}

/* A number of 64 bits: base 16, or 10. */
static bool parse_word(struct snippet_word w, unsigned base, uint64_t *ret)
{
	uint64_t x = 0;

	if (base > 10 && w.n > 2 && w.at[0] == '0' && w.at[1] == 'x') {
		w.at += 2;
		w.n -= 2;
	}
	for (size_t i = 0; i < w.n; i++) {
		int d = hex_digit(w.at[i]);

		if (d < 0 || (unsigned)d >= base || x > UINT64_MAX / base ||
		    x * base > UINT64_MAX - (unsigned)d)
			return false;
		x = x * base + (unsigned)d;
	}
	*ret = x;
	return w.n > 0;
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

/* What the annotations of a file say, in lists with room for all of them. */
struct annotations {
	struct arena *a;
	const struct catalogue *c;
	const struct source *source;
	struct snippet_request *q;
	struct snippet_set *sets;
	struct snippet_data *defined, *mapped;
	size_t n_sets, n_defined, n_mapped;
};

static int complain(const struct annotations *w, const struct annotation *x,
		    const char *expected, struct err *e)
{
	return err_set(e, ERR_INPUT, "%s:%u: expected %s", w->source->name,
		       x->line, expected);
}

static int take_register(struct annotations *w, struct annotation *x,
			 struct err *e)
{
	const struct catalogue *c = w->c;
	struct snippet_word name = next_word(x), value = next_word(x);
	struct snippet_set *ret = &w->sets[w->n_sets];
	const struct reg *r;
	const uint8_t *bytes;
	size_t n;

	ret->reg = word_register(c, name);
	r = &c->regs[ret->reg];
	/* Without a value, it has one of ours. */
	if (ret->reg != REG_NONE && value.n == 0)
		return ERR_OK;
	bytes = parse_bytes(w->a, value, VALUE_BYTES, &n);
	if (ret->reg == REG_NONE || !bytes ||
	    (r->bank != BANK_GPR && r->bank != BANK_VECTOR))
		return complain(w, x,
				"DEFREG, a general or vector register, and its "
				"value of 1 to 32 hexadecimal digits or none",
				e);
	memcpy(ret->bytes, bytes, VALUE_BYTES);
	memcpy(&ret->value, ret->bytes, sizeof(ret->value));
	w->n_sets++;
	return ERR_OK;
}

/* A name, bytes, and a value that fills them. */
static int take_definition(struct annotations *w, struct annotation *x,
			   struct err *e)
{
	struct snippet_word name = next_word(x), size = next_word(x);
	struct snippet_word value = next_word(x);
	struct snippet_data *d = &w->defined[w->n_defined];
	const uint8_t *bytes;
	uint64_t n;
	size_t n_value = 0;

	bytes = parse_bytes(w->a, value, MOST_VALUE, &n_value);
	if (name.n == 0 || !parse_word(size, 10, &n) || n == 0 ||
	    n > PACK_MOST_MEMORY || !bytes || n_value > n)
		return complain(w, x,
				"a name, a number of bytes up to 256 MiB, and "
				"at most as many as hexadecimal digits",
				e);
	*d = (struct snippet_data){ .name = arena_printf(w->a, "%.*s",
							 (int)name.n, name.at),
				    .reg = -1,
				    .is_address = true,
				    .value = bytes,
				    .value_bytes = (uint32_t)n_value,
				    .bytes = (uint32_t)n };
	w->n_defined++;
	return ERR_OK;
}

static int take_map(struct annotations *w, struct annotation *x, struct err *e)
{
	struct snippet_word name = next_word(x), at = next_word(x);

	for (size_t i = 0; i < w->n_defined; i++) {
		struct snippet_data *d = &w->mapped[w->n_mapped];

		if (!word_is(name, w->defined[i].name))
			continue;
		*d = w->defined[i];
		if (!parse_word(at, 16, &d->address))
			break;
		w->n_mapped++;
		return ERR_OK;
	}
	return complain(w, x,
			"a name of an earlier MEM-DEF and a hexadecimal "
			"address",
			e);
}

static int take_address(struct annotations *w, struct annotation *x,
			struct err *e)
{
	struct snippet_request *q = w->q;
	uint64_t at;

	if (!parse_word(next_word(x), 16, &at))
		return complain(w, x, "a hexadecimal address", e);
	q->placed_at = true;
	if (q->offset < 0)
		q->offset = (int)(at % PROGRAM_LINE);
	return ERR_OK;
}

static int take_loop_register(struct annotations *w, struct annotation *x,
			      struct err *e)
{
	const struct catalogue *c = w->c;
	int g = snippet_gpr(c, word_register(c, next_word(x)));

	if (g < 0)
		return complain(w, x, "a general register", e);
	w->q->counter = g;
	return ERR_OK;
}

/* A register that keeps what the start left in it: memory, or nothing that code
 * could count on.  Every register has a value here. */
static int take_live(struct annotations *w, struct annotation *x, struct err *e)
{
	return word_register(w->c, next_word(x)) != REG_NONE
		       ? ERR_OK
		       : complain(w, x, "a register", e);
}

static const struct {
	const char *name;
	int (*take)(struct annotations *w, struct annotation *x, struct err *e);
} kinds[] = {
	{ "DEFREG", take_register },
	{ "LIVEIN", take_live },
	{ "MEM-DEF", take_definition },
	{ "MEM-MAP", take_map },
	{ "SNIPPET-ADDRESS", take_address },
	{ "LOOP-REGISTER", take_loop_register },
};

static int take_line(struct annotations *w, struct annotation *x, struct err *e)
{
	struct snippet_word kind = next_word(x);

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (word_is(kind, kinds[i].name))
			return kinds[i].take(w, x, e);
	return complain(w, x,
			"DEFREG, LIVEIN, MEM-DEF, MEM-MAP, SNIPPET-ADDRESS or "
			"LOOP-REGISTER behind LLVM-EXEGESIS-",
			e);
}

/* Options count, so they come last. */
static void merge(struct annotations *w)
{
	struct snippet_request *q = w->q;

	memcpy(w->sets + w->n_sets, q->sets, q->n_sets * sizeof(*q->sets));
	memcpy(w->mapped + w->n_mapped, q->data, q->n_data * sizeof(*q->data));
	q->sets = w->sets;
	q->n_sets += w->n_sets;
	q->data = w->mapped;
	q->n_data += w->n_mapped;
}

int time_annotations(struct arena *a, const struct loop_input *in,
		     struct snippet_request *q, struct err *e)
{
	const char *text = in->source.text;
	const char *end = text ? text + in->source.n : NULL;
	struct annotations w = {
		.a = a, .c = in->program.c, .source = &in->source, .q = q
	};
	unsigned line = 1;
	size_t n = 1;

	if (!text)
		return ERR_OK;
	for (const char *at = text; at < end; at++)
		n += *at == '\n';
	w.sets = ARENA_ARRAY(a, struct snippet_set, q->n_sets + n);
	w.defined = ARENA_ARRAY(a, struct snippet_data, n);
	w.mapped = ARENA_ARRAY(a, struct snippet_data, q->n_data + n);
	for (const char *at = text; at < end; line++) {
		const char *stop = source_line_end(at, end);
		struct annotation x = { .at = behind_mark(at, stop),
					.end = stop,
					.line = line };

		at = stop < end ? stop + 1 : end;
		if (x.at && take_line(&w, &x, e) != ERR_OK)
			return e->code;
	}
	merge(&w);
	return ERR_OK;
}
