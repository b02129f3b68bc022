#include "host/node/write.h"

#include <string.h>

#include "host/base/json.h"

/* The unit of a row's value in text, and its factor. */
static const struct unit {
	const char *name;
	double factor;
} units[NODE_N_KINDS] = {
	[NODE_FLOPS] = { "GFLOP/s", 1e-9 }, [NODE_LOAD] = { "GB/s", 1e-9 },
	[NODE_COPY] = { "GB/s", 1e-9 },     [NODE_TRIAD] = { "GB/s", 1e-9 },
	[NODE_STORE] = { "GB/s", 1e-9 },    [NODE_STREAM] = { "GB/s", 1e-9 },
	[NODE_LATENCY] = { "ns", 1 },
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

/* ---- text ----------------------------------------------------------------- */

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

/* ---- CSV and JSON --------------------------------------------------------- */

static void csv_number(struct buffer *b, double v)
{
	if (v > 0)
		buffer_printf(b, ",%.6g", v);
	else
		buffer_printf(b, ",");
}

/* A field with quotes doubled. */
static void csv_text(struct buffer *b, const char *s)
{
	buffer_printf(b, "\"");
	for (; *s; s++)
		buffer_printf(b, *s == '"' ? "\"\"" : "%c", *s);
	buffer_printf(b, "\"");
}

void node_csv(struct buffer *b, const struct node_result *r)
{
	buffer_printf(b, "cpu,board,isa,kernel,width,level,array_bytes,cores,"
			 "value,unit,low,high,windows,lost,clock_hz,"
			 "in_core_cycles,theory,reached_percent,ecm,"
			 "write_allocate,write_allocate_from,verdict\n");
	for (size_t i = 0; i < r->n; i++) {
		const struct node_row *x = &r->rows[i];

		csv_text(b, r->cpu);
		buffer_printf(b, ",%s,%s,%s,%s,%s,%llu,%zu", r->board->name,
			      r->board->isa, node_kind_name(x->kind), x->width,
			      x->level, (unsigned long long)x->bytes,
			      x->n_cores);
		csv_number(b, x->value.value);
		buffer_printf(b, ",%s",
			      x->kind == NODE_FLOPS     ? "FLOP/s"
			      : x->kind == NODE_LATENCY ? "ns"
							: "B/s");
		csv_number(b, x->value.low);
		csv_number(b, x->value.high);
		buffer_printf(b, ",%zu,%zu", x->value.n_windows, x->n_lost);
		csv_number(b, x->clock.value);
		csv_number(b, x->in_core);
		csv_number(b, x->theory);
		csv_number(b, reached(x));
		csv_number(b, x->ecm);
		if (x->allocated >= 0)
			buffer_printf(b, ",%.3f,%s,", x->allocated,
				      x->allocated_from);
		else
			buffer_printf(b, ",,,");
		csv_text(b, verdict(x));
		buffer_printf(b, "\n");
	}
}

static void json_key_number(struct buffer *b, const char *key, double v)
{
	if (v > 0)
		buffer_printf(b, ",\"%s\":%.6g", key, v);
	else
		buffer_printf(b, ",\"%s\":null", key);
}

static void json_row(struct buffer *b, const struct node_row *x)
{
	buffer_printf(b,
		      "{\"kernel\":\"%s\",\"width\":\"%s\",\"level\":\"%s\","
		      "\"array_bytes\":%llu,\"cores\":%zu",
		      node_kind_name(x->kind), x->width, x->level,
		      (unsigned long long)x->bytes, x->n_cores);
	json_key_number(b, "value", x->value.value);
	buffer_printf(b, ",\"unit\":\"%s\"",
		      x->kind == NODE_FLOPS     ? "FLOP/s"
		      : x->kind == NODE_LATENCY ? "ns"
						: "B/s");
	json_key_number(b, "low", x->value.low);
	json_key_number(b, "high", x->value.high);
	buffer_printf(b, ",\"windows\":%zu,\"lost\":%zu", x->value.n_windows,
		      x->n_lost);
	json_key_number(b, "clock_hz", x->clock.value);
	json_key_number(b, "in_core_cycles", x->in_core);
	json_key_number(b, "theory", x->theory);
	json_key_number(b, "reached_percent", reached(x));
	json_key_number(b, "ecm", x->ecm);
	if (x->allocated >= 0)
		buffer_printf(b,
			      ",\"write_allocate\":%.3f,"
			      "\"write_allocate_from\":\"%s\"",
			      x->allocated, x->allocated_from);
	buffer_printf(b, ",\"verdict\":");
	json_add_string(b, verdict(x));
	buffer_printf(b, "}");
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
		json_row(b, &r->rows[i]);
		buffer_printf(b, "%s\n", i + 1 < r->n ? "," : "");
	}
	buffer_printf(b, "]}\n");
}
