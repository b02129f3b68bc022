/* Scan the text statement by statement. Labels and instructions stay;
 * everything else is replaced by blanks. */
#include "host/predict/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/isa/catalogue.h"
#include "host/isa/directive.h"
#include "host/isa/loop.h"
#include "host/predict/foreign.h"

enum {
	/* Limits the nesting of expressions as well. */
	MAX_LINE = 1000,
	/* A few seconds, and 8 bytes of memory for each byte. */
	MAX_TEXT = 1 << 25,
};

enum { MAX_PUSHED = 16 };

struct scanner {
	struct arena *a;
	const struct isa_loop *rules;
	struct source *s;
	size_t at;
	uint32_t line; /* starts at 1 */
	struct source_mark *marks;
	size_t n_marks, room;
	size_t n_marker; /* bytes of rules->marker matched so far */
	/* Instructions in Intel's syntax, less those in AT&T's. */
	long intel;
	bool has_syntax; /* a directive sets it */
	bool semicolons; /* a semicolon begins a comment */
	/* A section of data has begun; so it was before the last change, and in
	 * the sections that .pushsection left. */
	bool in_data, was_data;
	bool pushed[MAX_PUSHED];
	size_t n_pushed;
	struct err *e;
};

static int source_bad(const struct scanner *c, size_t at, const char *what)
{
	size_t start = c->s->lines[c->line - 1];

	return err_set(c->e, ERR_INPUT, "%s:%u:%zu: %s", c->s->name,
		       (unsigned)c->line, at - start + 1, what);
}

static void add_mark(struct scanner *c, enum source_mark_kind kind)
{
	if (c->n_marks == c->room) {
		size_t room = c->room ? 2 * c->room : 16;
		struct source_mark *more =
			ARENA_ARRAY(c->a, struct source_mark, room);

		if (c->n_marks > 0)
			memcpy(more, c->marks, c->n_marks * sizeof(*more));
		c->marks = more;
		c->room = room;
	}
	c->marks[c->n_marks++] =
		(struct source_mark){ .kind = kind, .line = c->line };
}

/* ---- comments ---------------------------------------------------------- */

static void comment_mark(struct scanner *c, size_t from, size_t to)
{
	static const struct {
		const char *word;
		enum source_mark_kind kind;
	} words[] = {
		{ "OSACA-BEGIN", MARK_OSACA_BEGIN },
		{ "OSACA-END", MARK_OSACA_END },
		{ "LLVM-MCA-BEGIN", MARK_MCA_BEGIN },
		{ "LLVM-MCA-END", MARK_MCA_END },
	};
	const char *text = c->s->text;

	while (from < to && !isalpha((unsigned char)text[from]))
		from++;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t n = strlen(words[i].word);

		if (to - from >= n &&
		    strncmp(text + from, words[i].word, n) == 0)
			add_mark(c, words[i].kind);
	}
}

static void source_blank(struct scanner *c, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (c->s->clean[i] != '\n')
			c->s->clean[i] = ' ';
}

/* A '#' at the beginning of a line is the preprocessor's, regardless of the
 * ISA's comment character. */
static bool starts_comment(const struct scanner *c, size_t at, bool begins)
{
	const char *text = c->s->text + at;
	size_t n = strlen(c->rules->comment);

	return strncmp(text, c->rules->comment, n) == 0 ||
	       (c->semicolons && *text == ';') || strncmp(text, "//", 2) == 0 ||
	       (begins && *text == '#');
}

/* Comments may contain any bytes, because compilers print data in them. */
static size_t line_end(const struct scanner *c, size_t at)
{
	const char *text = c->s->text;

	return (size_t)(source_line_end(text + at, text + c->s->n) - text);
}

/* Position after the end of a comment that is open at `at`; 0: it does not
 * end. */
static size_t comment_end(const struct scanner *c, size_t at)
{
	for (; at + 1 < c->s->n; at++)
		if (c->s->text[at] == '*' && c->s->text[at + 1] == '/')
			return at + 2;
	return 0;
}

/* Blank all comments; comment characters in strings stay. */
static int blank_comments(struct scanner *c)
{
	const char *text = c->s->text;
	bool string = false, begins = true;
	size_t n = c->s->n;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n') {
			c->line++;
			begins = true;
			string = false;
			continue;
		}
		if (string && text[i] == '\\') {
			i += i + 1 < n && text[i + 1] != '\n';
		} else if (text[i] == '"') {
			string = !string;
		} else if (!string && strncmp(text + i, "/*", 2) == 0) {
			size_t to = comment_end(c, i + 2);

			if (to == 0)
				return source_bad(c, i,
						  "this comment does not end");
			source_blank(c, i, to);
			for (; i + 1 < to; i++)
				c->line += text[i] == '\n';
		} else if (!string && starts_comment(c, i, begins)) {
			size_t to = line_end(c, i);

			comment_mark(c, i, to);
			source_blank(c, i, to);
			i = to - 1;
		}
		begins = begins && isspace((unsigned char)text[i]);
	}
	return ERR_OK;
}

/* ---- statements -------------------------------------------------------- */

static bool source_is_name(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_' || ch == '.' ||
	       ch == '$' || ch == '@';
}

static size_t source_skip_blanks(const char *text, size_t at, size_t to)
{
	while (at < to && isspace((unsigned char)text[at]))
		at++;
	return at;
}

static size_t skip_name(const char *text, size_t at, size_t to)
{
	while (at < to && source_is_name(text[at]))
		at++;
	return at;
}

/* Position after the labels before a statement. */
static size_t skip_labels(const char *text, size_t at, size_t to)
{
	for (;;) {
		size_t start = source_skip_blanks(text, at, to);
		size_t end = skip_name(text, start, to);
		size_t colon = source_skip_blanks(text, end, to);

		if (end == start || colon == to || text[colon] != ':')
			return start;
		at = colon + 1;
	}
}

/* Compare a directive's name; case does not matter. */
static bool directive_is(const char *text, size_t n, const char *word)
{
	return strlen(word) == n && strncasecmp(text, word, n) == 0;
}

/* Find marker bytes in .byte 100,103,144 and similar directives, on one line or
 * on several. */
static void source_marker_bytes(struct scanner *c, const char *text, size_t n)
{
	const struct isa_loop *rules = c->rules;
	const char *at = text, *end = text + n;

	while (at < end) {
		char *behind;
		long value = strtol(at, &behind, 0);

		if (behind == at || behind > end) {
			c->n_marker = 0;
			return;
		}
		if (value == rules->marker[c->n_marker])
			c->n_marker++;
		else
			c->n_marker = value == rules->marker[0];
		if (c->n_marker == rules->n_marker) {
			add_mark(c, MARK_BYTES);
			c->n_marker = 0;
		}
		at = behind + strspn(behind, " \t,");
	}
}

/* Does a section with these operands of its directive hold data? */
static bool is_data_section(const char *operands, size_t n)
{
	static const char *const code[] = { ".text", "__TEXT,__text", "\"ax" };

	for (size_t i = 0; i < ARRAY_LEN(code); i++)
		if (memmem(operands, n, code[i], strlen(code[i])))
			return false;
	return true;
}

static void enter_section(struct scanner *c, bool data)
{
	c->was_data = c->in_data;
	c->in_data = data;
}

/* Follow a directive that changes the section; false: it is another one.
 * Sections that are pushed deeper than MAX_PUSHED are popped as code. */
static bool section_of(struct scanner *c, const char *name, size_t n_name,
		       const char *operands, size_t n)
{
	if (directive_is(name, n_name, ".text")) {
		enter_section(c, false);
	} else if (directive_is(name, n_name, ".data") ||
		   directive_is(name, n_name, ".bss")) {
		enter_section(c, true);
	} else if (directive_is(name, n_name, ".section")) {
		enter_section(c, is_data_section(operands, n));
	} else if (directive_is(name, n_name, ".pushsection")) {
		if (c->n_pushed < MAX_PUSHED)
			c->pushed[c->n_pushed] = c->in_data;
		c->n_pushed++;
		enter_section(c, is_data_section(operands, n));
	} else if (directive_is(name, n_name, ".popsection")) {
		if (c->n_pushed > 0)
			c->n_pushed--;
		enter_section(c, c->n_pushed < MAX_PUSHED &&
					 c->pushed[c->n_pushed]);
	} else if (directive_is(name, n_name, ".previous")) {
		enter_section(c, c->was_data);
	} else {
		return false;
	}
	return true;
}

static void source_directive(struct scanner *c, size_t from, size_t to)
{
	const char *text = c->s->clean;
	size_t end = skip_name(text, from, to);

	/* The parser refuses them with a message. */
	if (directive_refused(text + from, end - from))
		return;
	if (directive_executed(text + from, end - from)) {
		c->has_syntax = true;
		return;
	}
	if (section_of(c, text + from, end - from, text + end, to - end)) {
		c->n_marker = 0;
	} else if (directive_is(text + from, end - from, ".byte")) {
		size_t n_marks = c->n_marks;

		source_marker_bytes(c, text + end, to - end);
		/* The others may be instructions. */
		if (!c->in_data && c->n_marker == 0 && c->n_marks == n_marks)
			return;
	} else {
		c->n_marker = 0;
		if (!c->in_data && directive_code(text + from, end - from))
			return;
	}
	source_blank(c, from, to);
}

static void source_statement(struct scanner *c, size_t from, size_t to)
{
	const char *text = c->s->clean;
	size_t start = skip_labels(text, from, to);
	size_t end = skip_name(text, start, to);
	size_t next = source_skip_blanks(text, end, to);

	if (start == to)
		return;
	if (text[start] == '.') {
		source_directive(c, start, to);
		return;
	}
	c->n_marker = 0;
	if (next < to && text[next] == '=') { /* an assignment */
		source_blank(c, start, to);
		return;
	}
	if (c->rules->respell)
		c->rules->respell(c->s->clean, from, start, to);
	if (c->rules->intel)
		c->intel += c->rules->intel(text + end, to - end);
}

static int source_statements(struct scanner *c, size_t from, size_t to)
{
	bool string = false;
	size_t start = from;

	if (to - from > MAX_LINE) {
		/* Data directives may be long. */
		size_t word = skip_labels(c->s->clean, from, to);

		if (word < to && c->s->clean[word] != '.')
			return source_bad(c, from + MAX_LINE,
					  "the line has more than 1000 "
					  "characters");
		source_blank(c, word, to);
		return ERR_OK;
	}
	for (size_t i = from; i <= to; i++) {
		bool end = i == to || (c->s->clean[i] == ';' && !string);

		if (i < to && string && c->s->clean[i] == '\\')
			i++;
		else if (i < to && c->s->clean[i] == '"')
			string = !string;
		if (!end)
			continue;
		source_statement(c, start, i);
		start = i + 1;
	}
	return ERR_OK;
}

/* ---- lines ------------------------------------------------------------- */

static int by_line(const struct source_mark *a, const struct source_mark *b)
{
	return a->line < b->line ? -1 : a->line > b->line;
}

/* Sort by line: marks in comments were found before marks in directives. */
static void sort_marks(struct source_mark *m, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && by_line(&m[k], &m[k - 1]) < 0;
		     k--) {
			struct source_mark swap = m[k];

			m[k] = m[k - 1];
			m[k - 1] = swap;
		}
}

static void find_lines(struct arena *a, struct source *s)
{
	size_t n = 1;
	uint32_t *lines;

	for (size_t i = 0; i < s->n; i++)
		n += s->text[i] == '\n';
	lines = ARENA_ARRAY(a, uint32_t, n + 1);
	s->n_lines = 0;
	lines[s->n_lines++] = 0;
	for (size_t i = 0; i < s->n; i++)
		if (s->text[i] == '\n')
			lines[s->n_lines++] = (uint32_t)(i + 1);
	lines[n] = (uint32_t)s->n + 1;
	s->lines = lines;
}

/* Outside comments the bytes must be text. */
static int check_text(struct scanner *c)
{
	c->line = 1;
	for (size_t i = 0; i < c->s->n; i++) {
		unsigned char ch = (unsigned char)c->s->clean[i];

		if (ch < ' ' && !isspace(ch))
			return source_bad(c, i, "unexpected control byte");
		c->line += ch == '\n';
	}
	return ERR_OK;
}

static bool has_one_of(const char *text, size_t n, const char *const *words)
{
	for (; *words; words++)
		if (memmem(text, n, *words, strlen(*words)))
			return true;
	return false;
}

int source_read(struct arena *a, const struct code *text,
		const struct isa_loop *rules, struct source *ret, struct err *e)
{
	enum { MAX_MARKS = 10000 };
	struct source s = { .name = text->name,
			    .text = text->bytes,
			    .n = text->n };
	struct scanner c = {
		.a = a, .rules = rules, .s = &s, .line = 1, .e = e
	};

	if (s.n > MAX_TEXT)
		return err_set(e, ERR_INPUT, "%s has more than %d bytes",
			       s.name, MAX_TEXT);
	find_lines(a, &s);
	s.clean = arena_alloc(a, s.n + 1, 1);
	memcpy(s.clean, s.text, s.n);
	(void)foreign_clean(s.clean, s.n);
	c.semicolons = rules->semicolon_marks &&
		       has_one_of(s.text, s.n, rules->semicolon_marks);
	if (blank_comments(&c) != ERR_OK || check_text(&c) != ERR_OK)
		return e->code;
	for (c.line = 1; c.line <= s.n_lines; c.line++)
		if (source_statements(&c, s.lines[c.line - 1],
				      s.lines[c.line] - 1) != ERR_OK)
			return e->code;
	if (c.n_marks > MAX_MARKS)
		return err_set(e, ERR_INPUT, "%s has more than %d marks",
			       s.name, MAX_MARKS);
	sort_marks(c.marks, c.n_marks);
	if (!c.has_syntax && c.intel != 0)
		s.dialect = c.intel > 0 ? DIALECT_INTEL : DIALECT_ATT;
	s.marks = c.marks;
	s.n_marks = c.n_marks;
	*ret = s;
	return ERR_OK;
}

const char *source_line(struct arena *a, const struct source *s, uint32_t line)
{
	size_t from, to;
	char *text;

	if (line == 0 || line > s->n_lines)
		return "";
	from = s->lines[line - 1];
	to = s->lines[line] - 1;
	from = skip_labels(s->clean, from, to);
	while (to > from && isspace((unsigned char)s->clean[to - 1]))
		to--;
	text = arena_printf(a, "%.*s", (int)(to - from), s->clean + from);
	for (char *p = text; *p != '\0'; p++)
		*p = isspace((unsigned char)*p) ? ' ' : *p;
	return text;
}
