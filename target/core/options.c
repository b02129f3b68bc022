#include "target/core/options.h"

#include <string.h>

static struct options values = {
	.core = OPTIONS_ANY,
	.passes = 1,
	.ready_ms = OPTIONS_ANY,
	.log = 1,
	.poweroff = 1,
};

static const struct {
	const char *name;
	const char *field; /* of INFO */
	uint64_t *value;
	uint64_t otherwise;
} table[] = {
	{ "passes", "option_passes", &values.passes, 1 },
	{ "ready_ms", "option_ready_ms", &values.ready_ms, OPTIONS_ANY },
	{ "from", "option_from", &values.from, 0 },
	{ "log", "option_log", &values.log, 1 },
	{ "poweroff", "option_poweroff", &values.poweroff, 1 },
};

/* Words that name no option, or give one a wrong value: separated by commas,
 * the first ones that fit. */
static char refused[96];

/* A place in the text. */
struct cursor {
	const char *at, *end;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r' || c == '\0';
}

static bool is_word(char c)
{
	return !is_blank(c) && !is_line_end(c) && c != '=' && c != '#';
}

static void skip_blanks(struct cursor *c)
{
	while (c->at < c->end && is_blank(*c->at))
		c->at++;
}

/* The word that starts here; length 0 if none does. */
static struct wire_span word(struct cursor *c)
{
	struct wire_span w = { .at = c->at };

	while (c->at < c->end && is_word(*c->at))
		c->at++;
	w.length = (size_t)(c->at - w.at);
	return w;
}

static bool parse(struct wire_span w, uint64_t *ret)
{
	enum { MAX_DIGITS = 18 };
	uint64_t v = 0;

	if (w.length == 0 || w.length > MAX_DIGITS)
		return false;
	for (size_t i = 0; i < w.length; i++) {
		if (w.at[i] < '0' || w.at[i] > '9')
			return false;
		v = v * 10 + (uint64_t)(w.at[i] - '0');
	}
	*ret = v;
	return true;
}

static bool is(struct wire_span w, const char *text)
{
	return strlen(text) == w.length && memcmp(text, w.at, w.length) == 0;
}

static bool set_console(struct wire_span name)
{
	for (size_t i = 0; consoles[i]; i++)
		if (is(name, consoles[i]->name)) {
			values.console = consoles[i];
			return true;
		}
	return false;
}

/* Words in place of a core's number. */
static const struct {
	const char *word;
	uint64_t value;
} core_words[] = {
	{ "all", OPTIONS_ALL },
	{ "each-kind", OPTIONS_EACH_KIND },
};

static bool set_core(struct wire_span value)
{
	for (size_t i = 0; i < ARRAY_LEN(core_words); i++)
		if (is(value, core_words[i].word)) {
			values.core = core_words[i].value;
			return true;
		}
	return parse(value, &values.core);
}

/* Numbers separated by commas; all of them or none. */
static bool set_skip(struct wire_span list)
{
	uint64_t skip[OPTIONS_MAX_SKIP];
	size_t n = 0;

	for (size_t at = 0; at <= list.length; n++) {
		struct wire_span w = { .at = list.at + at };

		while (at < list.length && list.at[at] != ',')
			at++;
		w.length = (size_t)(list.at + at++ - w.at);
		if (n == OPTIONS_MAX_SKIP || !parse(w, &skip[n]))
			return false;
	}
	memcpy(values.skip, skip, sizeof(skip));
	values.n_skip = n;
	return true;
}

/* Options whose values are more than a number.  `hart` is the older name of
 * `core`. */
static const struct {
	const char *name;
	bool (*set)(struct wire_span value);
	bool is_ours; /* no other program has an option of this name */
} special[] = {
	{ "console", set_console, false },
	{ "core", set_core, true },
	{ "hart", set_core, true },
	{ "skip", set_skip, true },
};

static bool set(struct wire_span name, struct wire_span value)
{
	uint64_t v;

	for (size_t i = 0; i < ARRAY_LEN(special); i++)
		if (is(name, special[i].name))
			return special[i].set(value);
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		if (!is(name, table[i].name))
			continue;
		if (!parse(value, &v))
			return false;
		*table[i].value = v;
		return true;
	}
	return false;
}

static bool is_known(struct wire_span name)
{
	for (size_t i = 0; i < ARRAY_LEN(special); i++)
		if (special[i].is_ours && is(name, special[i].name))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (is(name, table[i].name))
			return true;
	return false;
}

static void refuse(struct wire_span w)
{
	size_t n = strlen(refused), comma = n > 0;

	if (n + comma + w.length >= sizeof(refused))
		return;
	if (comma)
		refused[n++] = ',';
	memcpy(refused + n, w.at, w.length);
	refused[n + w.length] = '\0';
}

/* A name without the prefix may be for another program, but not the name and
 * the wrong value of an option.  `console` is also an option of Linux. */
static void take(const char *from, struct wire_span name,
		 struct wire_span value)
{
	static const char prefix[] = "anechoic.";
	const size_t n = sizeof(prefix) - 1;
	bool ours = name.length > n && memcmp(name.at, prefix, n) == 0;

	if (ours) {
		name.at += n;
		name.length -= n;
	}
	if (!set(name, value) && (ours || is_known(name)))
		refuse((struct wire_span){
			from, (size_t)(value.at + value.length - from) });
}

/* Parse one comment, separator or setting; always advances. */
static void options_step(struct cursor *c)
{
	struct wire_span name = word(c);

	if (name.length == 0) {
		bool remark = *c->at == '#';

		do {
			c->at++;
		} while (remark && c->at < c->end && !is_line_end(*c->at));
		return;
	}
	skip_blanks(c);
	if (c->at == c->end || *c->at != '=')
		return;
	c->at++;
	skip_blanks(c);
	take(name.at, name, word(c));
}

void options_take(const char *text, size_t n)
{
	struct cursor c = { .at = text, .end = text + n };

	while (c.at < c.end)
		options_step(&c);
}

const struct options *options(void)
{
	return &values;
}

bool options_skip(uint64_t k)
{
	for (size_t i = 0; i < values.n_skip; i++)
		if (values.skip[i] == k)
			return true;
	return false;
}

static void describe_core(struct wire_line *w)
{
	for (size_t i = 0; i < ARRAY_LEN(core_words); i++)
		if (values.core == core_words[i].value) {
			wire_word(w, "option_core", core_words[i].word);
			return;
		}
	if (values.core != OPTIONS_ANY)
		wire_u64(w, "option_core", values.core);
}

void options_describe(struct wire_line *w)
{
	describe_core(w);
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (*table[i].value != table[i].otherwise)
			wire_u64(w, table[i].field, *table[i].value);
	if (values.n_skip > 0)
		wire_list(w, "option_skip", values.skip, values.n_skip);
	if (values.console)
		wire_word(w, "option_console", values.console->name);
	if (refused[0])
		wire_word(w, "options_refused", refused);
}
