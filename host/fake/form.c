/* Reader of .core files: `form` lines.  See core.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/expression.h"
#include "host/base/file.h"
#include "host/fake/core.h"

enum {
	PATTERN_ROOM = 200,
	MAX_PLUS = 8,
	MAX_UOPS = 64,
	NUMBER_ROOM = 32,
};

/* ---- words of both halves ---------------------------------------------- */

char *core_trim(char *text)
{
	size_t n;

	while (*text == ' ' || *text == '\t')
		text++;
	n = strlen(text);
	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t' ||
			 text[n - 1] == '\r'))
		n--;
	text[n] = '\0';
	return text;
}

bool core_number(const char *text, double max, double *ret)
{
	size_t n = strlen(text);
	double value;

	/* Digits and one point: no signs, exponents, infinities. */
	if (n == 0 || n >= NUMBER_ROOM || strspn(text, "0123456789.") != n ||
	    strspn(text, "0123456789") == 0 ||
	    strchr(text, '.') != strrchr(text, '.'))
		return false;
	value = strtod(text, NULL);
	if (value > max)
		return false;
	*ret = value;
	return true;
}

int core_class(struct core *c, const char *name)
{
	for (size_t i = 0; i < c->n_classes; i++)
		if (strcmp(c->classes[i], name) == 0)
			return (int)i;
	if (c->n_classes == CORE_MAX_CLASSES || *name == '\0' ||
	    strlen(name) >= CORE_NAME_ROOM || strpbrk(name, " \t>"))
		return -1;
	memcpy(c->classes[c->n_classes], name, strlen(name) + 1);
	return (int)c->n_classes++;
}

/* ---- form lines --------------------------------------------------------- */

struct form_parser {
	struct arena *a;
	struct core *core;
	struct core_form form;
	struct buffer latencies; /* struct core_latency */
	bool pairing_given, until_given;
};

static int expected(const struct form_parser *p, const char *attribute,
		    const char *what, struct err *e)
{
	return err_set(e, ERR_INPUT, "%s:%d: %s: expected %s", p->core->path,
		       p->form.line, attribute, what);
}

static bool whole_number(const char *text, uint32_t min, uint32_t max,
			 uint32_t *ret)
{
	double number;

	if (strchr(text, '.') || !core_number(text, max, &number) ||
	    number < min)
		return false;
	*ret = (uint32_t)number;
	return true;
}

static bool port_bit(const struct core *c, const char *name, uint32_t *ret)
{
	for (size_t i = 0; i < c->n_ports; i++) {
		if (strcmp(c->ports[i], name) == 0) {
			*ret = 1u << i;
			return true;
		}
	}
	return false;
}

/* One uop: [COUNT*]PORT|PORT... */
static bool add_uop(struct form_parser *p, char *text)
{
	char *star = strchr(text, '*');
	uint32_t count = 1;
	uint32_t ports = 0;
	char *save = NULL;

	if (star) {
		*star = '\0';
		if (!whole_number(core_trim(text), 1, CORE_MAX_UOPS, &count))
			return false;
		text = star + 1;
	}
	for (char *name = strtok_r(text, "|", &save); name;
	     name = strtok_r(NULL, "|", &save)) {
		uint32_t bit;

		if (!port_bit(p->core, core_trim(name), &bit))
			return false;
		ports |= bit;
	}
	if (ports == 0 || count > CORE_MAX_UOPS - p->form.n_port_uops)
		return false;
	for (uint32_t i = 0; i < count; i++)
		p->form.ports[p->form.n_port_uops++] = ports;
	return true;
}

static int take_ports(struct form_parser *p, char *value, struct err *e)
{
	char *save = NULL;

	p->form.n_port_uops = 0;
	for (char *uop = strtok_r(value, "+", &save); uop;
	     uop = strtok_r(NULL, "+", &save))
		if (!add_uop(p, uop))
			return expected(p, "ports",
					"at most 8 uops such as "
					"`p0|p1 + 2*p2` with the ports of "
					"the `ports` line",
					e);
	return ERR_OK;
}

static int take_slow_share(struct form_parser *p, char *value, struct err *e)
{
	if (!core_number(value, 100, &p->form.slow_share))
		return expected(p, "slow_share", "a percentage", e);
	return ERR_OK;
}

static bool signed_number(const char *text, int64_t *ret)
{
	bool negative = *text == '-';
	uint32_t number;

	if (!whole_number(text + negative, 0, INT32_MAX, &number))
		return false;
	*ret = negative ? -(int64_t)number : (int64_t)number;
	return true;
}

/* LOW..HIGH, or one number. */
static int take_immediate(struct form_parser *p, char *value, struct err *e)
{
	char *dots = strstr(value, "..");
	char *high = dots ? dots + 2 : value;

	if (dots)
		*dots = '\0';
	if (!signed_number(value, &p->form.number_low) ||
	    !signed_number(high, &p->form.number_high) ||
	    p->form.number_low > p->form.number_high)
		return expected(p, "immediate",
				"a number or a range such as -1024..1023", e);
	p->form.has_number = true;
	return ERR_OK;
}

/* Attributes that are a whole number. */
#define FORM(member) offsetof(struct form_parser, form.member)
static const struct count {
	const char *name;
	size_t at; /* offset in struct form_parser */
	uint32_t min, max;
	size_t given; /* offset of a flag to set, or 0 */
} counts[] = {
	{ "uops", FORM(n_uops), 1, MAX_UOPS, 0 },
	{ "latency", FORM(latency), 0, CORE_MAX_LATENCY, 0 },
	{ "occupancy", FORM(occupancy), 1, CORE_MAX_LATENCY, 0 },
	{ "stall", FORM(stall), 1, CORE_MAX_LATENCY, 0 },
	{ "latency_short", FORM(latency_short), 0, CORE_MAX_LATENCY,
	  FORM(has_short) },
	{ "until", FORM(until), 0, CORE_MAX_LATENCY,
	  offsetof(struct form_parser, until_given) },
	{ "slow_occupancy", FORM(slow_occupancy), 1, CORE_MAX_LATENCY, 0 },
	{ "same_operands", FORM(same_operands), 1, CORE_MAX_LATENCY, 0 },
	{ "wide_latency", FORM(wide_latency), 1, CORE_MAX_LATENCY, 0 },
	{ "wide_occupancy", FORM(wide_occupancy), 1, CORE_MAX_LATENCY, 0 },
	{ "link", FORM(link), 1, CORE_MAX_LATENCY, 0 },
	{ "unlinked", FORM(unlinked), 1, CORE_MAX_LATENCY, 0 },
	{ "idle_latency", FORM(idle_latency), 1, CORE_MAX_LATENCY, 0 },
	{ "same_register", FORM(same_register), 1, CORE_MAX_LATENCY, 0 },
#define SPACED(name, spacing)                                                 \
	{                                                                     \
		name, FORM(spaced_occupancy[spacing]), 1, CORE_MAX_LATENCY, 0 \
	}
	SPACED("same_place", CORE_SAME_PLACE),
	SPACED("same_line", CORE_SAME_LINE),
	SPACED("other_line", CORE_OTHER_LINE),
	SPACED("dense", CORE_DENSE),
	SPACED("close", CORE_CLOSE),
#undef SPACED
};
#undef FORM

static const struct count *find_count(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		if (strcmp(counts[i].name, name) == 0)
			return &counts[i];
	return NULL;
}

static int take_count(struct form_parser *p, const struct count *c,
		      const char *value, struct err *e)
{
	uint32_t *at = (uint32_t *)(void *)((char *)p + c->at);

	if (!value || !whole_number(value, c->min, c->max, at))
		return err_set(e, ERR_INPUT,
			       "%s:%d: %s: expected a whole number from %u to "
			       "%u",
			       p->core->path, p->form.line, c->name,
			       (unsigned)c->min, (unsigned)c->max);
	if (c->given)
		*((bool *)((char *)p + c->given)) = true;
	return ERR_OK;
}

static int take_class(struct form_parser *p, char *value, struct err *e)
{
	int id = core_class(p->core, value);

	if (id <= 0)
		return expected(p, "class", "a short name, at most 31 of them",
				e);
	p->form.class_id = (uint8_t)id;
	return ERR_OK;
}

static int take_pairing(struct form_parser *p, char *value, struct err *e)
{
	int id = core_class(p->core, value);

	if (id <= 0)
		return expected(p, "pairing",
				"a short name, at most 31 of classes", e);
	p->form.pairing_id = (uint8_t)id;
	p->pairing_given = true;
	return ERR_OK;
}

static int take_fault(struct form_parser *p, char *value, struct err *e)
{
	static const char *const causes[] = { "illegal", "access", "align",
					      "fpe",     "trap",   "hang",
					      "other",   "die" };

	for (size_t i = 0; i < ARRAY_LEN(causes); i++) {
		if (strcmp(causes[i], value) == 0) {
			p->form.fault = causes[i];
			return ERR_OK;
		}
	}
	return expected(p, "fault",
			"illegal, access, align, fpe, trap, hang, "
			"other or die",
			e);
}

/* latency[SRC>DST]=CYCLES; `pair` is the text behind the bracket. */
static int take_pair(struct form_parser *p, char *pair, char *value,
		     struct err *e)
{
	struct core_latency l = { .cycles = 0 };
	char *end = strchr(pair, ']');
	char *arrow = strchr(pair, '>');

	if (!end || end[1] != '\0' || !arrow || !value ||
	    !whole_number(value, 0, CORE_MAX_LATENCY, &l.cycles))
		return expected(p, "latency", "e.g. latency[2>0]=4", e);
	*end = '\0';
	*arrow++ = '\0';
	if (*pair == '\0' || strlen(pair) >= sizeof(l.src) || *arrow == '\0' ||
	    strlen(arrow) >= sizeof(l.dst))
		return expected(p, "latency", "names of two operands", e);
	memcpy(l.src, pair, strlen(pair) + 1);
	memcpy(l.dst, arrow, strlen(arrow) + 1);
	buffer_add(&p->latencies, &l, sizeof(l));
	return ERR_OK;
}

static int take_attribute(struct form_parser *p, char *text, struct err *e)
{
	/* Attributes without take() are flags of struct core_form. */
	static const struct {
		const char *name;
		int (*take)(struct form_parser *p, char *value, struct err *e);
		size_t flag;
	} attributes[] = {
		{ "ports", take_ports, 0 },
		{ "slow_share", take_slow_share, 0 },
		{ "immediate", take_immediate, 0 },
		{ "class", take_class, 0 },
		{ "pairing", take_pairing, 0 },
		{ "fault", take_fault, 0 },
		{ "eliminated", NULL, offsetof(struct core_form, eliminated) },
		{ "zero_idiom", NULL, offsetof(struct core_form, zero_idiom) },
		{ "merges", NULL, offsetof(struct core_form, merges) },
		{ "queued", NULL, offsetof(struct core_form, queued) },
	};
	char *value = strchr(text, '=');
	const struct count *count;

	if (value) {
		*value = '\0';
		value = core_trim(value + 1);
	}
	text = core_trim(text);
	count = find_count(text);
	if (count)
		return take_count(p, count, value, e);
	if (strncmp(text, "latency[", 8) == 0)
		return take_pair(p, text + 8, value, e);
	for (size_t i = 0; i < ARRAY_LEN(attributes); i++) {
		if (strcmp(attributes[i].name, text) != 0)
			continue;
		if (!value == !!attributes[i].take)
			return expected(p, text, value ? "no value" : "a value",
					e);
		if (attributes[i].take)
			return attributes[i].take(p, value, e);
		*((bool *)((char *)&p->form + attributes[i].flag)) = true;
		return ERR_OK;
	}
	return expected(p, "form", "an attribute of examples/cores/README.md",
			e);
}

/* Refuse patterns that take all memory or time although they are short:
 * bounds, back references, and many `+`, for which glibc doubles the
 * expression before it.  A file may come from an untrusted source. */
static bool pattern_is_plain(const char *pattern)
{
	size_t n_plus = 0;

	if (*pattern == '\0' || strlen(pattern) >= PATTERN_ROOM ||
	    strpbrk(pattern, "{}"))
		return false;
	for (const char *s = pattern; *s != '\0'; s++) {
		n_plus += *s == '+';
		if (*s == '\\' && s[1] >= '0' && s[1] <= '9')
			return false;
	}
	return n_plus <= MAX_PLUS;
}

static int compile(struct form_parser *p, const char *pattern, struct err *e)
{
	char whole[PATTERN_ROOM + 8], why[120];

	if (!pattern_is_plain(pattern))
		return expected(p, "form",
				"a short pattern without {}, "
				"back references and more than 8 +",
				e);
	(void)snprintf(whole, sizeof(whole), "^(%s)$", pattern);
	if (!expression_compile(whole, &p->form.pattern, why, sizeof(why)))
		return expected(p, "form", "an extended regular expression", e);
	return ERR_OK;
}

/* What attributes mean together. */
static int check_form(struct form_parser *p, struct err *e)
{
	struct core_form *f = &p->form;

	if (f->eliminated && (f->n_port_uops || p->latencies.n))
		return expected(p, "eliminated", "neither ports nor latencies",
				e);
	if (!f->eliminated && !f->fault && f->n_port_uops == 0)
		return expected(p, "form", "ports, eliminated or fault", e);
	if (f->has_short != p->until_given)
		return expected(p, "latency_short",
				"both latency_short and until, or neither", e);
	if ((f->wide_latency > 0) != (f->wide_occupancy > 0))
		return expected(p, "wide_latency",
				"wide_occupancy as well, or neither", e);
	if ((f->link > 0) != (f->unlinked > 0))
		return expected(p, "link", "unlinked as well, or neither", e);
	if ((f->slow_share > 0) != (f->slow_occupancy > 0))
		return expected(p, "slow_share",
				"slow_occupancy as well, or neither", e);
	if (!p->pairing_given)
		f->pairing_id = f->class_id;
	if (f->n_uops == 0)
		f->n_uops = f->n_port_uops ? f->n_port_uops : 1;
	if (f->n_uops < f->n_port_uops)
		return expected(p, "uops", "at least as many as `ports` has",
				e);
	return ERR_OK;
}

/* The lines for the variants that an instruction of this form may be, by its
 * place. */
static void add_spaced(struct arena *a, struct core_form *f)
{
	for (size_t i = 0; i < CORE_N_SPACINGS; i++) {
		struct core_form spaced = *f;

		if (!f->spaced_occupancy[i])
			continue;
		spaced.occupancy = f->spaced_occupancy[i];
		memset(spaced.spaced, 0, sizeof(spaced.spaced));
		f->spaced[i] = arena_copy(a, &spaced, sizeof(spaced));
	}
}

int core_parse_form(struct arena *a, struct core *c,
		    const struct core_form_text *text, struct core_form *ret,
		    struct err *e)
{
	struct form_parser p = {
		.a = a,
		.core = c,
		.form = { .line = text->line, .latency = 1, .occupancy = 1 },
	};
	char *save = NULL;
	int r = ERR_OK;

	for (char *one = strtok_r(text->attributes, ",", &save);
	     one && r == ERR_OK; one = strtok_r(NULL, ",", &save))
		r = take_attribute(&p, one, e);
	if (r == ERR_OK)
		r = check_form(&p, e);
	if (r == ERR_OK)
		r = compile(&p, text->pattern, e);
	if (r == ERR_OK) {
		p.form.latencies =
			arena_copy(a, p.latencies.bytes, p.latencies.n);
		p.form.n_latencies =
			p.latencies.n / sizeof(struct core_latency);
		add_spaced(a, &p.form);
		*ret = p.form;
	}
	buffer_free(&p.latencies);
	return r;
}
