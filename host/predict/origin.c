/* Where the values of instructions come from, in words; see print.h. */
#include <string.h>

#include "host/predict/print.h"

/* Is the model itself measured, rather than read from tables? */
static bool origin_is_measured(const struct body *b)
{
	static const char word[] = "measured";

	return strncmp(b->model->source, word, sizeof(word) - 1) == 0;
}

static void origin_add(struct buffer *out, const struct body *b,
		       const struct cost_origin *from)
{
	const struct model *tables = completed_tables(b->completion);
	const char *base = origin_is_measured(b) ? "measured" : "in the model";

	switch (from->origin) {
	case ORIGIN_MODEL:
		buffer_printf(out, "%s", base);
		return;
	case ORIGIN_CLASS:
		buffer_printf(out, "%s for %s", base,
			      from->like ? from->like : "forms of its class");
		return;
	case ORIGIN_PARTS:
		buffer_printf(out, "%s for %s", base,
			      from->like ? from->like
					 : "its access and its computation");
		return;
	case ORIGIN_TABLES:
		buffer_printf(out, "from %s",
			      tables ? tables->source : "tables");
		return;
	case ORIGIN_BETWEEN:
		buffer_printf(out, "between bounds (%s), their middle", base);
		return;
	default:
		buffer_printf(out, "assumed");
	}
}

static bool origin_is_same(const struct cost_origin *x,
			   const struct cost_origin *y)
{
	return x->origin == y->origin &&
	       (x->like == y->like ||
		(x->like && y->like && strcmp(x->like, y->like) == 0));
}

/* The ports need words of their own where there are none. */
static const char *origin_no_ports(const struct op *o)
{
	if (o->form->has_ports || o->eliminated)
		return NULL;
	if (o->costs->own_contradicted)
		return "no ports, those of the model contradict its throughput";
	return o->costs->table_contradicted
		       ? "no ports, the tables' contradict what was measured"
		       : "no ports";
}

void print_origin(struct buffer *out, const struct prediction *p, size_t i)
{
	static const char *const words[COST_N] = {
		[COST_LATENCY] = "latency",
		[COST_THROUGHPUT] = "throughput",
		[COST_PORTS] = "ports",
	};
	const struct op *o = &p->body.ops[i];
	const char *none;
	bool said[COST_N] = { false };

	if (!o->costs) {
		buffer_printf(out, "unknown instruction");
		return;
	}
	none = origin_no_ports(o);
	said[COST_PORTS] = none != NULL || o->eliminated;
	for (int k = 0; k < COST_N; k++) {
		if (said[k])
			continue;
		buffer_printf(out, "%s%s", k > 0 ? ", " : "", words[k]);
		for (int j = k + 1; j < COST_N; j++)
			if (!said[j] &&
			    origin_is_same(&o->origin[k], &o->origin[j])) {
				buffer_printf(out, ", %s", words[j]);
				said[j] = true;
			}
		buffer_printf(out, " ");
		origin_add(out, &p->body, &o->origin[k]);
	}
	if (none)
		buffer_printf(out, ", %s", none);
}

char print_origin_mark(const struct op *o)
{
	static const char marks[ORIGIN_N] = {
		[ORIGIN_MODEL] = ' ',   [ORIGIN_CLASS] = 'c',
		[ORIGIN_PARTS] = 'p',   [ORIGIN_TABLES] = 't',
		[ORIGIN_BETWEEN] = 'b', [ORIGIN_ASSUMED] = 'X',
	};
	enum model_origin worst = ORIGIN_MODEL;

	if (o->assumed || !o->costs)
		return 'X';
	for (int k = 0; k < COST_N; k++)
		if (o->origin[k].origin > worst &&
		    o->origin[k].origin < ORIGIN_ASSUMED)
			worst = o->origin[k].origin;
	return marks[worst];
}

/* Has a form before this one in the loop? */
static bool origin_is_known(const struct prediction *p, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (p->body.ops[k].costs == p->body.ops[i].costs)
			return true;
	return false;
}

static const char *origin_words(const struct prediction *p, size_t i)
{
	struct buffer words = { 0 };
	const char *text;

	print_origin(&words, p, i);
	buffer_add(&words, "", 1);
	text = arena_strdup(p->body.a, (const char *)words.bytes);
	buffer_free(&words);
	return text;
}

static const char *origin_form(const struct op *o)
{
	return o->costs ? o->costs->form->name : o->insn->text;
}

void print_origins(struct buffer *out, const struct prediction *p,
		   const char *before)
{
	const char **words =
		ARENA_ARRAY(p->body.a, const char *, p->body.n + 1);

	for (size_t i = 0; i < p->body.n; i++)
		if (!origin_is_known(p, i))
			words[i] = origin_words(p, i);
	for (size_t i = 0; i < p->body.n; i++) {
		const char *own = words[i];

		if (!own)
			continue;
		buffer_printf(out, "%s%c %s: %s", before,
			      print_origin_mark(&p->body.ops[i]), own,
			      origin_form(&p->body.ops[i]));
		for (size_t k = i + 1; k < p->body.n; k++) {
			if (!words[k] || strcmp(words[k], own) != 0)
				continue;
			buffer_printf(out, ", %s",
				      origin_form(&p->body.ops[k]));
			words[k] = NULL;
		}
		buffer_printf(out, "\n");
	}
}
