/* libanechoic: combine import, parser and predictor behind one API; see
 * anechoic.h. */
#include "lib/anechoic.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/guard.h"
#include "host/codec/source.h"
#include "host/isa/isa.h"
#include "host/isa/mc_parse.h"
#include "host/predict/print.h"
#include "host/predict/program.h"

struct anechoic {
	struct arena a;
	struct catalogue *c;
	struct completion *m;
	struct mc_parser *parser;
};

struct anechoic_result {
	struct arena a;
	struct source source;
	struct program program;
	struct prediction p;
	struct anechoic_bounds bounds;
};

static int anechoic_set_message(const struct err *e, char *message)
{
	static const int codes[] = { ANECHOIC_OK, ANECHOIC_USAGE,
				     ANECHOIC_INPUT };
	size_t k = (size_t)-e->code;

	(void)snprintf(message, ANECHOIC_MESSAGE, "%s", e->message);
	return k < ARRAY_LEN(codes) ? codes[k] : ANECHOIC_FAILED;
}

/* ---- the caller's process ------------------------------------------------ */

/* What a library must not do to the program that uses it, and the other way
 * round. Everything below an entry of the library runs in guarded():
 *
 * Memory shortage must not end the program, so it becomes an error. All that
 * work() allocated is released then.
 *
 * The program's locale must not change how numbers are read and printed: with
 * a decimal comma 1.188 would be read as 1, and stored so in the user's cache,
 * and JSON would be invalid. So the calling thread has the C locale meanwhile.
 * Here and not where numbers are converted, because strtod(), printf(), case
 * and regular expressions are in all rooms and in the libraries below. The
 * program's other threads are not affected; the library starts none, calls
 * nothing of the program, and sets no locale. */
static void guarded(void (*work)(void *context), void *context, struct err *e)
{
	const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t callers;

	if (plain == (locale_t)0) {
		(void)err_set(e, ERR_SYSTEM, "out of memory");
		return;
	}
	callers = uselocale(plain);
	if (!guard_call(work, context)) {
		*e = (struct err){ .code = ERR_OK };
		(void)err_set(e, ERR_SYSTEM, "out of memory");
	}
	(void)uselocale(callers);
	freelocale(plain);
}

/* ---- cores ------------------------------------------------------------- */

static int anechoic_load_model(struct anechoic *core,
			       const struct anechoic_source *s, struct err *e)
{
	const struct model_source source = {
		.db = s->database,
		.board = s->board,
		.file = s->file,
		.cpu = s->cpu,
		.isa = s->isa,
		.tables = s->tables,
	};
	const struct isa *isa;

	if (model_open(&core->a, &source, true, &core->c, &core->m, e) !=
	    ERR_OK)
		return e->code;
	isa = core->c->isa;
	return mc_parser_open(isa->triple, isa->default_cpu, isa->features,
			      &core->parser, e);
}

struct opening {
	const struct anechoic_source *source;
	struct anechoic *core;
	struct err e;
};

static void open_core(void *context)
{
	struct opening *o = context;

	o->core = held_realloc(NULL, 1, sizeof(*o->core));
	memset(o->core, 0, sizeof(*o->core));
	if (anechoic_load_model(o->core, o->source, &o->e) != ERR_OK)
		anechoic_close(o->core);
}

int anechoic_open(const struct anechoic_source *source,
		  struct anechoic **ret_core, char *message)
{
	struct opening o = { .source = source };

	guarded(open_core, &o, &o.e);
	if (o.e.code == ERR_OK)
		*ret_core = o.core;
	return anechoic_set_message(&o.e, message);
}

void anechoic_close(struct anechoic *core)
{
	if (!core)
		return;
	mc_parser_close(core->parser);
	catalogue_free(core->c);
	arena_free(&core->a);
	held_free(core);
}

/* ---- predictions ------------------------------------------------------- */

static void fill_bounds(struct anechoic_result *r)
{
	const struct prediction *p = &r->p;

	r->bounds = (struct anechoic_bounds){
		.cycles = p->cycles,
		.throughput = p->throughput,
		.ports = p->pressure.bound,
		.front_end = p->width_bound,
		.carried = p->carried.cycles,
		.critical_path = p->critical.cycles,
		.simulated = p->simulation.cycles,
		.n_instructions = p->body.n,
		.why = p->why,
		.worst_cycles = p->worst_cycles,
	};
	for (size_t i = 0; i < p->body.n; i++)
		r->bounds.n_assumed += p->body.ops[i].assumed != NULL;
}

static int anechoic_finish(struct anechoic *core, struct anechoic_result *r,
			   const struct anechoic_options *o, struct err *e)
{
	struct loop_choice choice = { .marker = MARKER_AUTO };
	struct predict_options how = { .bounds_only = false };
	struct loop_on on = { .program = &r->program, .completion = core->m };
	struct loop_list list;

	if (o && (o->marker < 0 || o->marker > ANECHOIC_MARKS_NONE))
		return err_set(
			e, ERR_USAGE,
			"options.marker is %d, not one of ANECHOIC_MARKS",
			o->marker);
	if (o) {
		choice.function = o->function;
		choice.marker = (enum loop_marker)o->marker;
		choice.from_line = o->first_line;
		choice.to_line = o->last_line;
		how.bounds_only = o->bounds_only != 0;
		how.equal_split = o->equal_split != 0;
		how.any_alignment = o->any_alignment != 0;
	}
	if (loops_find(&r->a, &r->program, &choice, &list, e) != ERR_OK)
		return e->code;
	on.loop = &list.loops[list.chosen];
	if (predict(&r->a, &on, &how, &r->p, e) != ERR_OK)
		return e->code;
	fill_bounds(r);
	return ERR_OK;
}

/* A prediction: one of the three kinds of input. */
struct job {
	struct anechoic *core;
	const struct anechoic_options *options;
	int (*read)(struct job *j);
	const char *name;
	const void *input;
	size_t n;
	struct anechoic_result *r;
	struct err e;
};

static int read_text(struct job *j)
{
	struct anechoic_result *r = j->r;
	const struct catalogue *c = j->core->c;
	size_t mark = source_mark_bytes(j->input, j->n);
	const struct code text = {
		.name = arena_strdup(&r->a, j->name),
		.bytes = (char *)arena_copy(&r->a, j->input, j->n + 1) + mark,
		.n = j->n - mark,
	};

	if (disassembly_is(text.bytes, text.n))
		return program_from_disassembly(&r->a, c, &text, &r->program,
						&j->e);
	if (source_read(&r->a, &text, c->isa->loop, &r->source, &j->e) !=
	    ERR_OK)
		return j->e.code;
	if (j->options && j->options->intel)
		r->source.dialect = DIALECT_INTEL;
	return program_from_text(&r->a, c, j->core->parser, &r->source,
				 &r->program, &j->e);
}

static int read_object(struct job *j)
{
	if (!object_is(j->input, j->n))
		return err_set(&j->e, ERR_INPUT, "%s is not an object file",
			       j->name);
	return program_from_object(&j->r->a, j->core->c,
				   &(struct code){ j->name, j->input, j->n },
				   &j->r->program, &j->e);
}

static int read_code(struct job *j)
{
	if (program_add_bytes(&j->r->a, &j->r->program,
			      &(struct code){ "code", j->input, j->n }, 0,
			      DATA_REFUSED, &j->e) == ERR_OK)
		program_link(&j->r->a, &j->r->program);
	return j->e.code;
}

static void run_job(void *context)
{
	struct job *j = context;

	j->r = held_realloc(NULL, 1, sizeof(*j->r));
	memset(j->r, 0, sizeof(*j->r));
	j->r->program.c = j->core->c;
	if (j->read(j) != ERR_OK ||
	    anechoic_finish(j->core, j->r, j->options, &j->e) != ERR_OK)
		anechoic_free(j->r);
}

static int predict_job(struct job *j, struct anechoic_result **ret,
		       char *message)
{
	guarded(run_job, j, &j->e);
	if (j->e.code == ERR_OK)
		*ret = j->r;
	return anechoic_set_message(&j->e, message);
}

int anechoic_predict_text(struct anechoic *core, const char *name,
			  const char *text,
			  const struct anechoic_options *options,
			  struct anechoic_result **ret_result, char *message)
{
	struct job j = { .core = core,
			 .options = options,
			 .read = read_text,
			 .name = name,
			 .input = text,
			 .n = strlen(text) };

	return predict_job(&j, ret_result, message);
}

int anechoic_predict_object(struct anechoic *core,
			    const struct anechoic_object *object,
			    const struct anechoic_options *options,
			    struct anechoic_result **ret_result, char *message)
{
	struct job j = { .core = core,
			 .options = options,
			 .read = read_object,
			 .name = object->name,
			 .input = object->bytes,
			 .n = object->n };

	return predict_job(&j, ret_result, message);
}

int anechoic_predict_code(struct anechoic *core, const void *code, size_t n,
			  const struct anechoic_options *options,
			  struct anechoic_result **ret_result, char *message)
{
	struct job j = { .core = core,
			 .options = options,
			 .read = read_code,
			 .name = "code",
			 .input = code,
			 .n = n };

	return predict_job(&j, ret_result, message);
}

void anechoic_free(struct anechoic_result *result)
{
	if (!result)
		return;
	arena_free(&result->a);
	held_free(result);
}

const struct anechoic_bounds *anechoic_bounds(const struct anechoic_result *r)
{
	return &r->bounds;
}

struct printing {
	struct anechoic_result *result;
	void (*print)(struct buffer *b, const struct prediction *p);
	struct buffer b;
	const char *text; /* NULL: not printed */
};

static void print_result(void *context)
{
	struct printing *p = context;

	p->print(&p->b, &p->result->p);
	buffer_add(&p->b, "", 1);
	p->text = arena_copy(&p->result->a, p->b.bytes, p->b.n);
	buffer_free(&p->b);
}

const char *anechoic_print(struct anechoic_result *result, const char *format)
{
	static const struct {
		const char *name;
		void (*print)(struct buffer *b, const struct prediction *p);
	} formats[] = {
		{ "text", print_text },
		{ "json", print_json },
		{ "html", print_html },
		{ "dot", print_dot },
	};
	struct printing p = { .result = result };
	struct err e = { .code = ERR_OK };

	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (strcmp(formats[i].name, format) == 0)
			p.print = formats[i].print;
	if (p.print)
		guarded(print_result, &p, &e);
	return p.text;
}
