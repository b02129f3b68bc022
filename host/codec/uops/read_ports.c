/* Reads the numbers and the ports of uops.info's XML; see read.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/codec/uops/read.h"

enum { MAX_USES = 64, MOST_WRONG = 10 };

struct uops_key uops_key(const char *name, const char *suffix)
{
	struct uops_key ret;

	(void)snprintf(ret.text, sizeof(ret.text), "%s%s", name, suffix);
	return ret;
}

bool uops_number(struct uops_reader *r, const struct xml_tag *t,
		 const char *key, double *ret)
{
	const char *text = xml_get(t, key);
	char *end;

	if (!text)
		return false;
	*ret = strtod(text, &end);
	if (*text == '\0' || strspn(text, "0123456789.e+-") != strlen(text) ||
	    *end != '\0' || !(*ret >= 0 && *ret <= MODEL_MOST))
		return xml_bad(&r->x, "a number from 0 to 1e9");
	return true;
}

void uops_read_port(struct uops_reader *r, const struct xml_tag *t)
{
	const char *code = xml_get(t, "code"), *name = xml_get(t, "name");

	if (!code || strlen(code) != 1 || !name || *name == '\0' ||
	    r->m->n_ports == MODEL_MAX_PORTS) {
		(void)xml_bad(&r->x,
			      "a port with code and name, and at most 64 "
			      "ports");
		return;
	}
	r->has_list = true;
	r->codes[r->m->n_ports] = *code;
	r->ports[r->m->n_ports++] = (struct model_port){
		.name = arena_strdup(r->a, name),
		.pseudo = xml_get(t, "pseudo") != NULL,
	};
}

/* FP0 of a file without a list, where p0 is another port. */
static char fp_code(char digit)
{
	return digit >= '0' && digit <= '9' ? (char)(digit - '0' + 1) : ' ';
}

/* Read p05, or FP01 of AMD's cores. */
static bool read_set(const struct uops_reader *r, const char **text,
		     model_ports *set)
{
	bool fp = !r->has_list && strncmp(*text, "FP", 2) == 0;

	*set = 0;
	if (**text != 'p' && !fp)
		return false;
	for (*text += fp ? 2 : 1; **text != '\0' && **text != '+'; (*text)++) {
		char code = fp ? fp_code(**text) : **text;
		size_t i = 0;

		while (i < r->m->n_ports && r->codes[i] != code)
			i++;
		if (i == r->m->n_ports)
			return false;
		*set |= (model_ports)1 << i;
	}
	return *set != 0;
}

/* Read 1*p05+1*p23. */
static bool read_uses(const struct uops_reader *r, const char *text,
		      struct model_use *uses, size_t *n)
{
	while (*text != '\0') {
		struct model_use u = { .cycles = 1 };
		char *end;

		if (strspn(text, "0123456789.") == 0 || *n == MAX_USES)
			return false;
		u.n_uops = strtod(text, &end);
		if (*end != '*' || !(u.n_uops > 0))
			return false;
		text = end + 1;
		if (!read_set(r, &text, &u.ports))
			return false;
		uses[(*n)++] = u;
		text += *text == '+';
	}
	return true;
}

/* Read port_cycles, "1+2": one number for each use. */
static bool read_busy(const char *text, struct model_use *uses, size_t n)
{
	for (size_t i = 0; text && i < n; i++) {
		char *end;

		if (strspn(text, "0123456789.") == 0)
			return false;
		uses[i].cycles = strtod(text, &end);
		if (!(uses[i].cycles > 0) || *end != (i + 1 < n ? '+' : '\0'))
			return false;
		text = end + 1;
	}
	return true;
}

/* Read units: uses of one uop that takes so many cycles. */
static bool read_units(const struct uops_reader *r, const char *text,
		       struct model_use *uses, size_t *n)
{
	size_t first = *n;

	if (!read_uses(r, text, uses, n))
		return false;
	for (size_t i = first; i < *n; i++) {
		uses[i].cycles = uses[i].n_uops;
		uses[i].n_uops = 1;
	}
	return true;
}

static void add_port(struct uops_reader *r, char code, const char *file,
		     char digit)
{
	r->codes[r->m->n_ports] = code;
	r->ports[r->m->n_ports++] = (struct model_port){
		.name = arena_printf(r->a, "%s%c", file, digit),
	};
}

/* uops.info's own file lists no ports: each has one digit or letter. */
static void find_ports(struct uops_reader *r)
{
	static const char codes[] = "0123456789ABCDEF";

	for (const char *c = codes; *c != '\0'; c++)
		add_port(r, *c, "p", *c);
	for (const char *c = codes; *c != 'A'; c++)
		add_port(r, fp_code(*c), "FP", *c);
}

/* The places of the ports of `set` among those of `all`. */
static model_ports among(model_ports set, model_ports all)
{
	model_ports places = 0;

	for (model_ports place = 1; all != 0; all &= all - 1, place <<= 1)
		if ((set & all & -all) != 0)
			places |= place;
	return places;
}

void uops_drop_ports(struct uops_reader *r, struct model_form *forms, size_t n)
{
	size_t n_kept = 0;
	model_ports used = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < forms[i].n_uses; k++)
			used |= forms[i].uses[k].ports;
	for (size_t p = 0; p < r->m->n_ports; p++) {
		if ((used >> p & 1) == 0)
			continue;
		r->ports[n_kept] = r->ports[p];
		/* Some forms may be measured wrong. */
		r->ports[n_kept++].no_index =
			r->n_lost[p] > MOST_WRONG * r->n_kept[p];
	}
	for (size_t i = 0; i < n; i++) {
		struct model_use *uses = arena_copy(
			r->a, forms[i].uses, forms[i].n_uses * sizeof(*uses));

		for (size_t k = 0; k < forms[i].n_uses; k++)
			uses[k].ports = among(uses[k].ports, used);
		forms[i].uses = uses;
	}
	r->m->n_ports = n_kept;
}

/* The unit of a divider that the file does not name. */
static model_ports find_divider(struct uops_reader *r)
{
	size_t at = 0;

	while (at < r->m->n_ports && !r->ports[at].pseudo)
		at++;
	if (at == r->m->n_ports) {
		r->codes[at] = '/';
		r->ports[r->m->n_ports++] =
			(struct model_port){ .name = "divider",
					     .pseudo = true };
	}
	return (model_ports)1 << at;
}

/* Cycles of a divider: uops.info's are those of its unit alone, but some units
 * take the next division earlier, and some divisions take longer. */
static bool read_divider(struct uops_reader *r, const struct xml_tag *t,
			 const char *suffix, const struct model_form *f,
			 struct model_use *ret)
{
	const char *ports = xml_get(t, "div_ports");
	double cycles = 0;

	if (!uops_number(r, t, uops_key("div_cycles", suffix).text, &cycles) ||
	    !(cycles > 0))
		return false;
	*ret = (struct model_use){ .n_uops = 1, .cycles = cycles };
	if (ports)
		return read_set(r, &ports, &ret->ports) ||
		       xml_bad(&r->x, "div_ports such as pA");
	/* Exports of this program name the unit. */
	if (r->has_list)
		return false;
	ret->ports = find_divider(r);
	if (f->throughput.has_value && f->throughput.low > 0)
		ret->cycles = f->throughput.low;
	return true;
}

void uops_read_ports(struct uops_reader *r, const struct xml_tag *t,
		     const char *suffix, struct model_form *f)
{
	static const double doubt = 1.001;
	const char *text = xml_get(t, "port_uses");
	const char *units = xml_get(t, "units");
	const char *mark = xml_get(t, "ports_mark");
	struct model_use uses[MAX_USES + 1];
	double bound = 0, uops = 1;
	size_t n = 0;

	if (!text)
		text = xml_get(t, uops_key("ports", suffix).text);
	/* What is done when it is renamed needs none. */
	if (!text &&
	    (xml_get(t, "ports_none") ||
	     (!r->has_list &&
	      uops_number(r, t, uops_key("uops", suffix).text, &uops) &&
	      uops == 0)))
		text = "";
	if (!text)
		return;
	if (r->m->n_ports == 0 && !r->has_list)
		find_ports(r);
	if (!read_uses(r, text, uses, &n) ||
	    !read_busy(xml_get(t, "port_cycles"), uses, n)) {
		(void)xml_bad(&r->x, "ports such as 1*p05+1*p23");
		return;
	}
	if (units && !read_units(r, units, uses, &n)) {
		(void)xml_bad(&r->x, "units such as 5*pA");
		return;
	}
	if (!units && n < MAX_USES)
		n += read_divider(r, t, suffix, f, &uses[n]);
	/* If these ports do not explain TP_ports, the list is incomplete, as in
	 * files of other tools: leave it out. */
	if (uops_number(r, t, uops_key("TP_ports", suffix).text, &bound) &&
	    bound > doubt * model_port_bound(uses, n, NULL)) {
		r->n_partial++;
		return;
	}
	f->has_ports = true;
	f->mark = (struct model_mark){ .kind = MARK_PUBLISHED };
	if (mark && !mark_parse(mark, &f->mark))
		(void)xml_bad(&r->x, "measured, published or open");
	f->n_uses = n;
	f->uses = arena_copy(r->a, uses, n * sizeof(*uses));
}
