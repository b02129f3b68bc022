/* Reader of .core files: `form` lines.  See core.h. */
#include <stdio.h>
#include <string.h>

#include "host/base/file.h"
#include "host/fake/core.h"

enum {
	PATTERN_ROOM = 200,
	MAX_PLUS = 8,
	MAX_UOPS = 64,
};

struct form_parser {
	struct arena *a;
	struct core *core;
	struct core_form form;
	struct buffer latencies; /* struct core_latency */
	bool uops_given, pairing_given, until_given;
};

static int expected(const struct form_parser *p, const char *attribute,
		    const char *what, struct err *e)
{
	return err_set(e, ERR_INPUT, "%s:%d: %s: %s", p->core->path,
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
					"at most 8 uops as in "
					"`p0|p1 + 2*p2` with the ports of "
					"the `ports` line",
					e);
	return ERR_OK;
}

static int take_uops(struct form_parser *p, char *value, struct err *e)
{
	if (!whole_number(value, 1, MAX_UOPS, &p->form.n_uops))
		return expected(p, "uops", "a whole number from 1 to 64", e);
	p->uops_given = true;
	return ERR_OK;
}

static int take_latency(struct form_parser *p, char *value, struct err *e)
{
	if (!whole_number(value, 0, CORE_MAX_LATENCY, &p->form.latency))
		return expected(p, "latency", "whole cycles, at most 1000", e);
	return ERR_OK;
}

static int take_occupancy(struct form_parser *p, char *value, struct err *e)
{
	if (!whole_number(value, 1, CORE_MAX_LATENCY, &p->form.occupancy))
		return expected(p, "occupancy", "whole cycles, 1 to 1000", e);
	return ERR_OK;
}

static int take_stall(struct form_parser *p, char *value, struct err *e)
{
	if (!whole_number(value, 1, CORE_MAX_LATENCY, &p->form.stall))
		return expected(p, "stall", "whole cycles, 1 to 1000", e);
	return ERR_OK;
}

static int take_latency_short(struct form_parser *p, char *value, struct err *e)
{
	if (!whole_number(value, 0, CORE_MAX_LATENCY, &p->form.latency_short))
		return expected(p, "latency_short",
				"whole cycles, at most 1000", e);
	p->form.has_short = true;
	return ERR_OK;
}

static int take_until(struct form_parser *p, char *value, struct err *e)
{
	if (!whole_number(value, 0, CORE_MAX_LATENCY, &p->form.until))
		return expected(p, "until", "whole cycles, at most 1000", e);
	p->until_given = true;
	return ERR_OK;
}

static int take_slow_share(struct form_parser *p, char *value, struct err *e)
{
	if (!core_number(value, 100, &p->form.slow_share))
		return expected(p, "slow_share", "percent", e);
	return ERR_OK;
}

static int take_slow_occupancy(struct form_parser *p, char *value,
			       struct err *e)
{
	if (!whole_number(value, 1, CORE_MAX_LATENCY, &p->form.slow_occupancy))
		return expected(p, "slow_occupancy", "whole cycles, 1 to 1000",
				e);
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
				"a number, or two as in -1024..1023", e);
	p->form.has_number = true;
	return ERR_OK;
}

/* Attributes that are a number of cycles. */
static const struct {
	const char *name;
	size_t at; /* offset in struct core_form */
} counts[] = {
	{ "same_operands", offsetof(struct core_form, same_operands) },
	{ "wide_latency", offsetof(struct core_form, wide_latency) },
	{ "wide_occupancy", offsetof(struct core_form, wide_occupancy) },
	{ "link", offsetof(struct core_form, link) },
	{ "unlinked", offsetof(struct core_form, unlinked) },
	{ "same_register", offsetof(struct core_form, same_register) },
};

/* Take the attribute if it is one of those.  *ret: the result. */
static bool take_count(struct form_parser *p, const char *name,
		       const char *value, int *ret, struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		char *at = (char *)&p->form + counts[i].at;

		if (strcmp(counts[i].name, name) != 0)
			continue;
		*ret = ERR_OK;
		if (!value || !whole_number(value, 1, CORE_MAX_LATENCY,
					    (uint32_t *)(void *)at))
			*ret = expected(p, name, "whole cycles, 1 to 1000", e);
		return true;
	}
	return false;
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
		return expected(p, "latency", "as in latency[2>0]=4", e);
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

/* NAME=CYCLES of enum core_spacing; *ret_known: is it one? */
static int take_spacing(struct form_parser *p, const char *name,
			const char *value, bool *ret_known, struct err *e)
{
	static const char *const names[] = {
		[CORE_SAME_PLACE] = "same_place",
		[CORE_SAME_LINE] = "same_line",
		[CORE_OTHER_LINE] = "other_line",
		[CORE_DENSE] = "dense",
		[CORE_CLOSE] = "close",
	};

	*ret_known = false;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(names[i], name) != 0)
			continue;
		*ret_known = true;
		if (!value || !whole_number(value, 1, CORE_MAX_LATENCY,
					    &p->form.spaced_occupancy[i]))
			return expected(p, name, "whole cycles, 1 to 1000", e);
	}
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
		{ "uops", take_uops, 0 },
		{ "latency", take_latency, 0 },
		{ "occupancy", take_occupancy, 0 },
		{ "stall", take_stall, 0 },
		{ "latency_short", take_latency_short, 0 },
		{ "until", take_until, 0 },
		{ "slow_share", take_slow_share, 0 },
		{ "slow_occupancy", take_slow_occupancy, 0 },
		{ "immediate", take_immediate, 0 },
		{ "class", take_class, 0 },
		{ "pairing", take_pairing, 0 },
		{ "fault", take_fault, 0 },
		{ "eliminated", NULL, offsetof(struct core_form, eliminated) },
		{ "zero_idiom", NULL, offsetof(struct core_form, zero_idiom) },
		{ "merges", NULL, offsetof(struct core_form, merges) },
	};
	char *value = strchr(text, '=');
	bool known;
	int ret;

	if (value) {
		*value = '\0';
		value = core_trim(value + 1);
	}
	text = core_trim(text);
	ret = take_spacing(p, text, value, &known, e);
	if (known)
		return ret;
	if (strncmp(text, "latency[", 8) == 0)
		return take_pair(p, text + 8, value, e);
	if (take_count(p, text, value, &ret, e))
		return ret;
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
	return expected(p, "form", "an attribute of docs/fake-core.md", e);
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
	char whole[PATTERN_ROOM + 8];

	if (!pattern_is_plain(pattern))
		return expected(p, "form",
				"a short pattern without {}, "
				"back references and more than 8 +",
				e);
	(void)snprintf(whole, sizeof(whole), "^(%s)$", pattern);
	if (regcomp(&p->form.pattern, whole, REG_EXTENDED | REG_NOSUB) != 0)
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
		return expected(p, "latency_short", "and until, or neither", e);
	if ((f->wide_latency > 0) != (f->wide_occupancy > 0))
		return expected(p, "wide_latency",
				"and wide_occupancy, or neither", e);
	if ((f->link > 0) != (f->unlinked > 0))
		return expected(p, "link", "and unlinked, or neither", e);
	if ((f->slow_share > 0) != (f->slow_occupancy > 0))
		return expected(p, "slow_share",
				"and slow_occupancy, or neither", e);
	if (!p->pairing_given)
		f->pairing_id = f->class_id;
	if (!p->uops_given)
		f->n_uops = f->n_port_uops ? f->n_port_uops : 1;
	if (f->n_uops < f->n_port_uops)
		return expected(p, "uops", "at least as many as ports name", e);
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
