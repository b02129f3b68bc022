/* Reads the files of models/facts; see facts.h.
 *
 * A file is a list of lines "key = value"; "source TAG = TEXT" names a
 * publication, "core = NAME" begins a core, and each fact of a core ends in the
 * tag of its source, "@TAG". */
#include "host/isa/facts.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SOURCES = 24, MOST_FACTS = 128 };

/* Keys of a core that need no source: what the file itself is about. */
static const char *const plain[] = { "isa", "llvm", "names" };
/* Those that do. */
static const char *const sourced[] = {
	"identity",
	"width",
	"reorder_buffer",
	"corrected", /* of LLVM's tables (host/codec/llvm/correct.c) */
	/* Read by the effects of host/effect. */
	"stack_engine",
	"micro_fusion",
	"predecode",
	"decoders",
	"eliminates",
	"forwarding",
	"blocked_forwarding",
	"three_part_lea",
	"load_to_load",
	"waits_for_destination",
	"divide32",
	"divide64",
	"locked",
	"conditional_move",
};

struct facts_reader {
	struct arena *a;
	const char *path;
	struct err *e;
	size_t line;
	size_t n_sources;
	struct {
		const char *tag, *text;
	} sources[MOST_SOURCES];
	struct known_core core; /* being read; its name is NULL: none */
	size_t n;
	struct core_fact facts[MOST_FACTS];
	struct known_cores *ret;
};

static int facts_bad(struct facts_reader *r, const char *expected)
{
	return err_set(r->e, ERR_INPUT, "%s:%zu: expected %s", r->path, r->line,
		       expected);
}

/* Append to a list whose room is the next power of two. */
static void append_core(struct facts_reader *r)
{
	size_t n = r->ret->n;

	if ((n & (n - 1)) == 0) {
		struct known_core *list =
			ARENA_ARRAY(r->a, struct known_core, n ? 2 * n : 1);

		if (n > 0)
			memcpy(list, r->ret->cores, n * sizeof(*list));
		r->ret->cores = list;
	}
	r->ret->cores[n] = r->core;
	r->ret->n++;
}

static int end_core(struct facts_reader *r)
{
	if (!r->core.name)
		return ERR_OK;
	if (!r->core.isa || !r->core.llvm)
		return facts_bad(r, "'isa' and 'llvm' of the core above");
	if (!r->core.names)
		r->core.names = "";
	r->core.n = r->n;
	r->core.facts = arena_copy(r->a, r->facts, r->n * sizeof(*r->facts));
	append_core(r);
	r->core = (struct known_core){ .name = NULL };
	r->n = 0;
	return ERR_OK;
}

static bool is_one_of(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, list[i]) == 0)
			return true;
	return false;
}

static int read_source(struct facts_reader *r, const char *tag,
		       const char *text)
{
	if (r->n_sources == MOST_SOURCES)
		return facts_bad(r, "at most 24 sources in a file");
	r->sources[r->n_sources].tag = tag;
	r->sources[r->n_sources++].text = text;
	return ERR_OK;
}

static int read_plain(struct facts_reader *r, const char *key,
		      const char *value)
{
	const char **at = strcmp(key, "isa") == 0    ? &r->core.isa
			  : strcmp(key, "llvm") == 0 ? &r->core.llvm
						     : &r->core.names;

	if (*at)
		return facts_bad(r, "each of isa, llvm and names once");
	*at = value;
	return ERR_OK;
}

/* "VALUE @TAG" */
static int read_fact(struct facts_reader *r, const char *key, char *value)
{
	char *tag = strstr(value, " @");

	if (r->n == MOST_FACTS)
		return facts_bad(r, "at most 128 facts of a core");
	for (size_t i = 0; tag && i < r->n_sources; i++)
		if (strcmp(tag + strlen(" @"), r->sources[i].tag) == 0) {
			*tag = '\0';
			r->facts[r->n++] = (struct core_fact){
				.key = key,
				.value = value,
				.source = r->sources[i].text,
			};
			return ERR_OK;
		}
	return facts_bad(r, "'VALUE @TAG' with the tag of a source above");
}

static int read_key(struct facts_reader *r, char *key, char *value)
{
	static const char source[] = "source ";

	if (strncmp(key, source, strlen(source)) == 0)
		return read_source(r, key + strlen(source), value);
	if (strcmp(key, "core") == 0) {
		if (end_core(r) != ERR_OK)
			return r->e->code;
		r->core.name = value;
		return ERR_OK;
	}
	if (!r->core.name)
		return facts_bad(r, "'source TAG = TEXT' or 'core = NAME'");
	if (is_one_of(key, plain, sizeof(plain) / sizeof(*plain)))
		return read_plain(r, key, value);
	if (is_one_of(key, sourced, sizeof(sourced) / sizeof(*sourced)))
		return read_fact(r, key, value);
	return facts_bad(
		r, "isa, llvm, names, or a fact that models/facts/README.md "
		   "lists");
}

static int read_line(struct facts_reader *r, char *line)
{
	static const char is[] = " = ";
	char *at = strstr(line, is);

	if (*line == '\0' || *line == '#')
		return ERR_OK;
	if (!at || at == line || at[strlen(is)] == '\0')
		return facts_bad(r, "'KEY = VALUE'");
	*at = '\0';
	return read_key(r, line, at + strlen(is));
}

int facts_parse(struct arena *a, const char *path, const char *text, size_t n,
		struct known_cores *ret, struct err *e)
{
	struct facts_reader r = { .a = a, .path = path, .ret = ret, .e = e };
	char *copy = arena_alloc(a, n + 1, 1);
	char *next;

	memcpy(copy, text, n);
	for (char *line = copy; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		r.line++;
		if (read_line(&r, line) != ERR_OK)
			return e->code;
	}
	return end_core(&r);
}

struct known_cores facts_read(struct arena *a)
{
	struct known_cores ret = { .n = 0 };
	struct err e = { .code = ERR_OK };

	/* A test parses each of them: they are correct. */
	for (const struct facts_text *t = facts_texts; t->path; t++)
		(void)facts_parse(a, t->path, t->text, strlen(t->text), &ret,
				  &e);
	return ret;
}

const struct known_core *facts_of_cpu(const struct known_cores *f,
				      const char *isa, const char *llvm)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->cores[i].isa, isa) == 0 &&
		    strcmp(f->cores[i].llvm, llvm) == 0)
			return &f->cores[i];
	return NULL;
}

const struct core_fact *facts_get(const struct known_core *c, const char *key,
				  size_t n)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->facts[i].key, key) == 0 && n-- == 0)
			return &c->facts[i];
	return NULL;
}

/* ---- identities ---------------------------------------------------------- */

static bool is_number(const char *word, uint64_t *ret)
{
	char *end;

	if (*word < '0' || *word > '9')
		return false;
	*ret = strtoull(word, &end, 0);
	return *end == '\0';
}

/* Is the number in the n bytes of a list "0-15,32"? */
static bool is_listed(const char *list, size_t n, uint64_t number)
{
	const char *end = list + n;

	while (list < end) {
		char *next;
		uint64_t low = strtoull(list, &next, 0), high = low;

		if (*next == '-')
			high = strtoull(next + 1, &next, 0);
		if (number >= low && number <= high)
			return true;
		if (next <= list || next >= end)
			return false;
		list = next + 1;
	}
	return false;
}

static bool is_identity(const char *value, const struct core_identity *identity)
{
	for (size_t i = 0; *value; i++) {
		size_t n = strcspn(value, " ");
		uint64_t number;

		if (i == IDENTITY_WORDS || !identity->words[i])
			return false;
		if (is_number(identity->words[i], &number)
			    ? !is_listed(value, n, number)
			    : strlen(identity->words[i]) != n ||
				      memcmp(value, identity->words[i], n) != 0)
			return false;
		value += n + (value[n] == ' ');
	}
	return true;
}

bool facts_identify(const struct known_core *c,
		    const struct core_identity *identity)
{
	const struct core_fact *f;

	for (size_t i = 0; (f = facts_get(c, "identity", i)) != NULL; i++)
		if (is_identity(f->value, identity))
			return true;
	return false;
}
