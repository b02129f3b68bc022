/* anechoic estimate: what a whole program would do on a core and caches. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/cache/caches.h"
#include "host/cli/cli.h"
#include "host/codec/source.h"
#include "host/estimate/collected.h"
#include "host/estimate/print.h"
#include "host/guest/functions.h"
#include "host/isa/catalogue_image.h"
#include "host/isa/guest.h"
#include "host/isa/isa.h"

struct estimate_args {
	const char *stray; /* a word without "--" before it */
	struct model_source source;
	const char *guest_cpu, *mshr, *output;
	struct option_words caches, functions;
	unsigned format;
	uint32_t top; /* blocks to print; 0: the default */
	bool classes, no_accesses, marked;
	char *const *program; /* words behind "--", NULL-terminated */
};
#define ARGS struct estimate_args

enum { USUAL_TOP = 10, MAX_ENTRIES = 4096 };

struct job {
	struct arena *a;
	const struct estimate_args *o;
	const char *program; /* its file */
	struct catalogue *c;
	struct caches caches;
	struct caches_simulated simulated;
	struct completion *k; /* NULL: no model, so no cycles */
	const char *tables;   /* NULL; whose tables, if no model was given */
	/* Numbers of entries for misses that stall cycles are computed for. */
	size_t n_mshr;
	uint32_t mshr[ESTIMATE_MAX_MSHR];
	struct guest_run *run;
	struct guest_functions *functions; /* NULL: the whole program */
	bool progress; /* a line of progress is on the terminal */
};

static const char *const format_words[] = { "text", "json", "html", "csv",
					    NULL };
static void (*const print_format[])(struct buffer *b,
				    const struct program_estimate *x,
				    size_t top) = { estimate_print_text,
						    estimate_print_json,
						    estimate_print_html,
						    estimate_print_csv };

/* ---- input --------------------------------------------------------------- */

static int read_start(const char *path, unsigned char *bytes, size_t room,
		      size_t *ret_n, struct err *e)
{
	FILE *f = fopen(path, "rbe");

	if (!f)
		return err_set(e, ERR_INPUT, "cannot read %s: %s", path,
			       strerror(errno));
	*ret_n = fread(bytes, 1, room, f);
	(void)fclose(f);
	return ERR_OK;
}

/* The program's file, and its ISA's catalogue. */
static int open_program(struct job *j, struct err *e)
{
	unsigned char start[64];
	const char *name = j->o->program ? j->o->program[0] : NULL;
	const struct isa *isa;
	size_t n = 0;

	if (!name)
		return err_set(
			e, ERR_USAGE,
			"estimate: no program given; it follows --, e.g. "
			"anechoic estimate -- ./a.out");
	j->program = program_find(j->a, name);
	if (!j->program)
		return err_set(e, ERR_INPUT, "there is no program %s in PATH",
			       name);
	if (read_start(j->program, start, sizeof(start), &n, e) != ERR_OK)
		return e->code;
	if (!program_is(j->program))
		return err_set(e, ERR_INPUT, "%s is not an executable file",
			       j->program);
	isa = guest_isa(start, n);
	if (!isa)
		return err_set(e, ERR_INPUT,
			       "%s is not a 64-bit ELF program of x86-64, "
			       "AArch64 or RISC-V",
			       j->program);
	return catalogue_open(j->a, isa, true, &j->c, e);
}

static int check_options(const struct estimate_args *o, struct err *e)
{
	if (o->no_accesses && o->caches.n)
		return err_set(e, ERR_USAGE,
			       "--no-accesses and --caches cannot be "
			       "given together");
	if (o->marked && o->functions.n)
		return err_set(e, ERR_USAGE,
			       "--function and --marked cannot be "
			       "given together");
	return ERR_OK;
}

/* A name without a '/' is a file, or else one of the examples that come with
 * this program. */
static const char *caches_path(struct arena *a, const char *name)
{
	const char *shipped;

	if (strchr(name, '/') || access(name, F_OK) == 0)
		return name;
	shipped = share_path(a, arena_printf(a, "caches/%s.conf", name));
	return access(shipped, F_OK) == 0 ? shipped : name;
}

static int read_caches(struct job *j, struct err *e)
{
	for (size_t i = 0; i < j->o->caches.n; i++)
		if (caches_read(j->a, caches_path(j->a, j->o->caches.words[i]),
				&j->caches, e) != ERR_OK)
			return e->code;
	return caches_simulate(j->a, &j->caches, &j->simulated, e);
}

static int find_functions(struct job *j, struct err *e)
{
	const struct option_words *w = &j->o->functions;

	return w->n ? functions_find(j->a, j->program, w->words, w->n,
				     &j->functions, e)
		    : ERR_OK;
}

/* ---- the model ----------------------------------------------------------- */

static int read_mshr(const char *list, struct job *j, struct err *e)
{
	const char *at = list;

	while (at) {
		char *end;
		unsigned long n = strtoul(at, &end, 10);

		if (*at < '0' || *at > '9' || n == 0 || n > MAX_ENTRIES ||
		    (*end != ',' && *end != '\0') ||
		    j->n_mshr == ESTIMATE_MAX_MSHR)
			return err_set(e, ERR_USAGE,
				       "--mshr needs numbers from 1 to %d, at "
				       "most %d of them, e.g. 8,16,32",
				       MAX_ENTRIES, ESTIMATE_MAX_MSHR);
		j->mshr[j->n_mshr++] = (uint32_t)n;
		at = *end == ',' ? end + 1 : NULL;
	}
	return ERR_OK;
}

/* Without a model the tables of LLVM: of the guest's CPU if it has some of that
 * name, of this machine if it runs the program's instruction set, else of a
 * usual core of that set. */
static int load_tables(struct job *j, struct err *e)
{
	struct arena *a = j->a;
	const struct catalogue *c = j->c;
	const char *guest = j->o->guest_cpu ? j->o->guest_cpu : "";
	const char *const cpus[] = {
		arena_printf(a, "%.*s", (int)strcspn(guest, ","), guest),
		c->isa == isa_native() ? "native" : "",
		c->isa->usual_cpu,
	};
	int code = ERR_OK;

	for (size_t i = 0; i < ARRAY_LEN(cpus) && !j->k; i++) {
		const struct model_source source = { .cpu = cpus[i],
						     .isa = c->isa->name };
		struct err none = { .code = ERR_OK };

		if (*cpus[i] == '\0')
			continue;
		code = model_load_completed(a, c, &source, &j->k, &none);
		if (code != ERR_OK && i + 1 == ARRAY_LEN(cpus))
			*e = none;
	}
	if (j->k)
		j->tables = arena_printf(
			a, "no model was given: cycles come from %s",
			completed_model(j->k)->source);
	return e->code;
}

static int load_model(struct job *j, struct err *e)
{
	struct model_source source = j->o->source;
	const struct isa *isa;

	/* Counts alone need none, and run faster without. */
	if (!source.db && !source.file && !source.cpu)
		return j->o->no_accesses ? ERR_OK : load_tables(j, e);
	if (!source.isa && source.cpu)
		source.isa = j->c->isa->name;
	if (model_source_isa(j->a, &source, &isa, e) != ERR_OK)
		return e->code;
	if (isa != j->c->isa)
		return err_set(e, ERR_INPUT,
			       "the model is of %s, the program of %s",
			       isa->name, j->c->isa->name);
	return model_load_completed(j->a, j->c, &source, &j->k, e);
}

/* ---- the run ------------------------------------------------------------- */

static void show_progress(void *context, uint64_t instructions, double seconds)
{
	struct job *j = context;

	(void)fprintf(stderr,
		      "\r%.3g million instructions, %.0f s, %.3g "
		      "million a second ",
		      (double)instructions * 1e-6, seconds,
		      (double)instructions * 1e-6 / seconds);
	j->progress = true;
}

static int run_program(struct job *j, struct err *e)
{
	struct guest_request q = {
		.c = j->c,
		.program = j->program,
		.argv = j->o->program,
		.share = share_folder(j->a),
		.guest_cpu = j->o->guest_cpu,
		.n_hierarchies = j->simulated.n,
		.hierarchies = j->simulated.at,
		.core = j->simulated.core,
		.predict = j->k != NULL,
		.functions = j->functions,
		.marked = j->o->marked,
		.accesses = !j->o->no_accesses,
		.classes = j->o->classes || j->caches.n == 1,
		.trace = j->k != NULL,
		.interrupt = interrupt_flag(),
		.progress = isatty(STDERR_FILENO) ? show_progress : NULL,
		.context = j,
	};

	(void)guest_run(&q, &j->run, e);
	if (j->progress)
		(void)fprintf(stderr, "\n");
	return e->code;
}

static const char *notes_of(const struct job *j, const struct profile *p)
{
	bool any = p->notes && *p->notes;

	return j->tables ? arena_printf(j->a, "%s%s%s", j->tables,
					any ? "\n" : "", any ? p->notes : "")
			 : p->notes;
}

/* What the file of caches says of a queue, 0: nothing; a lower bound counts only
 * where the model of the core has a smaller one. */
static uint32_t queue_of(uint32_t size, uint32_t least, uint32_t models)
{
	if (size)
		return size;
	return models && least > models ? least : 0;
}

/* The program's output goes to its own streams, so the report goes to a file or
 * to standard error. */
static int write_report(struct job *j, struct profile *p, struct buffer *b,
			struct err *e)
{
	struct estimate_input in = {
		.p = p,
		.c = j->c,
		.k = j->k,
		.n_hierarchies = j->caches.n,
		.hierarchies = j->caches.at,
		.n_mshr = j->n_mshr,
		.mshr = j->mshr,
	};
	const struct cache_core *core = &j->simulated.core;
	struct program_estimate x;

	p->notes = notes_of(j, p);
	if (j->k) {
		const struct model *m = completed_model(j->k);

		completed_set_queues(
			j->k, core->window,
			queue_of(core->loads, core->loads_least, m->load_queue),
			queue_of(core->stores, core->stores_least,
				 m->store_queue),
			core->vectors);
	}
	estimate_collect(j->a, j->run, &j->simulated, &in);
	if (estimate_run(j->a, &in, &x, e) != ERR_OK)
		return e->code;
	print_format[option_chosen(j->o->format)](
		b, &x, j->o->top ? j->o->top : USUAL_TOP);
	if (j->o->output)
		return file_write(j->o->output, b->bytes, b->n, e);
	(void)fwrite(b->bytes, 1, b->n, stderr);
	return ERR_OK;
}

static int run_estimate(void *args, struct command_resources *r, struct err *e)
{
	const struct estimate_args *o = args;
	struct job j = { .o = o, .a = &r->a };
	struct profile p = { 0 };

	if (check_options(o, e) == ERR_OK && open_program(&j, e) == ERR_OK &&
	    j.c && read_caches(&j, e) == ERR_OK &&
	    find_functions(&j, e) == ERR_OK &&
	    (!o->mshr || read_mshr(o->mshr, &j, e) == ERR_OK) &&
	    load_model(&j, e) == ERR_OK && run_program(&j, e) == ERR_OK) {
		guest_profile(&r->a, j.run, &p);
		(void)write_report(&j, &p, &r->out, e);
	}
	guest_close(j.run);
	r->c = j.c;
	r->status = p.signal ? 128 + p.signal : p.status;
	return e->code;
}

const struct command command_estimate = {
	.name = "estimate",
	.summary = "cycles, cache misses and memory pressure of a program",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		WORD("--db", source.db, "FILE", "model from a database"),
		OPTION_CORE_OF(source.core_of), OPTION_MODEL(source.file),
		OPTION_MODEL_CPU(source.cpu),
		WORD("--tables", source.tables, "NAME|FILE",
		     "published tables for what the model lacks: a CPU "
		     "of LLVM's, a model file, or none",
		     .by_default = "LLVM's of the model's CPU",
		     .needs = "--db --model --cpu"),
		WORDS("--caches", caches, "FILE",
		      "caches to simulate, or the name of an example; "
		      "may be given several times",
		      .by_default = "none"),
		FLAG("--classes", classes,
		     "divide misses into cold, capacity and conflict, "
		     "which is always done for one hierarchy",
		     .needs = "--caches"),
		WORDS("--function", functions, "NAME",
		      "count only while this function of the program, or what "
		      "it calls, runs; may be given several times",
		      .by_default = "the whole program"),
		FLAG("--marked", marked,
		     "count only between the marks of a loop "
		     "(docs/estimate.md)"),
		FLAG("--no-accesses", no_accesses,
		     "count instructions only, at the emulator's speed"),
		WORD("--mshr", mshr, "LIST",
		     "stall cycles for these numbers of entries for "
		     "misses, e.g. 8,16",
		     .needs = "--caches,--db --model --cpu"),
		CHOICE("--format", format, "NAME", "output format",
		       .by_default = "text", .words = format_words),
		COUNT("--top", top, "N", "blocks with the most cycles to show",
		      .by_default = "10", .not_with = "--format=csv"),
		WORD("-o", output, "FILE", "file for the report",
		     .by_default = "standard error"),
		WORD("--guest-cpu", guest_cpu, "OPTIONS",
		     "CPU of the emulator, e.g. max,sve256=on",
		     .by_default = "all extensions")),
	.operand = "-- PROGRAM [ARG]...",
	.operand_optional = true,
	.operand_field = offsetof(ARGS, stray),
	.program_field = offsetof(ARGS, program),
	.describe =
		"Runs PROGRAM, a Linux binary of x86-64, AArch64 or RISC-V, "
		"once under QEMU's user emulation. Its instructions and its "
		"misses in the caches are counted exactly; a model gives "
		"cycles. The program's streams and exit status stay its own. "
		"docs/estimate.md explains the run.",
	.examples = "anechoic estimate -- ./a.out\n"
		    "anechoic estimate --cpu znver4 --caches zen4 -- ./a.out\n"
		    "anechoic estimate --function solve -- ./a.out",
	.run = run_estimate,
};
