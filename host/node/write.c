#include "host/node/write.h"

#include <string.h>

#include "host/base/csv.h"
#include "host/base/json.h"

/* The units of a row's value: in text, its factor, and in other formats. */
static const struct unit {
	const char *name;
	double factor;
	const char *plain;
} units[NODE_N_KINDS] = {
	[NODE_FLOPS] = { "GFLOP/s", 1e-9, "FLOP/s" },
	[NODE_LOAD] = { "GB/s", 1e-9, "B/s" },
	[NODE_COPY] = { "GB/s", 1e-9, "B/s" },
	[NODE_TRIAD] = { "GB/s", 1e-9, "B/s" },
	[NODE_STORE] = { "GB/s", 1e-9, "B/s" },
	[NODE_STREAM] = { "GB/s", 1e-9, "B/s" },
	[NODE_LATENCY] = { "ns", 1, "ns" },
};

/* Percent reached: of the time, for latency. */
static double reached(const struct node_row *x)
{
	if (x->theory <= 0 || x->value.value <= 0)
		return 0;
	return 100 * (x->kind == NODE_LATENCY ? x->theory / x->value.value
					      : x->value.value / x->theory);
}

/* A port model that is beaten by more than this percentage is wrong. */
static const double beaten = 105;

static const char *verdict(const struct node_row *x)
{
	if (x->problem)
		return x->problem;
	if (!x->value.steady)
		return "unsteady";
	if (x->is_outside)
		return "not all in this level";
	return reached(x) > beaten ? "ok, refutes the port model" : "ok";
}

/* ---- text ---------------------------------------------------------------- */

static void text_number(struct buffer *b, double v, double factor,
			const char *unit)
{
	if (v > 0)
		buffer_printf(b, " %8.4g%s", v * factor, unit);
	else
		buffer_printf(b, " %8s%*s", "-", (int)strlen(unit), "");
}

static void text_row(struct buffer *b, const struct node_row *x)
{
	const struct unit *u = &units[x->kind];

	buffer_printf(b, "%-8s %-6s %-6s %5zu", node_kind_name(x->kind),
		      *x->width ? x->width : "-", *x->level ? x->level : "-",
		      x->n_cores);
	text_number(b, x->value.value, u->factor, "");
	buffer_printf(b, " %-7s", u->name);
	text_number(b, x->value.low, u->factor, "");
	text_number(b, x->value.high, u->factor, "");
	text_number(b, x->clock.value, 1e-9, "");
	text_number(b, x->theory, u->factor, "");
	text_number(b, reached(x), 1, " %");
	text_number(b, x->ecm, u->factor, "");
	buffer_printf(b, "  %s\n", verdict(x));
}

static void text_head(struct buffer *b, const struct node_result *r)
{
	buffer_printf(b, "%s, board %s %s, %zu cores, Linux %s\n",
		      *r->cpu ? r->cpu : "unknown core", r->board->name,
		      r->board->isa, r->n_cores,
		      *r->kernel ? r->kernel : "unknown");
	buffer_printf(b, "levels (%s):", r->levels.source);
	for (size_t i = 0; i + 1 < r->levels.n; i++)
		buffer_printf(b, " %s %llu KiB", r->levels.at[i].name,
			      (unsigned long long)r->levels.at[i].bytes >> 10);
	if (r->has_stolen)
		buffer_printf(b, "; stolen by the hypervisor: %.1f %%",
			      100 * r->stolen);
	buffer_printf(b,
		      "\n\n%-8s %-6s %-6s %5s %8s %-7s %8s %8s %8s %8s %10s "
		      "%8s  %s\n",
		      "kernel", "width", "level", "cores", "value", "", "low",
		      "high", "GHz", "theory", "reached", "ecm", "verdict");
}

static void text_allocated(struct buffer *b, const struct node_result *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct node_row *x = &r->rows[i];

		if (x->allocated >= 0)
			buffer_printf(b,
				      "write-allocate share, %zu cores: %.2f "
				      "(from the %s)\n",
				      x->n_cores, x->allocated,
				      strcmp(x->allocated_from, "times") == 0
					      ? "ratio of times"
					      : "counters of the memory "
						"controllers");
	}
}

void node_text(struct buffer *b, const struct node_result *r)
{
	text_head(b, r);
	for (size_t i = 0; i < r->n; i++)
		text_row(b, &r->rows[i]);
	buffer_printf(b, "\n");
	text_allocated(b, r);
}

/* ---- CSV and JSON -------------------------------------------------------- */

/* Columns of a row: their names, or their values. */
struct columns {
	struct buffer *b;
	enum { AS_NAMES, AS_CSV, AS_JSON } as;
	bool begun;
};

static void column_begin(struct columns *c, const char *name)
{
	if (c->as == AS_JSON)
		buffer_printf(c->b, "%c\"%s\":", c->begun ? ',' : '{', name);
	else
		buffer_printf(c->b, ",%s", c->as == AS_NAMES ? name : "");
	c->begun = true;
}

static void column_text(struct columns *c, const char *name, const char *text)
{
	column_begin(c, name);
	if (c->as == AS_JSON)
		json_add_string(c->b, text);
	else if (c->as == AS_CSV)
		csv_add(c->b, text);
}

static void column_count(struct columns *c, const char *name, uint64_t n)
{
	column_begin(c, name);
	if (c->as != AS_NAMES)
		buffer_printf(c->b, "%llu", (unsigned long long)n);
}

/* 0: not known. */
static void column_real(struct columns *c, const char *name, double x)
{
	column_begin(c, name);
	if (c->as != AS_NAMES && x > 0)
		buffer_printf(c->b, "%.6g", x);
	else if (c->as == AS_JSON)
		buffer_printf(c->b, "null");
}

/* Stores of lines that are read before, which JSON leaves out of other rows. */
static void columns_allocated(struct columns *c, const struct node_row *x)
{
	bool known = x->allocated >= 0;

	if (c->as == AS_JSON && !known)
		return;
	column_begin(c, "write_allocate");
	if (c->as != AS_NAMES && known)
		buffer_printf(c->b, "%.3f", x->allocated);
	column_text(c, "write_allocate_from", known ? x->allocated_from : "");
}

static void columns_of(struct columns *c, const struct node_row *x)
{
	column_text(c, "kernel", node_kind_name(x->kind));
	column_text(c, "width", x->width);
	column_text(c, "level", x->level);
	column_count(c, "array_bytes", x->bytes);
	column_count(c, "cores", x->n_cores);
	column_real(c, "value", x->value.value);
	column_text(c, "unit", units[x->kind].plain);
	column_real(c, "low", x->value.low);
	column_real(c, "high", x->value.high);
	column_count(c, "windows", x->value.n_windows);
	column_count(c, "lost", x->n_lost);
	column_real(c, "clock_hz", x->clock.value);
	column_real(c, "in_core_cycles", x->in_core);
	column_real(c, "theory", x->theory);
	column_real(c, "reached_percent", reached(x));
	column_real(c, "ecm", x->ecm);
	columns_allocated(c, x);
}

void node_csv(struct buffer *b, const struct node_result *r)
{
	struct columns c = { .b = b, .as = AS_NAMES };

	buffer_printf(b, "cpu,board,isa");
	columns_of(&c, &(struct node_row){ .width = "", .level = "" });
	buffer_printf(b, ",verdict\n");
	c.as = AS_CSV;
	for (size_t i = 0; i < r->n; i++) {
		csv_add_quoted(b, r->cpu);
		buffer_printf(b, ",%s,%s", r->board->name, r->board->isa);
		columns_of(&c, &r->rows[i]);
		buffer_printf(b, ",");
		csv_add_quoted(b, verdict(&r->rows[i]));
		buffer_printf(b, "\n");
	}
}

void node_json(struct buffer *b, const struct node_result *r)
{
	buffer_printf(b, "{\"cpu\":");
	json_add_string(b, r->cpu);
	buffer_printf(b,
		      ",\"board\":\"%s\",\"isa\":\"%s\",\"cores\":%zu,"
		      "\"levels\":[",
		      r->board->name, r->board->isa, r->n_cores);
	for (size_t i = 0; i + 1 < r->levels.n; i++)
		buffer_printf(b, "%s{\"name\":\"%s\",\"bytes\":%llu}",
			      i ? "," : "", r->levels.at[i].name,
			      (unsigned long long)r->levels.at[i].bytes);
	buffer_printf(b, "],\"stolen\":%.4f,\"rows\":[\n", r->stolen);
	for (size_t i = 0; i < r->n; i++) {
		struct columns c = { .b = b, .as = AS_JSON };

		columns_of(&c, &r->rows[i]);
		column_text(&c, "verdict", verdict(&r->rows[i]));
		buffer_printf(b, "}%s\n", i + 1 < r->n ? "," : "");
	}
	buffer_printf(b, "]}\n");
}
