/* Writes a whole scheduling model like a target's own: WriteRes,
 * LMULWriteResMX and LMULSEWWriteResMXSEW, ReadAdvance, UnsupportedSched...; see
 * whole.h. */
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/llvm/regex.h"
#include "host/codec/llvm/whole.h"
#include "host/codec/llvm/whole_td.h"
#include "host/codec/llvm/write.h"
#include "host/isa/mc.h"
#include "host/model/mark.h"

static char capital(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* "spacemit-x60" becomes "SpacemitX60". */
static const char *camel_case(struct arena *a, const char *cpu)
{
	static const char between[] = "-_.+ ";
	const char *name = "";

	if (strcmp(cpu, "any") == 0)
		cpu = "measured";
	while (*cpu != '\0' && *cpu != ',') {
		size_t n = strcspn(cpu, "-_.+ ,");

		if (n > 0)
			name = arena_printf(a, "%s%c%.*s", name, capital(*cpu),
					    (int)n - 1, cpu + 1);
		cpu += n;
		cpu += strspn(cpu, between);
	}
	return td_identifier(a, name);
}

/* ---- costs -------------------------------------------------------------- */

static void put_resources(struct whole_td *t, const struct whole_cost *x)
{
	buffer_printf(t->out, "[");
	for (size_t i = 0; i < x->n_uses; i++) {
		const struct whole_use *u = &x->uses[i];

		buffer_printf(t->out, "%s%s_%s", i > 0 ? ", " : "",
			      t->td.prefix,
			      u->ports ? td_resource(&t->td, u->ports)
				       : t->w->units[u->unit].name);
	}
	buffer_printf(t->out, "]");
}

/* The fields of a cost that are not LLVM's defaults, "A = 1, B = [2]"; empty:
 * all are. */
static const char *fields(struct whole_td *t, const struct whole_cost *x,
			  const char *between)
{
	struct buffer b = { 0 };
	bool cycles = false;

	if (x->latency != 1)
		buffer_printf(&b, "%sLatency = %ld", between, x->latency);
	for (size_t i = 0; i < x->n_uses; i++)
		cycles = cycles || x->uses[i].cycles != 1;
	if (cycles) {
		buffer_printf(&b, "%sReleaseAtCycles = [", between);
		for (size_t i = 0; i < x->n_uses; i++)
			buffer_printf(&b, "%s%ld", i > 0 ? ", " : "",
				      x->uses[i].cycles);
		buffer_printf(&b, "]");
	}
	if (x->uops != 1)
		buffer_printf(&b, "%sNumMicroOps = %ld", between, x->uops);
	return b.n > 0 ? buffer_take(&t->td.a, &b) + strlen(between) : "";
}

/* `begin` [resources] and the fields as the body of a definition. */
static void put_cost(struct whole_td *t, const char *begin,
		     const struct whole_cost *x)
{
	const char *body = fields(t, x, "; let ");

	buffer_printf(t->out, "%s", begin);
	put_resources(t, x);
	if (*body != '\0')
		buffer_printf(t->out, "> { let %s; }", body);
	else
		buffer_printf(t->out, ">;");
}

static void put_comment(struct whole_td *t, const struct whole_name *x)
{
	char room[MARK_ROOM];
	const char *mark = mark_text(x->mark, room);

	buffer_printf(t->out, "// %s", x->member);
	if (x->n_members > 1)
		buffer_printf(t->out, ", %zu forms", x->n_members);
	if (x->n_unlike > 0)
		buffer_printf(t->out, ", %zu differ, %zu of them below",
			      x->n_unlike, x->n_excepted);
	if (*mark != '\0')
		buffer_printf(t->out, "; ports: %s", mark);
	buffer_printf(t->out, "\n");
}

static void put_scalars(struct whole_td *t)
{
	for (size_t i = 0; i < t->w->n_names; i++) {
		const struct whole_name *x = &t->w->names[i];

		if (x->read || x->worst || x->grouping >= 0)
			continue;
		if (x->cost) {
			put_cost(t,
				 arena_printf(&t->td.a, "def : WriteRes<%s, ",
					      x->name),
				 x->cost);
			buffer_printf(t->out, " ");
			put_comment(t, x);
		} else if (x->flow) {
			buffer_printf(t->out,
				      "def : WriteRes<%s, []>; // jumps, which "
				      "were not measured\n",
				      x->name);
		}
	}
}

/* ---- vectors ------------------------------------------------------------ */

static const int widths[] = { 0, 8, 16, 32, 64 };

static struct whole_name *vector_name(struct whole_td *t,
				      const struct whole_name *family,
				      int grouping, int sew)
{
	const char *name =
		arena_printf(&t->td.a, sew > 0 ? "%.*s_%s_E%d" : "%.*s_%s",
			     (int)family->family, family->name,
			     whole_groupings[grouping], sew);

	return whole_find(t->w, name, strlen(name));
}

static bool same_cost(const struct whole_name *x, const struct whole_name *y)
{
	return x && y && x->cost && x->cost == y->cost;
}

/* `before` a multiclass for values of a variable from `first` on that have one
 * cost; `list` are these values. */
static void put_vector(struct whole_td *t, const struct whole_name *x,
		       const char *variable, const char *list, const char *rest)
{
	const char *let = fields(t, x->cost, ", ");

	if (*let != '\0')
		buffer_printf(t->out, "let %s in\n", let);
	buffer_printf(t->out,
		      "foreach %s = [%s] in\n  defm \"\" : %s<\"%.*s\", ",
		      variable, list,
		      x->sew > 0 ? "LMULSEWWriteResMXSEW" : "LMULWriteResMX",
		      (int)x->family, x->name);
	put_resources(t, x->cost);
	buffer_printf(t->out, ", %s, false>;\n", rest);
}

/* Comment on a part of a statement and add it to the values of its variable. */
static const char *add_part(struct whole_td *t, const char *list,
			    const struct whole_name *x, const char *value)
{
	if (x && x->cost)
		put_comment(t, x);
	return arena_printf(&t->td.a, "%s%s%s", list, *list != '\0' ? ", " : "",
			    value);
}

/* Groupings of one cost in a row become one statement. */
static void put_groupings(struct whole_td *t, const struct whole_name *family)
{
	for (int g = 0, end; g < WHOLE_N_GROUPINGS; g = end) {
		const struct whole_name *x = vector_name(t, family, g, 0);
		const char *list = "";

		for (end = g;
		     end == g || (end < WHOLE_N_GROUPINGS &&
				  same_cost(x, vector_name(t, family, end, 0)));
		     end++)
			list = add_part(t, list, vector_name(t, family, end, 0),
					arena_printf(&t->td.a, "\"%s\"",
						     whole_groupings[end]));
		if (x && x->cost)
			put_vector(t, x, "mx", list, "mx");
	}
}

static void put_widths(struct whole_td *t, const struct whole_name *family,
		       int grouping)
{
	for (size_t s = 1, end; s < ARRAY_LEN(widths); s = end) {
		const struct whole_name *x =
			vector_name(t, family, grouping, widths[s]);
		const char *list = "";

		for (end = s;
		     end == s || (end < ARRAY_LEN(widths) &&
				  same_cost(x, vector_name(t, family, grouping,
							   widths[end])));
		     end++)
			list = add_part(
				t, list,
				vector_name(t, family, grouping, widths[end]),
				arena_printf(&t->td.a, "%d", widths[end]));
		if (x && x->cost)
			put_vector(t, x, "sew", list,
				   arena_printf(&t->td.a, "\"%s\", sew",
						whole_groupings[grouping]));
	}
}

static void put_vectors(struct whole_td *t)
{
	for (size_t i = 0; i < t->w->n_names; i++) {
		const struct whole_name *x = &t->w->names[i];

		if (x->read || !whole_td_begins_family(t->w, i))
			continue;
		put_groupings(t, x);
		for (int g = 0; g < WHOLE_N_GROUPINGS; g++)
			put_widths(t, x, g);
	}
	for (size_t i = 0; i < t->w->n_names; i++) {
		const struct whole_name *x = &t->w->names[i];

		if (x->read || !x->worst || !x->cost)
			continue;
		put_cost(t,
			 arena_printf(&t->td.a, "def : WriteRes<%s, ", x->name),
			 x->cost);
		buffer_printf(t->out, "\n");
	}
}

/* ---- exceptions --------------------------------------------------------- */

static void put_exception(struct whole_td *t, size_t index)
{
	const struct whole_exception *x = &t->w->exceptions[index];
	const char *name =
		arena_printf(&t->td.a, "%s_Write%zu", t->td.prefix, index);
	const char *const *expressions;
	size_t n = llvm_regex_cover(&t->td.a, x->opcodes, x->n, &expressions);

	put_cost(t, arena_printf(&t->td.a, "def %s : SchedWriteRes<", name),
		 x->cost);
	buffer_printf(t->out, "\ndef : InstRW<[%s", name);
	for (const char *at = x->rest; *at == '_';) {
		size_t length = whole_name_length(at + 1);

		buffer_printf(t->out, ", %.*s", (int)length, at + 1);
		at += length + 1;
	}
	buffer_printf(t->out, "], (instregex ");
	for (size_t i = 0; i < n; i++)
		buffer_printf(t->out, "%s\"%s\"", i > 0 ? ",\n  " : "",
			      expressions[i]);
	buffer_printf(t->out, ")>;\n");
}

/* ---- all of it ---------------------------------------------------------- */

/* Groups of ports stand before the writes that use them. */
static void find_groups(struct whole_td *t)
{
	size_t n = 64;

	for (size_t i = 0; i < t->w->n_names; i++)
		n += t->w->names[i].cost ? t->w->names[i].cost->n_uses : 0;
	for (size_t i = 0; i < t->w->n_exceptions; i++)
		n += t->w->exceptions[i].cost->n_uses;
	t->td.groups = ARENA_ARRAY(&t->td.a, model_ports, n);
	for (size_t i = 0; i < t->w->n_names + t->w->n_exceptions; i++) {
		const struct whole_cost *x =
			i < t->w->n_names
				? t->w->names[i].cost
				: t->w->exceptions[i - t->w->n_names].cost;

		for (size_t u = 0; x && u < x->n_uses; u++)
			if (x->uses[u].ports)
				(void)td_resource(&t->td, x->uses[u].ports);
	}
}

static void put_head(struct whole_td *t)
{
	const struct whole *w = t->w;
	size_t n_writes = 0, n_known = 0;

	for (size_t i = 0; i < w->n_names; i++) {
		n_writes += !w->names[i].read;
		n_known += w->names[i].cost != NULL;
	}
	export_tool_comment(t->out, "//", w->m);
	export_completed(t->out, "//", w->m);
	buffer_printf(
		t->out,
		"// Scheduling model of %s for LLVM %s; include it behind the "
		"target's instructions.\n"
		"// %zu forms give %zu of %zu writes a cost, the most frequent "
		"one. %zu InstRW name opcodes\n"
		"// that differ; %zu forms differ of which other types have "
		"the same opcode. Left out: %zu\n"
		"// without a write, %zu without ports or throughput, %zu "
		"without a latency, %zu of no whole\n// cycles. ",
		t->td.prefix, mc_version(), w->counts[WHOLE_OK], n_known,
		n_writes, w->n_exceptions, w->n_mixed,
		w->counts[WHOLE_NO_CLASS], w->counts[WHOLE_NO_RATE],
		w->counts[WHOLE_NO_LATENCY], w->counts[WHOLE_NOT_WHOLE]);
	buffer_printf(
		t->out,
		"A resource PipeN: forms that do not start together; u.: a unit "
		"that is not\n// pipelined; one with the name of a write: its "
		"rate, what else uses it is not known.\n\n");
}

static void put_core(struct whole_td *t)
{
	const struct whole *w = t->w;
	struct whole_name *load = whole_find(w, "WriteLDD", 8);
	struct buffer more = { 0 };
	const char *features = whole_td_features(t);

	if (!w->m->width.has_value)
		buffer_printf(&more, "  let IssueWidth = %.0f;\n", w->width);
	if (load && load->cost)
		buffer_printf(&more, "  let LoadLatency = %ld;\n",
			      load->cost->latency);
	td_add_names(&more, "  let UnsupportedFeatures = [", features, "];\n");
	td_add_core(&t->td, buffer_text(&more));
	for (size_t i = 0; i < w->n_units; i++)
		buffer_printf(t->out, "def %s_%s : ProcResource<%ld>%s\n",
			      t->td.prefix, w->units[i].name, w->units[i].n,
			      w->m->in_order ? " { let BufferSize = 0; }"
					     : ";");
	buffer_free(&more);
}

static void put_model(struct whole_td *t)
{
	td_name_ports(&t->td);
	find_groups(t);
	put_head(t);
	put_core(t);
	buffer_printf(t->out, "\n");
	put_scalars(t);
	buffer_printf(t->out, "\n");
	put_vectors(t);
	whole_td_put_unknown(t);
	whole_td_put_reads(t);
	for (size_t i = 0; i < t->w->n_exceptions; i++)
		put_exception(t, i);
	buffer_printf(t->out, "} // SchedModel\n");
}

int whole_td_write(const struct model *m, const struct catalogue *c,
		   struct buffer *ret, struct err *e)
{
	struct whole_td t = { .out = ret, .td = { .out = ret, .c = c } };
	struct whole w;

	if (whole_read(&t.td.a, m, c, &w, e) == ERR_OK) {
		t.w = &w;
		t.td.m = w.m;
		t.td.prefix = camel_case(&t.td.a, m->cpu);
		put_model(&t);
		if (w.counts[WHOLE_OK] == 0)
			(void)err_set(e, ERR_FAILED,
				      "no form has a rate and latencies of "
				      "whole cycles, so the file would be "
				      "empty: measure its forms (anechoic "
				      "measure)");
	}
	arena_free(&t.td.a);
	return e->code;
}
