/* Reads llvm-exegesis' benchmark files, from this program or from a machine
 * with counters, as a model.
 *
 * An entry says which instruction ran, with its registers, and one number for
 * all of it.  Which operands a latency is between follows from the registers:
 * a result that is in the register of a source.  If several pairs are possible,
 * the number is that of the longest and a bound of the others.  A chain through
 * a second instruction has a latency that is a sum, so it is left out. */
#include "host/codec/exegesis/exegesis.h"

#include <stdio.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/codec.h"
#include "host/codec/number.h"
#include "host/codec/yaml.h"
#include "host/experiment/experiment.h"
#include "host/isa/isa.h"

enum { WORD = 64, MOST_ENTRIES = 1 << 20 };

/* One measurement of an entry. */
struct exegesis_point {
	const struct form *form;
	size_t line;
	unsigned mode;
	int source, destination; /* of a latency */
	struct model_span cycles;
};

struct exegesis_reader {
	struct yaml y;
	struct arena *a;
	const struct catalogue *c;
	struct skips skips;
	struct buffer points; /* struct exegesis_point */
	const char *cpu;      /* of the first entry */
	size_t n_entries, n_unused, n_errors, n_sums, n_counters;
	size_t n_no_pair, n_no_value; /* unused, too */
};

/* An instruction's words: the opcode and its explicit operands. */
struct exegesis_inst {
	char words[FORM_MAX_OPERANDS + 1][WORD];
	int n; /* operands */
};

static bool read_words(const char *text, struct exegesis_inst *ret)
{
	int n = 0;

	while (*text == ' ')
		text++;
	for (; *text != '\0'; n++) {
		size_t size = strcspn(text, " ");

		if (n > FORM_MAX_OPERANDS || size >= WORD)
			return false;
		memcpy(ret->words[n], text, size);
		ret->words[n][size] = '\0';
		text += size;
		text += strspn(text, " ");
	}
	ret->n = n - 1;
	return n > 0;
}

/* ---- what is in an entry ------------------------------------------------ */

static const char *text_below(struct exegesis_reader *r, const yaml_node_t *map,
			      const char *key)
{
	const char *text = yaml_text(yaml_below(&r->y, map, key));

	return text ? text : "";
}

/* The form of an opcode and a configuration, which our own files have for
 * variants; NULL: the catalogue has none. */
static const struct form *form_of_entry(const struct exegesis_reader *r,
					const char *opcode, const char *config)
{
	char name[2 * WORD];
	const struct form *f = NULL;

	if (*config != '\0' && strlen(config) < WORD) {
		(void)snprintf(name, sizeof(name), "%s/%s", opcode, config);
		f = catalogue_form(r->c, name);
	}
	return f ? f : catalogue_form(r->c, opcode);
}

/* Do all instructions have one opcode?  The first is read. */
static int read_snippet(struct exegesis_reader *r, const yaml_node_t *list,
			struct exegesis_inst *ret, bool *ret_same)
{
	*ret_same = true;
	for (size_t i = 0; i < yaml_length(list); i++) {
		const yaml_node_t *node = yaml_item(&r->y, list, i);
		const char *text = yaml_text(node);
		struct exegesis_inst other;

		if (!text || !read_words(text, i == 0 ? ret : &other))
			return yaml_bad(&r->y, node ? node : list,
					"an opcode and its operands");
		if (i > 0 && strcmp(ret->words[0], other.words[0]) != 0)
			*ret_same = false;
	}
	return yaml_length(list) > 0
		       ? ERR_OK
		       : yaml_bad(&r->y, list, "a list of instructions");
}

static bool same_place(const struct form *f, const struct exegesis_inst *x,
		       int from, int to)
{
	const struct operand *s = &f->operands[from], *d = &f->operands[to];

	if (!s->read || !d->write || s->implicit != d->implicit)
		return false;
	if (s->implicit)
		return s->fixed_reg != REG_NONE && s->fixed_reg == d->fixed_reg;
	return s->kind != OPERAND_IMM && d->kind == OPERAND_REG &&
	       strcmp(x->words[from + 1], EXEGESIS_NO_REGISTER) != 0 &&
	       strcmp(x->words[from + 1], x->words[to + 1]) == 0;
}

/* All pairs that one instruction alone chains. */
static size_t chained_pairs(const struct form *f, const struct exegesis_inst *x,
			    int8_t (*ret)[2])
{
	size_t n = 0;

	for (int from = 0; from < f->n_operands; from++)
		for (int to = 0; to < f->n_operands; to++)
			if (same_place(f, x, from, to)) {
				ret[n][0] = (int8_t)from;
				ret[n++][1] = (int8_t)to;
			}
	return n;
}

static void keep_point(struct exegesis_reader *r,
		       const struct exegesis_point *of, int source,
		       int destination, double low)
{
	struct exegesis_point p = *of;

	p.source = source;
	p.destination = destination;
	p.cycles.low = low;
	buffer_add(&r->points, &p, sizeof(p));
}

/* The operands that our own files name, "1>0", of which the first is read and
 * the second written.  Returns how many pairs that is. */
static size_t named_pairs(struct exegesis_reader *r, const char *info,
			  const struct exegesis_point *p)
{
	const struct operand *o = p->form->operands;
	int from[FORM_MAX_OPERANDS], to[FORM_MAX_OPERANDS];
	char source[WORD], destination[WORD];
	size_t n = strcspn(info, ">"), n_from, n_to, n_kept = 0;

	if (info[n] != '>' || n >= WORD || strlen(info + n + 1) >= WORD)
		return 0;
	memcpy(source, info, n);
	source[n] = '\0';
	memcpy(destination, info + n + 1, strlen(info + n + 1) + 1);
	n_from = operand_find_all(r->c, p->form, source, true, from);
	n_to = operand_find_all(r->c, p->form, destination, false, to);
	for (size_t i = 0; i < n_from; i++)
		for (size_t k = 0; k < n_to; k++) {
			if (!o[from[i]].read || !o[to[k]].write)
				continue;
			keep_point(r, p, from[i], to[k], p->cycles.low);
			n_kept++;
		}
	return n_kept;
}

static void keep_latency(struct exegesis_reader *r, const char *info,
			 const struct exegesis_inst *x,
			 const struct exegesis_point *p)
{
	int8_t pairs[FORM_MAX_OPERANDS * FORM_MAX_OPERANDS][2];
	size_t n;

	if (strncmp(info, EXEGESIS_PAIR, strlen(EXEGESIS_PAIR)) == 0) {
		r->n_no_pair +=
			named_pairs(r, info + strlen(EXEGESIS_PAIR), p) == 0;
		return;
	}
	n = chained_pairs(p->form, x, pairs);
	for (size_t i = 0; i < n; i++)
		keep_point(r, p, pairs[i][0], pairs[i][1],
			   n == 1 ? p->cycles.low : 0);
	r->n_no_pair += n == 0;
}

/* The number of a measurement with this key; false: it has none that a cost
 * can be (0 stands for unknown). */
static bool find_measurement(struct exegesis_reader *r, const yaml_node_t *list,
			     const char *key, double *ret)
{
	bool found = false;

	for (size_t i = 0; i < yaml_length(list); i++) {
		const yaml_node_t *map = yaml_item(&r->y, list, i);

		if (strcmp(text_below(r, map, "key"), key) == 0)
			found = yaml_number(&r->y,
					    yaml_below(&r->y, map, "value"),
					    ret) &&
				*ret > 0 && *ret < MODEL_MOST;
		else
			r->n_counters++;
	}
	return found;
}

static int find_mode(struct exegesis_reader *r, const yaml_node_t *root,
		     unsigned *ret)
{
	const char *mode = text_below(r, root, "mode");

	for (*ret = 0; *ret < EXEGESIS_N; ++*ret)
		if (strcmp(exegesis_modes[*ret].mode, mode) == 0)
			return ERR_OK;
	return yaml_bad(&r->y, root,
			"mode: latency, inverse_throughput or uops");
}

static int check_core(struct exegesis_reader *r, const yaml_node_t *root)
{
	const char *cpu = text_below(r, root, "cpu_name");
	const char *triple = text_below(r, root, "llvm_triple");
	const char *isa = r->c->isa->name;
	size_t n = strlen(isa);

	if (strncmp(triple, isa, n) != 0 || triple[n] != '-')
		return yaml_bad(&r->y, root,
				"llvm_triple: of the instruction set that is "
				"read");
	if (!r->cpu)
		r->cpu = arena_strdup(r->a, cpu);
	if (strcmp(r->cpu, cpu) != 0)
		return yaml_bad(&r->y, root,
				"cpu_name: the one of the first entry");
	return ERR_OK;
}

static int take_entry(struct exegesis_reader *r, const yaml_node_t *root,
		      const struct exegesis_inst *x, const char *config)
{
	const yaml_node_t *list = yaml_below(&r->y, root, "measurements");
	struct exegesis_point p = { .line = root->start_mark.line + 1 };
	double value = 0;

	if (find_mode(r, root, &p.mode) != ERR_OK)
		return r->y.e->code;
	p.form = form_of_entry(r, x->words[0], config);
	if (!p.form) {
		r->n_unused++;
		return ERR_OK;
	}
	if (x->n != p.form->n_explicit)
		return yaml_bad(&r->y, root,
				"as many operands as the opcode has");
	if (!find_measurement(r, list, exegesis_modes[p.mode].key, &value)) {
		r->n_no_value += r->y.e->code == ERR_OK;
		return r->y.e->code;
	}
	p.cycles = (struct model_span){ true, value, value };
	if (p.mode == EXEGESIS_LATENCY)
		keep_latency(r, text_below(r, root, "info"), x, &p);
	else
		buffer_add(&r->points, &p, sizeof(p));
	return r->y.e->code;
}

static int read_entry(struct exegesis_reader *r, const yaml_node_t *root)
{
	const yaml_node_t *key = yaml_below(&r->y, root, "key"), *list;
	struct exegesis_inst x = { .n = 0 };
	bool same;

	if (root->type != YAML_MAPPING_NODE)
		return yaml_bad(&r->y, root, "a map, one of each benchmark");
	if (check_core(r, root) != ERR_OK)
		return r->y.e->code;
	if (*text_below(r, root, "error") != '\0') {
		r->n_errors++;
		return ERR_OK;
	}
	list = yaml_below(&r->y, key, "instructions");
	if (!list || list->type != YAML_SEQUENCE_NODE)
		return yaml_bad(&r->y, root, "key with a list of instructions");
	if (read_snippet(r, list, &x, &same) != ERR_OK)
		return r->y.e->code;
	if (!same) {
		r->n_sums++;
		return ERR_OK;
	}
	return take_entry(r, root, &x, text_below(r, key, "config"));
}

static int read_entries(struct exegesis_reader *r, const struct import_text *t)
{
	const yaml_node_t *root;
	struct err *e = r->y.e;

	if (yaml_open(&r->y, t->text, t->n) != ERR_OK)
		return e->code;
	while (yaml_next(&r->y, &root) == ERR_OK && root) {
		if (r->n_entries++ == MOST_ENTRIES) {
			(void)err_set(e, ERR_INPUT,
				      "%s has more than %d entries", t->path,
				      MOST_ENTRIES);
			break;
		}
		if (read_entry(r, root) != ERR_OK && !skip_entry(&r->skips, e))
			break;
	}
	yaml_close(&r->y);
	return e->code;
}

/* ---- as a model --------------------------------------------------------- */

static int compare_points(const void *a, const void *b)
{
	const struct exegesis_point *x = a, *y = b;
	int order = strcmp(x->form->name, y->form->name);

	if (order == 0)
		order = ORDER(x->mode, y->mode);
	if (order == 0)
		order = ORDER(x->source, y->source);
	if (order == 0)
		order = ORDER(x->destination, y->destination);
	return order ? order : ORDER(x->line, y->line);
}

/* Entries that differ only in registers are one value: all of it. */
static void unite_span(struct model_span *s, const struct model_span *more)
{
	if (!s->has_value) {
		*s = *more;
		return;
	}
	span_unite(s, more);
}

static void add_point(const struct exegesis_point *p, struct model_form *f,
		      struct buffer *latencies)
{
	struct model_latency *last, l;

	if (p->mode == EXEGESIS_THROUGHPUT) {
		unite_span(&f->throughput, &p->cycles);
		return;
	}
	if (p->mode == EXEGESIS_UOPS) {
		unite_span(&f->slots, &p->cycles);
		return;
	}
	l = (struct model_latency){ .source = (int8_t)p->source,
				    .destination = (int8_t)p->destination,
				    .cycles = p->cycles };
	last = latencies->n > 0
		       ? (struct model_latency *)(void *)(latencies->bytes +
							  latencies->n) -
				 1
		       : NULL;
	if (last && last->source == l.source &&
	    last->destination == l.destination)
		unite_span(&last->cycles, &l.cycles);
	else
		buffer_add(latencies, &l, sizeof(l));
}

static void add_forms(struct exegesis_reader *r, struct model *m)
{
	size_t n;
	struct exegesis_point *p =
		buffer_take_list(r->a, &r->points, sizeof(*p), &n);
	struct buffer forms = { 0 };

	order_sort(p, n, sizeof(*p), compare_points);
	for (size_t i = 0, end; i < n; i = end) {
		struct model_form f = { .name = p[i].form->name };
		struct buffer latencies = { 0 };

		for (end = i; end < n && p[end].form == p[i].form; end++)
			add_point(&p[end], &f, &latencies);
		f.latencies = buffer_take_list(
			r->a, &latencies, sizeof(*f.latencies), &f.n_latencies);
		f.evidence = arena_printf(r->a, "line %zu", p[i].line);
		buffer_add(&forms, &f, sizeof(f));
	}
	m->forms =
		buffer_take_list(r->a, &forms, sizeof(*m->forms), &m->n_forms);
}

static void add_notes(struct exegesis_reader *r, struct model *m)
{
	const struct {
		size_t n;
		const char *text;
	} notes[] = {
		{ r->n_errors, "entries are errors, without a value" },
		{ r->n_no_pair, "latencies are of no pair of operands that the "
				"form reads and writes" },
		{ r->n_no_value, "entries have no number of their mode that a "
				 "cost can be" },
		{ r->n_sums, "entries are of several opcodes, whose values "
			     "are sums" },
		{ r->n_counters, "counts of other events are not read" },
	};

	import_note(r->a, m,
		    "llvm-exegesis' file has no ports. A latency is that of "
		    "the registers that its instruction shares.");
	for (size_t i = 0; i < ARRAY_LEN(notes); i++)
		if (notes[i].n > 0)
			import_note(r->a, m, "%zu %s.", notes[i].n,
				    notes[i].text);
}

static int read_exegesis(struct arena *a, const struct catalogue *c,
			 const struct import_text *t, struct model **ret,
			 struct err *e)
{
	struct exegesis_reader r = { .y = { .path = t->path, .e = e },
				     .a = a,
				     .c = c };
	struct model *m = ARENA_NEW(a, struct model);

	if (read_entries(&r, t) != ERR_OK) {
		buffer_free(&r.points);
		return e->code;
	}
	add_forms(&r, m);
	if (m->n_forms == 0)
		return err_set(e, ERR_INPUT,
			       "%s has no value of a form of %s%s%s", t->path,
			       c->isa->name, r.skips.n > 0 ? ": " : "",
			       r.skips.n > 0 ? r.skips.first.message : "");
	m->isa = c->isa->name;
	m->cpu = r.cpu;
	m->source = arena_printf(a, "llvm-exegesis: %s", t->path);
	m->n_named = r.n_entries;
	m->n_unused = r.n_unused + r.n_no_pair + r.n_no_value;
	add_notes(&r, m);
	import_count(a, m, r.n_entries, &r.skips);
	if (model_check(m, c, e) == ERR_OK)
		*ret = m;
	return e->code;
}

static bool is_exegesis(const char *text, size_t n)
{
	(void)n;
	return strstr(text, "llvm_triple:") != NULL &&
	       strstr(text, "measurements:") != NULL;
}

/* The instruction set of the first triple. */
static int exegesis_isa(struct arena *a, const struct import_text *t,
			const char **ret, struct err *e)
{
	static const char key[] = "llvm_triple:";
	const char *at = strstr(t->text, key);

	(void)a;
	(void)e;
	if (!at)
		return ERR_OK;
	at += sizeof(key) - 1;
	at += strspn(at, " '\"");
	for (size_t i = 0; isas[i]; i++) {
		size_t n = strlen(isas[i]->name);

		if (strncmp(at, isas[i]->name, n) == 0 && at[n] == '-')
			*ret = isas[i]->name;
	}
	return ERR_OK;
}

const struct importer importer_exegesis = {
	.name = "exegesis",
	.describe = "llvm-exegesis' benchmarks: latency, inverse throughput, "
		    "micro-ops",
	.values_only = true,
	.is = is_exegesis,
	.isa = exegesis_isa,
	.read = read_exegesis,
};
