/* libanechoic: combine import, parser and predictor behind one API; see
 * anechoic.h. */
#include "lib/anechoic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/import/import.h"
#include "host/isa/mc_parse.h"
#include "host/predict/object.h"
#include "host/predict/print.h"

struct anechoic {
	struct arena a;
	struct catalogue *c;
	struct model *m;
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
	};
	const struct isa *isa;

	if (model_source_isa(&core->a, &source, &isa, e) != ERR_OK ||
	    catalogue_load(&core->a, isa, NULL, &core->c, e) != ERR_OK ||
	    model_load(&core->a, core->c, &source, &core->m, e) != ERR_OK)
		return e->code;
	return mc_parser_open(isa->triple, isa->default_cpu, isa->features,
			      &core->parser, e);
}

int anechoic_open(const struct anechoic_source *source,
		  struct anechoic **ret_core, char *message)
{
	struct anechoic *core = xrealloc(NULL, 1, sizeof(*core));
	struct err e = { .code = ERR_OK };

	memset(core, 0, sizeof(*core));
	if (anechoic_load_model(core, source, &e) == ERR_OK)
		*ret_core = core;
	else
		anechoic_close(core);
	return anechoic_set_message(&e, message);
}

void anechoic_close(struct anechoic *core)
{
	if (!core)
		return;
	mc_parser_close(core->parser);
	catalogue_free(core->c);
	arena_free(&core->a);
	free(core);
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
	};
	for (size_t i = 0; i < p->body.n; i++)
		r->bounds.n_assumed += p->body.ops[i].assumed != NULL;
}

static int anechoic_finish(struct anechoic *core, struct anechoic_result *r,
			   const struct anechoic_options *o, struct err *e)
{
	struct loop_choice choice = { .marker = MARKER_AUTO };
	struct predict_options how = { .policy = SIM_OLDEST_FIRST };
	struct loop *loops;
	size_t n, chosen;

	if (o) {
		choice.function = o->function;
		choice.from_line = o->first_line;
		choice.to_line = o->last_line;
		how.bounds_only = o->bounds_only != 0;
		how.equal_split = o->equal_split != 0;
	}
	if (loops_find(&r->a, &r->program, &choice, &loops, &n, &chosen, e) !=
		    ERR_OK ||
	    predict(&r->a, &r->program, &loops[chosen], core->m, &how, &r->p,
		    e) != ERR_OK)
		return e->code;
	fill_bounds(r);
	return ERR_OK;
}

static struct anechoic_result *new_result(struct anechoic *core)
{
	struct anechoic_result *r = xrealloc(NULL, 1, sizeof(*r));

	memset(r, 0, sizeof(*r));
	r->program.c = core->c;
	return r;
}

static int hand_out(struct anechoic *core, struct anechoic_result *r,
		    const struct anechoic_options *o,
		    struct anechoic_result **ret, struct err *e, char *message)
{
	if (e->code == ERR_OK && anechoic_finish(core, r, o, e) == ERR_OK)
		*ret = r;
	else
		anechoic_free(r);
	return anechoic_set_message(e, message);
}

int anechoic_predict_text(struct anechoic *core, const char *name,
			  const char *text,
			  const struct anechoic_options *options,
			  struct anechoic_result **ret_result, char *message)
{
	struct anechoic_result *r = new_result(core);
	struct err e = { .code = ERR_OK };
	size_t n = strlen(text);

	name = arena_strdup(&r->a, name);
	text = arena_copy(&r->a, text, n + 1);
	if (source_read(&r->a, name, text, n, core->c->isa->loop, &r->source,
			&e) == ERR_OK)
		(void)program_from_text(&r->a, core->c, core->parser,
					&r->source, options && options->intel,
					&r->program, &e);
	return hand_out(core, r, options, ret_result, &e, message);
}

int anechoic_predict_object(struct anechoic *core, const char *name,
			    const void *bytes, size_t n,
			    const struct anechoic_options *options,
			    struct anechoic_result **ret_result, char *message)
{
	struct anechoic_result *r = new_result(core);
	struct err e = { .code = ERR_OK };

	if (object_is(bytes, n))
		(void)program_from_object(&r->a, core->c, name, bytes, n,
					  &r->program, &e);
	else
		(void)err_set(&e, ERR_INPUT, "%s: an object file expected",
			      name);
	return hand_out(core, r, options, ret_result, &e, message);
}

int anechoic_predict_code(struct anechoic *core, const void *code, size_t n,
			  const struct anechoic_options *options,
			  struct anechoic_result **ret_result, char *message)
{
	struct anechoic_result *r = new_result(core);
	struct err e = { .code = ERR_OK };

	if (program_add_bytes(&r->a, &r->program, "code", code, n, 0,
			      DATA_REFUSED, &e) == ERR_OK)
		program_link(&r->a, &r->program);
	return hand_out(core, r, options, ret_result, &e, message);
}

void anechoic_free(struct anechoic_result *result)
{
	if (!result)
		return;
	arena_free(&result->a);
	free(result);
}

const struct anechoic_bounds *anechoic_bounds(const struct anechoic_result *r)
{
	return &r->bounds;
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
	struct buffer b = { 0 };
	const char *text = NULL;

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		if (strcmp(formats[i].name, format) != 0)
			continue;
		formats[i].print(&b, &result->p);
		buffer_add(&b, "", 1);
		text = arena_copy(&result->a, b.bytes, b.n);
	}
	buffer_free(&b);
	return text;
}
