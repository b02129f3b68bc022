/* Names of uops.info; see uops_names.h. */
#include "host/model/uops_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"

enum { BYTE = 8, TEXT = 256 };

/* The text of the second dialect, or the form's mnemonic. */
static void add_text(char text[TEXT], const struct catalogue *c,
		     const struct form *f)
{
	struct instance x;
	struct mc_inst inst;

	*text = '\0';
	/* NULL: there is no second dialect. */
	if (c->isa->access_bytes && form_example(c, f, 0, &x)) {
		instance_to_mc(&x, &inst);
		mc_print_other(c->mc, &inst, text, TEXT);
	}
	if (*text == '\0')
		(void)snprintf(text, TEXT, "%s", f->mnemonic);
}

/* Length of what is before the mnemonic: "{evex} ", an encoding. */
static size_t encoding_length(const char *text)
{
	size_t n = *text == '{' ? strcspn(text, "}") : 0;

	return n > 0 && text[n] != '\0' && text[n + 1] == ' ' ? n + 2 : 0;
}

/* `text` from behind its encoding. */
static void add_mnemonic(struct buffer *b, const char *text)
{
	bool lock = strncmp(text, "lock ", 5) == 0;

	for (text += lock ? 5 : 0; *text != '\0' && *text != ' '; text++)
		buffer_printf(b, "%c", toupper((unsigned char)*text));
	if (lock)
		buffer_printf(b, "_LOCK");
}

void uops_mnemonic(struct buffer *b, const struct catalogue *c,
		   const struct form *f)
{
	char text[TEXT];

	add_text(text, c, f);
	add_mnemonic(b, text + encoding_length(text));
}

void uops_assembly(struct buffer *b, const struct catalogue *c,
		   const struct form *f)
{
	char text[TEXT];
	size_t n;

	add_text(text, c, f);
	n = encoding_length(text);
	buffer_add(b, text, n);
	add_mnemonic(b, text + n);
}

/* ADD_EVEX of "{evex} add". */
static void add_encoded(struct buffer *b, const struct catalogue *c,
			const struct form *f)
{
	char text[TEXT];
	size_t n;

	add_text(text, c, f);
	n = encoding_length(text);
	add_mnemonic(b, text + n);
	for (size_t i = 1; i + 2 < n; i++)
		buffer_printf(b, "%s%c", i == 1 ? "_" : "",
			      toupper((unsigned char)text[i]));
}

/* The form that f is a variant of: it has the range of an immediate. */
static const struct form *plain_of(const struct catalogue *c,
				   const struct form *f)
{
	char name[TEXT];
	const struct form *plain;

	(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(f->name, "/"),
		       f->name);
	plain = catalogue_form(c, name);
	return plain && plain->n_operands == f->n_operands ? plain : f;
}

/* Width of an immediate in bits, by its largest value. */
static unsigned bits_of(const struct operand *o)
{
	static const struct {
		int64_t most;
		unsigned bits;
	} rows[] = { { UINT8_MAX, 8 }, { UINT16_MAX, 16 }, { UINT32_MAX, 32 } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (o->imm_max <= rows[i].most)
			return rows[i].bits;
	return 64;
}

unsigned uops_immediate_bits(const struct catalogue *c, const struct form *f,
			     int operand)
{
	return bits_of(&plain_of(c, f)->operands[operand]);
}

static void add_register(struct buffer *b, const struct catalogue *c,
			 const struct operand *o, bool iform)
{
	static const char *const vectors[] = { "XMM", "YMM", "ZMM" };
	static const char *const suffixes[] = { "dq", "qq", "" };
	const struct reg_class *k =
		o->reg_class < c->n_classes ? &c->classes[o->reg_class] : NULL;
	unsigned bits = k ? k->bits : 0;
	unsigned wide = bits > 256 ? 2 : bits > 128 ? 1 : 0;

	if (!k)
		buffer_printf(b, "%s", c->regs[o->fixed_reg].name);
	else if (k->bank == BANK_VECTOR)
		buffer_printf(b, "%s%s", vectors[wide],
			      iform ? suffixes[wide] : "");
	else if (k->bank == BANK_MASK)
		buffer_printf(b, iform ? "MASK" : "K");
	else if (k->bank == BANK_GPR && iform)
		buffer_printf(b, bits == BYTE ? "GPR8" : "GPRv");
	else
		buffer_printf(b, "%s%u", k->bank == BANK_GPR ? "R" : "FP",
			      bits);
}

static void add_operand(struct buffer *b, const struct catalogue *c,
			const struct form *f, int operand, bool iform)
{
	const struct operand *o = &f->operands[operand];
	unsigned bits = BYTE * f->data_bytes;

	if (o->kind == OPERAND_REG)
		add_register(b, c, o, iform);
	else if (o->kind == OPERAND_IMM && iform)
		buffer_printf(b, uops_immediate_bits(c, f, operand) == BYTE
					 ? "IMMb"
					 : "IMMz");
	else if (o->kind == OPERAND_IMM)
		buffer_printf(b, "I%u", uops_immediate_bits(c, f, operand));
	else if (o->kind == OPERAND_LABEL)
		buffer_printf(b, iform ? "RELBRb" : "Rel8");
	else if (iform)
		buffer_printf(b, "MEM%s",
			      bits == BYTE  ? "b"
			      : bits <= 64  ? "v"
			      : bits <= 128 ? "dq"
					    : "qq");
	else if (bits > 0)
		buffer_printf(b, "M%u", bits);
	else
		buffer_printf(b, "M");
}

/* `first`, `next`, `last`: what stands around the operands. */
static void add_name(struct buffer *b, const struct catalogue *c,
		     const struct form *f, bool iform, const char *first,
		     const char *next, const char *last)
{
	bool memory = false;
	size_t n = 0;

	add_encoded(b, c, f);
	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		if (o->kind == OPERAND_OTHER ||
		    (memory && o->kind == OPERAND_MEM) ||
		    (o->kind != OPERAND_MEM && o->tied_to >= 0))
			continue;
		memory |= o->kind == OPERAND_MEM;
		buffer_printf(b, "%s", n++ > 0 ? next : first);
		add_operand(b, c, f, i, iform);
	}
	buffer_printf(b, "%s", n > 0 ? last : "");
}

void uops_string(struct buffer *b, const struct catalogue *c,
		 const struct form *f)
{
	add_name(b, c, f, false, " (", ", ", ")");
}

void uops_iform(struct buffer *b, const struct catalogue *c,
		const struct form *f)
{
	add_name(b, c, f, true, "_", "_", "");
}

/* ---- forms by name ------------------------------------------------------ */

struct named {
	const char *string;
	const struct form *f;
};

struct uops_names {
	size_t n;
	const struct named *list;
};

static int by_string(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->string, y->string);

	if (order == 0)
		order = (x->f->status != FORM_MEASURABLE) -
			(y->f->status != FORM_MEASURABLE);
	if (order == 0)
		order = (x->f->variant != NULL) - (y->f->variant != NULL);
	return order ? order : strcmp(x->f->name, y->f->name);
}

const struct uops_names *uops_names_new(struct arena *a,
					const struct catalogue *c)
{
	struct uops_names *n = ARENA_NEW(a, struct uops_names);
	struct named *list = ARENA_ARRAY(a, struct named, c->n_forms + 1);

	for (size_t i = 0; i < c->n_forms; i++) {
		struct buffer b = { 0 };

		uops_string(&b, c, &c->forms[i]);
		buffer_add(&b, "", 1);
		list[n->n++] =
			(struct named){ arena_strdup(a, (const char *)b.bytes),
					&c->forms[i] };
		buffer_free(&b);
	}
	if (n->n > 0)
		qsort(list, n->n, sizeof(*list), by_string);
	n->list = list;
	return n;
}

const struct form *uops_names_find(const struct uops_names *n,
				   const char *string)
{
	size_t low = 0, high = n->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(n->list[middle].string, string) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n->n && strcmp(n->list[low].string, string) == 0
		       ? n->list[low].f
		       : NULL;
}

/* ---- CPUs --------------------------------------------------------------- */

const char *uops_architecture(const struct catalogue *c, const char *cpu)
{
	const struct isa_cpu_name *x = c->isa->uops_names;

	for (; x && x->cpu; x++)
		if (strcmp(x->cpu, cpu) == 0)
			return x->uops;
	return cpu;
}

const char *uops_cpu(struct arena *a, const struct catalogue *c,
		     const char *architecture)
{
	const struct isa_cpu_name *x = c->isa->uops_names;

	for (; x && x->cpu; x++)
		if (strcmp(x->uops, architecture) == 0)
			return x->cpu;
	return arena_strdup(a, architecture);
}
