/* anechoic forms: every instruction form of an ISA, and why it is measured or
 * not. */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "host/base/json.h"
#include "host/cli/request.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"
#include "host/plan/plan.h"

struct forms_args {
	struct request_args r;
	unsigned format;
	bool familiar; /* only those of struct isa, if measurable */
};
#define ARGS struct forms_args

/* Operands in words: "GR64:w GR64:r=0 imm EFLAGS:w"; '=' names the tie,
 * brackets an implicit register. */
static void print_operands(const struct catalogue *c, const struct form *f)
{
	static const char *const kinds[] = {
		[OPERAND_REG] = "reg",     [OPERAND_IMM] = "imm",
		[OPERAND_MEM] = "mem",     [OPERAND_LABEL] = "label",
		[OPERAND_OTHER] = "other",
	};

	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		const char *name = kinds[o->kind];

		if (o->kind == OPERAND_REG)
			name = o->fixed_reg != REG_NONE
				       ? c->regs[o->fixed_reg].name
				       : c->classes[o->reg_class].name;
		printf("%s%s%s%s", i ? " " : "", o->implicit ? "[" : "", name,
		       o->implicit ? "]" : "");
		if (o->read || o->write)
			printf(":%s%s", o->read ? "r" : "",
			       o->write ? "w" : "");
		if (o->tied_to >= 0)
			printf("=%d", o->tied_to);
	}
}

static void print_tsv(const struct catalogue *c, const struct form *f,
		      bool first)
{
	if (first)
		printf("form\tmnemonic\texample\toperands\tstatus\n");
	if (!f)
		return;
	printf("%s\t%s\t%s\t", f->name, f->mnemonic, f->example);
	print_operands(c, f);
	printf("\t%s\n", form_status_word((enum form_status)f->status));
}

static void print_json_string(const char *s)
{
	struct buffer b = { 0 };

	json_add_string(&b, s);
	(void)fwrite(b.bytes, 1, b.n, stdout);
	buffer_free(&b);
}

static void print_json(const struct catalogue *c, const struct form *f,
		       bool first)
{
	if (!f) {
		printf(first ? "[]\n" : "\n]\n");
		return;
	}
	printf("%s{\"form\": ", first ? "[\n" : ",\n");
	print_json_string(f->name);
	printf(", \"mnemonic\": ");
	print_json_string(f->mnemonic);
	printf(", \"example\": ");
	print_json_string(f->example);
	printf(", \"operands\": \"");
	print_operands(c, f);
	printf("\", \"status\": \"%s\"}",
	       form_status_word((enum form_status)f->status));
}

/* An expression for --forms.  Names have no special characters but '/' and
 * ','. */
static void print_regex(const struct catalogue *c, const struct form *f,
			bool first)
{
	(void)c;
	if (f)
		printf("%s%s", first ? "^(" : "|", f->name);
	else
		printf(first ? "^$\n" : ")$\n");
}

static const char *const format_words[] = { "tsv", "json", "regex", NULL };

/* In their order.  f NULL: the end. */
static void (*const print_form[])(const struct catalogue *c,
				  const struct form *f,
				  bool first) = { print_tsv, print_json,
						  print_regex };

/* Not those that the CPU of --cpu does not have. */
static bool is_chosen(const struct catalogue *c, const struct form *f,
		      const struct forms_args *o)
{
	if (o->familiar)
		return f->status == FORM_MEASURABLE &&
		       name_matches_any(c->isa->familiar, f->name);
	return form_chosen(f, o->r.q.families) &&
	       !(o->r.q.cpu && f->status == FORM_UNSUPPORTED);
}

static int print_forms(const struct catalogue *c, const struct forms_args *o,
		       struct err *e)
{
	unsigned format = option_chosen(o->format);
	regex_t expression;
	bool first = true;

	if (plan_expression(o->r.q.forms, &expression, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < c->n_forms; i++) {
		if (!is_chosen(c, &c->forms[i], o) ||
		    regexec(&expression, c->forms[i].name, 0, NULL, 0) != 0)
			continue;
		print_form[format](c, &c->forms[i], first);
		first = false;
	}
	regfree(&expression);
	if (first && o->r.q.forms)
		return plan_no_match(c, o->r.q.forms, e);
	print_form[format](c, NULL, first);
	return ERR_OK;
}

/* Load the catalogue of the board, or of the instruction set and CPU, that
 * the options name. */
static int load(const struct campaign_request *q, struct campaign *ret,
		struct err *e)
{
	*ret = (struct campaign){ .request = q };
	if (q->board)
		return campaign_start(q, ret, e);
	if (!q->isa)
		return err_set(e, ERR_USAGE,
			       "forms: missing --isa ISA or --board NAME");
	ret->isa = isa_find(q->isa);
	return catalogue_load(&ret->arena, ret->isa, q->cpu, &ret->catalogue,
			      e);
}

static int forms_run(void *args, struct command_resources *r, struct err *e)
{
	struct forms_args *o = args;
	struct campaign c;

	if (o->familiar && (o->r.variants || o->r.x87))
		return err_set(e, ERR_USAGE,
			       "forms: --familiar has its own variants; leave "
			       "out --variants and --x87");
	if (request_fill(&o->r, &r->a, e) != ERR_OK)
		return e->code;
	if (load(&o->r.q, &c, e) == ERR_OK)
		(void)print_forms(c.catalogue, o, e);
	campaign_close(&c);
	return e->code;
}

const struct command command_forms = {
	.name = "forms",
	.summary = "list instruction forms and why each is measured or not",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		WORD("--board", r.q.board, "NAME",
		     "the forms of the CPU that this board's file names",
		     .see = "anechoic boards"),
		OPTION_ISA(r.q.isa), OPTION_CPU(r.q.cpu),
		OPTION_FORMS(r.q.forms), OPTION_VARIANTS(r.variants),
		OPTION_X87(r.x87),
		FLAG("--familiar", familiar,
		     "only measurable forms of common instructions: a screen "
		     "full"),
		CHOICE("--format", format, "NAME", "output format",
		       .by_default = "tsv", .words = format_words)),
	.describe =
		"A form is an instruction with a choice of operand kinds. It "
		"has the name of LLVM's opcode. The columns:\n"
		"\n"
		"  form      its name\n"
		"  mnemonic  the first word of its assembly\n"
		"  example   its assembly\n"
		"  operands  r: read, w: written, =N: tied to operand N, "
		"[implicit]\n"
		"  status    measurable, or the reason why not "
		"(docs/forms.md)",
	.examples = "anechoic forms --isa riscv64 --forms '^VADD_V'\n"
		    "anechoic forms --board linux-process --format json\n"
		    "anechoic measure --board linux-process --forms \\\n"
		    "  \"$(anechoic forms --board linux-process "
		    "--familiar --format regex)\"",
	.run = forms_run,
};
