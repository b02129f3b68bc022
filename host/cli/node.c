/* anechoic node: what only a whole node shows. */
#include "host/node/node.h"
#include "host/base/print.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/cli/request.h"
#include "host/codec/source.h"
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

struct node_args {
	struct campaign_request q;
	struct model_source source;
	const char *levels, *plot, *output;
	unsigned format;
	uint32_t cores;  /* at most; 0: all */
	uint32_t memory; /* MiB */
	uint32_t ms;     /* of each measurement */
};
#define ARGS struct node_args

enum { FORMAT_SVG = 3 };
static const char *const format_words[] = { "text", "csv", "json", "svg",
					    NULL };

static int write_out(const char *path, unsigned format,
		     const struct node_result *r, struct err *e)
{
	static void (*const print_format[])(struct buffer * b,
					    const struct node_result *r) = {
		node_text, node_csv, node_json, node_svg
	};
	struct buffer b = { 0 };

	print_format[format](&b, r);
	(void)output_write(path, &b, e);
	buffer_free(&b);
	return e->code;
}

/* The port model of the theory: as asked for, else LLVM's of the core.  A core
 * that LLVM has no model of has no theory. */
static struct completion *open_model(const struct node_args *o,
				     struct campaign *c, struct err *e)
{
	struct model_source s = o->source;
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

static int measure(const struct node_args *o, const struct node_request *q,
		   struct campaign *c, struct err *e)
{
	bool given = o->source.db || o->source.file;
	struct completion *model = given ? open_model(o, c, e) : NULL;
	struct node_result r;

	if (e->code != ERR_OK || node_run(q, c, &r, e) != ERR_OK)
		return e->code;
	request_warn_limits(c, r.n_cores);
	if (!given)
		model = open_model(o, c, e);
	if (node_theory(&c->arena, &r, model, e) != ERR_OK ||
	    write_out(o->output, option_chosen(o->format), &r, e) != ERR_OK)
		return e->code;
	return o->plot ? write_out(o->plot, FORMAT_SVG, &r, e) : ERR_OK;
}

static int run_node(void *args, struct command_resources *r, struct err *e)
{
	struct node_args *o = args;
	struct campaign_request *q = &o->q;
	struct node_request n = {
		.campaign = q,
		.levels = o->levels,
		.root = "",
		.most_cores = o->cores,
		.ms = o->ms,
		.memory = (uint64_t)o->memory << 20,
		.report = isatty(STDERR_FILENO) ? report : NULL,
	};
	struct campaign c;

	q->share = share_folder(&r->a);
	q->stop = interrupt_flag();
	if (o->memory & (o->memory - 1))
		return err_set(e, ERR_USAGE,
			       "--memory must be a power of two, not %u",
			       (unsigned)o->memory);
	if (campaign_start(q, &c, e) == ERR_OK)
		(void)measure(o, &n, &c, e);
	campaign_close(&c);
	return e->code;
}

const struct command command_node = {
	.name = "node",
	.summary = "clock, peak, bandwidth and latency of a whole node",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		OPTION_BOARD(q.board), OPTION_ISA(q.isa), OPTION_CPU(q.cpu),
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
		WORD("--db", source.db, "FILE", "port model from a database"),
		OPTION_MODEL(source.file),
		CHOICE("--format", format, "NAME", "output format",
		       .by_default = "text", .words = format_words),
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
