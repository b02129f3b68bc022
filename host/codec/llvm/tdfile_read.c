/* Finds the statements of a scheduling model in TableGen; see tdfile.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/expression.h"
#include "host/codec/llvm/tdfile.h"

enum { MOST_ARGS = 16, MOST_REGEX = 1000 };

/* A part of the text. */
struct piece {
	size_t at, n;
};

struct tdfile_reader {
	struct arena *a;
	struct tdfile *s;
	struct err *e;
	/* Which argument of each multiclass is what, by its name. */
	struct buffer multiclasses;
	struct buffer writes, instrws;
};

struct multiclass {
	const char *name;
	int argument[TDFILE_N_KINDS]; /* -1: none */
	bool pair;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static char at(const struct tdfile *s, size_t i)
{
	return i < s->n ? s->text[i] : '\0';
}

/* Skip blanks and comments. */
static size_t skip_blank(const struct tdfile *s, size_t i)
{
	while (i < s->n) {
		if (isspace((unsigned char)at(s, i)))
			i++;
		else if (at(s, i) == '/' && at(s, i + 1) == '/')
			while (i < s->n && at(s, i) != '\n')
				i++;
		else
			break;
	}
	return i;
}

static struct piece word_at(const struct tdfile *s, size_t i)
{
	struct piece p = { i, 0 };

	while (is_word(at(s, i + p.n)))
		p.n++;
	return p;
}

static bool piece_is(const struct tdfile *s, struct piece p, const char *word)
{
	return p.n == strlen(word) && memcmp(s->text + p.at, word, p.n) == 0;
}

static const char *piece_text(struct tdfile_reader *r, struct piece p)
{
	return arena_printf(r->a, "%.*s", (int)p.n, r->s->text + p.at);
}

/* The end of what begins at i: behind a ';' or a '}' outside of brackets; n of
 * the text if it has none.  Strings and comments are skipped. */
static size_t statement_end(const struct tdfile *s, size_t i)
{
	int depth = 0;

	for (; i < s->n; i++) {
		char c = at(s, i);

		if (c == '"')
			for (i++; i < s->n && at(s, i) != '"'; i++)
				;
		else if (c == '/' && at(s, i + 1) == '/')
			while (i < s->n && at(s, i) != '\n')
				i++;
		else if (strchr("<([{", c) && c != '\0')
			depth++;
		else if (strchr(">)]}", c) && c != '\0' && --depth <= 0 &&
			 c == '}')
			return i + 1;
		else if (c == ';' && depth <= 0)
			return i + 1;
	}
	return s->n;
}

/* The parts between commas of a list in brackets whose opening one is at i;
 * *ret_end is behind the closing one. */
static int split_list(const struct tdfile *s, size_t i,
		      struct piece ret[MOST_ARGS], size_t *ret_end)
{
	int depth = 0, n = 0;
	size_t begin = i + 1, last = i; /* behind the part so far */

	for (; i < s->n; i++) {
		char c = at(s, i);
		bool end;

		if (c == '/' && at(s, i + 1) == '/') {
			while (i < s->n && at(s, i) != '\n')
				i++;
			continue;
		}
		if (c == '"')
			for (i++; i < s->n && at(s, i) != '"'; i++)
				;
		depth += c != '\0' && strchr("<([{", c) != NULL;
		depth -= c != '\0' && strchr(">)]}", c) != NULL;
		end = depth == 0;
		if (!end && !(depth == 1 && c == ',')) {
			last = isspace((unsigned char)c) ? last : i + 1;
			continue;
		}
		if (n < MOST_ARGS) {
			begin = skip_blank(s, begin);
			ret[n].at = begin;
			ret[n].n = last > begin ? last - begin : 0;
			n++;
		}
		begin = i + 1;
		if (end)
			break;
	}
	*ret_end = i + 1;
	return n;
}

/* A literal number, which may stand alone in a list: "3", "[3]". */
static struct tdfile_number number_in(const struct tdfile *s, struct piece p)
{
	struct tdfile_number x = { 0 };
	size_t n = 0;

	if (p.n >= 2 && at(s, p.at) == '[' && at(s, p.at + p.n - 1) == ']') {
		p.at++;
		p.n -= 2;
	}
	while (n < p.n && isdigit((unsigned char)at(s, p.at + n)))
		n++;
	if (n == 0 || n != p.n || n > 5)
		return x;
	x.at = p.at;
	x.n = n;
	x.value = strtol(s->text + p.at, NULL, 10);
	return x;
}

/* The number of "let WORD = ...;" in a body. */
static struct tdfile_number number_let(const struct tdfile *s,
				       struct piece body, const char *word)
{
	size_t end = body.at + body.n;

	for (size_t i = body.at; i < end; i++) {
		struct piece p = word_at(s, i), value;
		bool before = i > 0 && is_word(at(s, i - 1));

		if (before || !piece_is(s, p, "let"))
			continue;
		p = word_at(s, skip_blank(s, p.at + p.n));
		i = skip_blank(s, p.at + p.n);
		if (!piece_is(s, p, word) || at(s, i) != '=')
			continue;
		value.at = skip_blank(s, i + 1);
		value.n = strcspn(s->text + value.at, ";");
		return number_in(s, value);
	}
	return (struct tdfile_number){ 0 };
}

/* What stands in the brackets of a list. */
static struct tdfile_number inside(const struct tdfile *s, struct piece p)
{
	struct tdfile_number x = { 0 };

	if (p.n > 2 && at(s, p.at) == '[' && at(s, p.at + p.n - 1) == ']') {
		x.at = p.at + 1;
		x.n = p.n - 2;
	}
	return x;
}

/* ---- statements --------------------------------------------------------- */

/* The name of an argument, or of resources its type, and the field of a write. */
static const char *const argument_words[TDFILE_N_KINDS] = {
	[TDFILE_PORTS] = "list<ProcResourceKind>",
	[TDFILE_LATENCY] = "Lat",
	[TDFILE_RELEASE] = "Res",
	[TDFILE_UOPS] = "UOps",
};
static const char *const field_words[TDFILE_N_KINDS] = {
	[TDFILE_LATENCY] = "Latency",
	[TDFILE_RELEASE] = "ReleaseAtCycles",
	[TDFILE_UOPS] = "NumMicroOps",
};

/* multiclass NAME<type name = default, ...>: the places of the arguments. */
static void take_multiclass(struct tdfile_reader *r, size_t i)
{
	const struct tdfile *s = r->s;
	struct piece name = word_at(s, skip_blank(s, i)), args[MOST_ARGS];
	struct multiclass m = { .argument = { -1, -1, -1, -1 } };
	size_t end;
	int n;

	i = skip_blank(s, name.at + name.n);
	if (name.n == 0 || at(s, i) != '<')
		return;
	n = split_list(s, i, args, &end);
	m.name = piece_text(r, name);
	m.pair = strstr(m.name, "Pair") != NULL;
	for (int k = 0; k < n; k++) {
		const char *text = piece_text(r, args[k]);
		size_t last = strcspn(text, "=");

		while (last > 0 && !is_word(text[last - 1]))
			last--;
		for (int kind = 0; kind < TDFILE_N_KINDS; kind++) {
			const char *word = argument_words[kind];
			size_t size = strlen(word);

			if (kind == TDFILE_PORTS
				    ? strncmp(text, word, size) == 0
				    : last >= size &&
					      strncmp(text + last - size, word,
						      size) == 0 &&
					      (last == size ||
					       !is_word(text[last - size - 1])))
				m.argument[kind] = k;
		}
	}
	buffer_add(&r->multiclasses, &m, sizeof(m));
}

static const struct multiclass *find_multiclass(struct tdfile_reader *r,
						const char *name)
{
	const struct multiclass *m = (const void *)r->multiclasses.bytes;

	for (size_t i = 0; i < r->multiclasses.n / sizeof(*m); i++)
		if (strcmp(m[i].name, name) == 0)
			return &m[i];
	return NULL;
}

/* The strings or identifiers of (instrs A, B) or (instregex "A", "B"). */
static void take_names(struct tdfile_reader *r, struct piece list,
		       struct tdfile_instrw *w)
{
	const struct tdfile *s = r->s;
	struct piece word = word_at(s, skip_blank(s, list.at + 1));
	size_t i = word.at + word.n, end = list.at + list.n;
	struct buffer names = { 0 };

	w->regex = piece_is(s, word, "instregex");
	while (i < end) {
		struct piece p;

		i = skip_blank(s, i);
		if (at(s, i) == '"') {
			p.at = i + 1;
			p.n = strcspn(s->text + p.at, "\"");
			i = p.at + p.n + 1;
		} else {
			p = word_at(s, i);
			i += p.n > 0 ? p.n : 1;
		}
		if (p.n > 0 && p.n < MOST_REGEX) {
			const char *name = piece_text(r, p);

			buffer_add(&names, &name, sizeof(name));
		}
	}
	w->names =
		buffer_take_list(r->a, &names, sizeof(*w->names), &w->n_names);
}

/* The names behind the first of a list, "[A, B]", blanks between. */
static const char *behind_first(struct tdfile_reader *r, struct piece list)
{
	struct piece parts[MOST_ARGS];
	size_t end;
	int n = split_list(r->s, list.at, parts, &end);
	const char *names = "";

	for (int i = 1; i < n; i++)
		names = arena_printf(r->a, "%s%s%s", names, i > 1 ? " " : "",
				     piece_text(r, parts[i]));
	return names;
}

static void take_instrw(struct tdfile_reader *r, struct piece statement,
			const struct piece *args, int n)
{
	const struct tdfile *s = r->s;
	struct tdfile_instrw w = { .at = statement.at,
				   .end = statement.at + statement.n };
	struct piece write;

	if (n < 2 || at(s, args[0].at) != '[' || at(s, args[1].at) != '(')
		return;
	write = word_at(s, skip_blank(s, args[0].at + 1));
	if (write.n == 0)
		return;
	w.write = piece_text(r, write);
	w.write_at = write.at;
	w.rest = behind_first(r, args[0]);
	take_names(r, args[1], &w);
	buffer_add(&r->instrws, &w, sizeof(w));
}

static void take_write(struct tdfile_reader *r, struct piece statement,
		       struct piece name, struct piece resources, size_t body,
		       bool own)
{
	const struct tdfile *s = r->s;
	size_t end = statement.at + statement.n;
	struct tdfile_write w = { .at = statement.at, .n = statement.n };
	struct piece in = { body, end > body ? end - body : 0 };

	w.name = piece_text(r, name);
	w.name_at = name.at;
	/* Without a name nothing can refer to it. */
	if (*w.name == '\0')
		return;
	for (int k = 0; k < TDFILE_N_KINDS; k++)
		if (field_words[k])
			w.numbers[k] = number_let(s, in, field_words[k]);
	w.numbers[TDFILE_PORTS] = inside(s, resources);
	w.own = own;
	buffer_add(&r->writes, &w, sizeof(w));
}

/* defm : MULTICLASS<WRITE, ...>. */
static void take_use(struct tdfile_reader *r, struct piece statement,
		     const struct multiclass *m, const struct piece *args,
		     int n)
{
	struct tdfile_write w = { .at = statement.at, .n = statement.n };

	w.name = piece_text(r, args[0]);
	w.name_at = args[0].at;
	if (*w.name == '\0')
		return;
	w.pair = m->pair;
	for (int k = 0; k < TDFILE_N_KINDS; k++)
		if (m->argument[k] >= 0 && m->argument[k] < n)
			w.numbers[k] = (k == TDFILE_PORTS ? inside : number_in)(
				r->s, args[m->argument[k]]);
	buffer_add(&r->writes, &w, sizeof(w));
}

/* def [NAME] : CLASS<args> [body], or defm. */
static void take_statement(struct tdfile_reader *r, struct piece statement,
			   size_t i)
{
	const struct tdfile *s = r->s;
	struct piece name = word_at(s, skip_blank(s, i)), class;
	struct piece args[MOST_ARGS];
	const struct multiclass *m;
	size_t end;
	int n;

	i = skip_blank(s, name.at + name.n);
	if (at(s, i) != ':')
		return;
	class = word_at(s, skip_blank(s, i + 1));
	i = class.at + class.n;
	if (class.n == 0 || at(s, i) != '<')
		return;
	n = split_list(s, i, args, &end);
	if (n == 0)
		return;
	m = find_multiclass(r, piece_text(r, class));
	if (piece_is(s, class, "InstRW"))
		take_instrw(r, statement, args, n);
	else if (piece_is(s, class, "SchedWriteRes") && name.n > 0)
		take_write(r, statement, name, args[0], end, true);
	else if (piece_is(s, class, "WriteRes"))
		take_write(r, statement, args[0],
			   n > 1 ? args[1] : (struct piece){ 0 }, end, false);
	else if (m)
		take_use(r, statement, m, args, n);
}

static size_t line_of(const struct tdfile *s, size_t end)
{
	size_t line = 1;

	for (size_t i = 0; i < end; i++)
		line += s->text[i] == '\n';
	return line;
}

/* Statements begin lines; those within multiclasses begin with blanks and name
 * no write of an instruction, so they do no harm. */
static int read_statements(struct tdfile_reader *r)
{
	const struct tdfile *s = r->s;

	for (size_t i = skip_blank(s, 0); i < s->n; i = skip_blank(s, i)) {
		struct piece p = word_at(s, i), statement;

		if (piece_is(s, p, "multiclass"))
			take_multiclass(r, i + p.n);
		if (piece_is(s, p, "def") || piece_is(s, p, "defm")) {
			size_t end = statement_end(s, i);

			if (end == s->n && at(s, end - 1) != ';' &&
			    at(s, end - 1) != '}')
				return err_set(r->e, ERR_INPUT,
					       "%s:%zu: expected the end of "
					       "the statement",
					       s->path, line_of(s, i));
			statement = (struct piece){ i, end - i };
			take_statement(r, statement, i + p.n);
			i = end;
		} else if (at(s, i) == '"') {
			for (i++; i < s->n && at(s, i) != '"'; i++)
				;
			i++;
		} else {
			i += p.n > 0 ? p.n : 1;
		}
	}
	return ERR_OK;
}

int tdfile_read(struct arena *a, const char *path, const char *text, size_t n,
		struct tdfile *ret, struct err *e)
{
	struct tdfile_reader r = { .a = a, .s = ret, .e = e };

	*ret = (struct tdfile){ .path = path, .text = text, .n = n };
	(void)read_statements(&r);
	ret->writes = buffer_take_list(a, &r.writes, sizeof(*ret->writes),
				       &ret->n_writes);
	ret->instrws = buffer_take_list(a, &r.instrws, sizeof(*ret->instrws),
					&ret->n_instrws);
	buffer_free(&r.multiclasses);
	tdfile_find_shared(a, ret);
	if (e->code == ERR_OK && ret->n_writes == 0)
		(void)err_set(e, ERR_INPUT,
			      "%s has no write of a scheduling model", path);
	return e->code;
}

int tdfile_match(const struct tdfile *s, const struct tdfile_instrw *w,
		 const char *const *names, size_t n, bool *ret, struct err *e)
{
	char pattern[MOST_REGEX + 4];

	for (size_t i = 0; i < w->n_names; i++) {
		const char *name = w->names[i];
		char why[128];
		regex_t x;

		for (size_t k = 0; k < n && !w->regex; k++)
			ret[k] = ret[k] || strcmp(names[k], name) == 0;
		if (!w->regex)
			continue;
		/* TableGen matches at the beginning of names. */
		(void)snprintf(pattern, sizeof(pattern),
			       *name == '^' ? "%s" : "^(%s)", name);
		if (!expression_compile(pattern, &x, why, sizeof(why)))
			return err_set(e, ERR_INPUT,
				       "%s:%zu: expected an expression, not "
				       "'%.80s': %s",
				       s->path, line_of(s, w->at), name, why);
		for (size_t k = 0; k < n; k++)
			ret[k] = ret[k] ||
				 regexec(&x, names[k], 0, NULL, 0) == 0;
		regfree(&x);
	}
	return ERR_OK;
}
