/* See loop_input.h. */
#include "host/cli/loop_input.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "host/base/file.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"
#include "host/model/complete.h"
#include "host/predict/program.h"

enum { MAX_FILE = 1 << 28 };

const char *const loop_syntaxes[] = { "att", "intel", NULL };
/* In the order of enum loop_marker. */
const char *const loop_markers[] = { "auto", "osaca", "llvm-mca", "none",
				     NULL };

static int choose(const struct loop_args *o, struct loop_choice *ret,
		  struct err *e)
{
	unsigned from = 0, to = 0;
	int used = 0;

	ret->marker = (enum loop_marker)option_chosen(o->marker);
	if (o->lines &&
	    (sscanf(o->lines, "%7u-%7u%n", &from, &to, &used) != 2 ||
	     o->lines[used] != '\0' || from == 0 || from > to))
		return err_set(e, ERR_USAGE,
			       "--lines must be two line numbers such as "
			       "10-20, not '%s'",
			       o->lines);
	ret->from_line = from;
	ret->to_line = to;
	ret->function = o->function;
	return ERR_OK;
}

/* A text, and the features of the assembler that reads it. */
struct assembly {
	const struct loop_args *o;
	const struct catalogue *c;
	const struct code *text;
	const char *features;
};

static int assemble(struct arena *a, const struct assembly *x,
		    struct loop_input *in, struct err *e)
{
	/* In the order of loop_syntaxes[]. */
	static const enum source_dialect dialects[] = { DIALECT_ATT,
							DIALECT_INTEL };
	const struct isa *isa = x->c->isa;

	if (mc_parser_open(isa->triple, isa->default_cpu, x->features,
			   &in->parser, e) != ERR_OK ||
	    source_read(a, x->text, isa->loop, &in->source, e) != ERR_OK)
		return e->code;
	if (x->o->syntax)
		in->source.dialect = dialects[x->o->syntax - 1];
	return program_from_text(a, x->c, in->parser, &in->source, &in->program,
				 e);
}

static int read_text(struct arena *a, const struct loop_args *o,
		     const struct catalogue *c, const struct code *text,
		     struct loop_input *in, struct err *e)
{
	struct assembly x = { o, c, text, c->isa->assembler_features };
	struct err why = { .code = ERR_OK, .message = "" };

	if (x.features && assemble(a, &x, in, &why) == ERR_OK)
		return ERR_OK;
	mc_parser_close(in->parser);
	*in = (struct loop_input){ .parser = NULL };
	x.features = c->isa->features;
	return assemble(a, &x, in, e);
}

int loop_input_parse(struct arena *a, const struct loop_args *o,
		     const struct catalogue *c, const struct code *file,
		     struct loop_input *ret, struct err *e)
{
	size_t mark = source_mark_bytes(file->bytes, file->n);
	const struct code code = { file->name, (const char *)file->bytes + mark,
				   file->n - mark };
	struct loop_choice choice = { .marker = MARKER_AUTO };
	struct loop_list list;

	*ret = (struct loop_input){ .parser = NULL };
	if (choose(o, &choice, e) != ERR_OK)
		return e->code;
	if (object_is(code.bytes, code.n))
		(void)program_from_object(a, c, &code, &ret->program, e);
	else if (disassembly_is(code.bytes, code.n))
		(void)program_from_disassembly(a, c, &code, &ret->program, e);
	else
		(void)read_text(a, o, c, &code, ret, e);
	if (e->code != ERR_OK ||
	    loops_find(a, &ret->program, &choice, &list, e) != ERR_OK)
		return e->code;
	ret->loops = list.loops;
	ret->n_loops = list.n;
	ret->chosen = list.chosen;
	return ERR_OK;
}

int loop_input_read(struct arena *a, const struct loop_args *o,
		    const struct catalogue *c, const char *name,
		    struct loop_input *ret, struct err *e)
{
	struct loop_choice choice;
	unsigned char *bytes;
	struct code code = { .name = name };

	*ret = (struct loop_input){ .parser = NULL };
	/* An option is wrong before a file is missing. */
	if (choose(o, &choice, e) != ERR_OK ||
	    file_read(a, name, MAX_FILE, &bytes, &code.n, e) != ERR_OK)
		return e->code;
	code.bytes = bytes;
	return loop_input_parse(a, o, c, &code, ret, e);
}

void loop_input_close(struct loop_input *in)
{
	mc_parser_close(in->parser);
}

/* Add a form's name without its variant; regular expressions read letters,
 * digits and '_' as themselves. */
static void add_name(struct buffer *b, const char *name)
{
	for (; *name != '\0' && *name != '/'; name++)
		buffer_printf(b,
			      isalnum((unsigned char)*name) || *name == '_'
				      ? "%c"
				      : "\\%c",
			      *name);
}

static bool is_repeated(const struct program *p, size_t first, size_t i)
{
	const struct form *f = p->insns[i].instance.form;

	for (size_t k = first; k < i; k++) {
		const struct form *g = p->insns[k].instance.form;

		if (g && g->status == FORM_MEASURABLE && g->opcode == f->opcode)
			return true;
	}
	return false;
}

static bool has_alike(const struct loop_input *in, const struct form *f,
		      enum memory_access access)
{
	const struct loop *l = &in->loops[in->chosen];

	for (size_t i = l->first; f && i <= l->last; i++) {
		const struct form *x = in->program.insns[i].instance.form;

		if (x && (x->access & access) &&
		    model_accesses_alike(in->program.c, x, f))
			return true;
	}
	return false;
}

/* Plain loads and stores whose forwarding stands for that of the loop. */
static void list_forwards(const struct loop_input *in, struct buffer *b)
{
	const struct catalogue *c = in->program.c;
	const struct isa_forward *f =
		c->isa->memory ? c->isa->memory->forwards : NULL;

	for (; f && f->store && b->n > 0; f++) {
		if (!has_alike(in, catalogue_form(c, f->store), ACCESS_STORE) ||
		    !has_alike(in, catalogue_form(c, f->load), ACCESS_LOAD))
			continue;
		buffer_printf(b, "|");
		add_name(b, f->store);
		buffer_printf(b, "|");
		add_name(b, f->load);
	}
}

static int list_forms(struct arena *a, const struct loop_input *in,
		      const char *name, const char **ret, struct err *e)
{
	const struct loop *l = &in->loops[in->chosen];
	const struct program *p = &in->program;
	struct buffer b = { 0 };

	for (size_t i = l->first; i <= l->last; i++) {
		const struct form *f = p->insns[i].instance.form;

		if (!f || f->status != FORM_MEASURABLE ||
		    is_repeated(p, l->first, i))
			continue;
		buffer_printf(&b, b.n == 0 ? "^(" : "|");
		add_name(&b, f->name);
	}
	list_forwards(in, &b);
	if (b.n == 0)
		return err_set(e, ERR_INPUT,
			       "%s: no instruction of the loop can be measured",
			       name);
	buffer_printf(&b, ")(/.*)?$");
	*ret = buffer_take(a, &b);
	return ERR_OK;
}

int loop_input_forms(struct arena *a, const struct loop_args *o,
		     const struct isa *isa, const char *name, const char **ret,
		     struct err *e)
{
	struct catalogue *c = NULL;
	struct loop_input in = { .parser = NULL };

	if (catalogue_load(a, isa, NULL, &c, e) == ERR_OK &&
	    loop_input_read(a, o, c, name, &in, e) == ERR_OK)
		(void)list_forms(a, &in, name, ret, e);
	loop_input_close(&in);
	catalogue_free(c);
	return e->code;
}
