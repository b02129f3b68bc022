/* anechoic node: what only a whole node shows. */
#include "host/node/node.h"
#include "host/base/print.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/cli/cli.h"
#include "host/cli/request.h"
#include "host/node/theory.h"
#include "host/node/write.h"

static void report(void *context, size_t done, size_t total,
		   const struct node_row *row)
{
	(void)context;
	(void)fprintf(stderr, "\r%zu of %zu: %s %s %s, %zu core%s\033[K", done,
		      total, node_kind_name(row->kind), row->width, row->level,
		      row->n_cores, PLURAL(row->n_cores));
	if (done == total)
		(void)fprintf(stderr, "\r\033[K");
}

static const struct {
	const char *name;
	void (*write)(struct buffer *b, const struct node_result *r);
} formats[] = {
	{ "text", node_text },
	{ "csv", node_csv },
	{ "json", node_json },
	{ "svg", node_svg },
};

static const char *node_choice_format(size_t i)
{
	return i < ARRAY_LEN(formats) ? formats[i].name : NULL;
}

static int write_out(const char *path, const char *format,
		     const struct node_result *r, struct err *e)
{
	struct buffer b = { 0 };
	size_t i = 0;

	while (format && strcmp(formats[i].name, format) != 0)
		i++;
	formats[i].write(&b, r);
	if (path)
		(void)file_write(path, b.bytes, b.n, e);
	else if (fwrite(b.bytes, 1, b.n, stdout) != b.n)
		(void)output_flush(e);
	buffer_free(&b);
	return e->code;
}

/* The port model of the theory: as asked for, else LLVM's of the core.  A core
 * that LLVM has no model of has no theory. */
static struct completion *open_model(const struct options *o,
				     struct campaign *c, struct err *e)
{
	struct model_source s = options_model(o);
	struct completion *k = NULL;
	struct err own = { .code = ERR_OK, .message = "" };

	s.cpu = s.db || s.file ? NULL : c->catalogue->cpu;
	s.isa = c->isa->name;
	if (model_load_completed(&c->arena, c->catalogue, &s, &k, &own) ==
	    ERR_OK)
		return k;
	if (s.db || s.file)
		*e = own;
	else
		(void)fprintf(stderr, "anechoic: no theory: %s\n", own.message);
	return NULL;
}

static int measure(const struct options *o, const struct node_request *q,
		   struct campaign *c, struct err *e)
{
	bool given = o->db || o->model;
	struct completion *model = given ? open_model(o, c, e) : NULL;
	struct node_result r;

	if (e->code != ERR_OK || node_run(q, c, &r, e) != ERR_OK)
		return e->code;
	request_warn_limits(c, r.n_cores);
	if (!given)
		model = open_model(o, c, e);
	if (node_theory(&c->arena, &r, model, e) != ERR_OK ||
	    write_out(o->output, o->format, &r, e) != ERR_OK)
		return e->code;
	return o->plot ? write_out(o->plot, "svg", &r, e) : ERR_OK;
}

static int run_node(const struct options *o, struct err *e)
{
	struct arena a = { 0 };
	struct campaign_request q = {
		.share = share_folder(&a),
		.board = o->board,
		.isa = o->isa,
		.cpu = o->cpu,
		.stop = interrupt_flag(),
	};
	struct node_request n = {
		.campaign = &q,
		.levels = o->levels,
		.root = "",
		.most_cores = o->cores,
		.ms = o->ms,
		.memory = (uint64_t)o->memory << 20,
		.report = isatty(STDERR_FILENO) ? report : NULL,
	};
	struct campaign c;

	if (o->memory & (o->memory - 1)) {
		(void)err_set(e, ERR_USAGE,
			      "--memory must be a power of two, not %u",
			      (unsigned)o->memory);
	} else {
		if (campaign_start(&q, &c, e) == ERR_OK)
			(void)measure(o, &n, &c, e);
		campaign_close(&c);
	}
	arena_free(&a);
	return e->code;
}

const struct command command_node = {
	.name = "node",
	.summary = "clock, peak, bandwidth and latency of a whole node",
	.options = OPTIONS(
		OPTION_BOARD, OPTION_ISA, OPTION_CPU,
		COUNT("--cores", cores, "N", "use at most so many cores",
		      .by_default = "all"),
		WORD("--levels", levels, "LIST",
		     "sizes of the data caches, e.g. 48K,1M,32M",
		     .by_default = "the system's"),
		COUNT("--memory", memory, "MIB",
		      "size of an array in memory, a power of two",
		      .by_default = "by the caches"),
		COUNT("--ms", ms, "N", "milliseconds of each measurement",
		      .by_default = "200"),
		WORD("--db", db, "FILE", "port model from a database"),
		OPTION_MODEL,
		WORD("--format", format, "NAME", "output format",
		     .by_default = "text", .choice = node_choice_format),
		WORD("--plot", plot, "FILE", "write a plot over cores (SVG)"),
		WORD("-o", output, "FILE", "file to write",
		     .by_default = "standard output")),
	.describe =
		"Runs kernels pinned on 1, 2, ... all cores at the same time: "
		"multiply-adds of every width of registers; load, copy, triad "
		"and store on every level of memory; stores that bypass "
		"caches; and loads that depend on each other. Each row has the "
		"best value that recurs, its spread, the clock meanwhile, and "
		"what the port model allows. docs/node.md explains each "
		"column.",
	.examples = "anechoic node --board linux-process --plot node.svg\n"
		    "anechoic node --board linux-process --cores 1 --format "
		    "csv -o node.csv",
	.run = run_node,
};
