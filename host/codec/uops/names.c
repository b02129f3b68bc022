/* Names of uops.info; see names.h. */
#include "host/codec/uops/names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/uops/spelling.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"

enum { BYTE = 8, TEXT = 256 };

/* Does uops.info have the instruction set? */
static bool is_listed(const struct catalogue *c)
{
	return strcmp(c->isa->name, UOPS_ISA) == 0;
}

/* A form's text in the second dialect, or its mnemonic, and its code. */
struct example {
	char text[TEXT];
	unsigned char code[MC_MAX_CODE];
	size_t n;
	struct uops_spelling s; /* after spell() */
};

static void add_example(struct example *e, const struct catalogue *c,
			const struct form *f)
{
	struct instance x;
	struct mc_inst inst;

	*e = (struct example){ .n = 0 };
	/* NULL: there is no second dialect. */
	if (c->isa->access_bytes && form_example(c, f, 0, &x)) {
		instance_to_mc(&x, &inst);
		mc_print_other(c->mc, &inst, e->text, TEXT);
		/* LLVM must not be asked to encode a pseudo instruction. */
		if (f->status != FORM_PSEUDO && *f->example != '\0')
			e->n = mc_encode(c->mc, &inst, e->code,
					 sizeof(e->code));
	}
	if (*e->text == '\0')
		(void)snprintf(e->text, TEXT, "%s", f->mnemonic);
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

void uops_assembly(struct buffer *b, const struct catalogue *c,
		   const struct form *f)
{
	struct example e;
	size_t n;

	add_example(&e, c, f);
	n = encoding_length(e.text);
	buffer_add(b, e.text, n);
	add_mnemonic(b, e.text + n);
}

/* ADD_EVEX of "{evex} add", and then as the instruction set has it. */
static void spell(struct example *e, const struct catalogue *c,
		  const struct form *f)
{
	struct uops_spelling *s = &e->s;
	struct buffer b = { 0 };
	size_t n = encoding_length(e->text);

	add_mnemonic(&b, e->text + n);
	for (size_t i = 1; i + 2 < n; i++)
		buffer_printf(&b, "%s%c", i == 1 ? "_" : "",
			      toupper((unsigned char)e->text[i]));
	*s = (struct uops_spelling){ .last = NULL };
	(void)snprintf(s->name, sizeof(s->name), "%s", buffer_text(&b));
	buffer_free(&b);
	if (is_listed(c))
		uops_spell(c, f, e->text + n, e->code, e->n, s);
}

void uops_mnemonic(struct buffer *b, const struct catalogue *c,
		   const struct form *f)
{
	struct example e;

	add_example(&e, c, f);
	spell(&e, c, f);
	buffer_printf(b, "%s", e.s.name);
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

static const char *const vectors[] = { "XMM", "YMM", "ZMM" };

static unsigned wide(unsigned bits)
{
	return bits > 256 ? 2 : bits > 128 ? 1 : 0;
}

static void add_register(struct buffer *b, const struct catalogue *c,
			 const struct operand *o, bool iform)
{
	static const char *const suffixes[] = { "dq", "qq", "" };
	const struct reg_class *k =
		o->reg_class < c->n_classes ? &c->classes[o->reg_class] : NULL;
	unsigned bits = k ? k->bits : 0;

	if (!k)
		buffer_printf(b, "%s", c->regs[o->fixed_reg].name);
	else if (k->bank == BANK_VECTOR)
		buffer_printf(b, "%s%s", vectors[wide(bits)],
			      iform ? suffixes[wide(bits)] : "");
	else if (k->bank == BANK_MASK)
		buffer_printf(b, iform ? "MASK" : "K");
	else if (k->bank == BANK_GPR && iform)
		buffer_printf(b, bits == BYTE ? "GPR8" : "GPRv");
	else if (k->bank == BANK_FP && is_listed(c))
		buffer_printf(b, iform ? "MMXq" : "MM");
	else
		buffer_printf(b, "%s%u%s", k->bank == BANK_GPR ? "R" : "FP",
			      bits, bits == BYTE ? "l" : "");
}

/* YMM, if the index of the address is such a register; or NULL. */
static const char *index_vector(const struct catalogue *c, const struct form *f)
{
	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];
		const struct reg_class *k = o->reg_class < c->n_classes
						    ? &c->classes[o->reg_class]
						    : NULL;

		if (o->kind == OPERAND_MEM && k && k->bank == BANK_VECTOR)
			return vectors[wide(k->bits)];
	}
	return NULL;
}

/* M64, M64_1to4, VSIB_YMM */
static void add_memory(struct buffer *b, const struct catalogue *c,
		       const struct form *f, const struct example *e)
{
	static const char broadcast[] = "{1to";
	const char *spread = strstr(e->text, broadcast);
	const char *index = index_vector(c, f);
	unsigned bytes = f->data_bytes, copies = 0;

	if (index) {
		buffer_printf(b, "VSIB_%s", index);
		return;
	}
	if (bytes == 0 && c->isa->access_bytes)
		(void)c->isa->access_bytes(e->text, &bytes);
	if (spread)
		copies = (unsigned)strtoul(spread + sizeof(broadcast) - 1, NULL,
					   10);
	if (e->s.memory_bits > 0)
		bytes = e->s.memory_bits / BYTE;
	buffer_printf(b, bytes > 0 ? "M%u" : "M",
		      BYTE * bytes / (copies > 0 ? copies : 1));
	if (copies > 0)
		buffer_printf(b, "_1to%u", copies);
}

static void add_operand(struct buffer *b, const struct catalogue *c,
			const struct form *f, int operand, bool iform,
			const struct example *e)
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
		buffer_printf(b, iform      ? (e->s.far ? "RELBRd" : "RELBRb")
				 : e->s.far ? "Rel32"
					    : "Rel8");
	else if (iform)
		buffer_printf(b, "MEM%s",
			      bits == BYTE  ? "b"
			      : bits <= 64  ? "v"
			      : bits <= 128 ? "dq"
					    : "qq");
	else
		add_memory(b, c, f, e);
}

/* Is the operand one of uops.info's?  *memory: there was one in memory. */
static bool is_named(const struct operand *o, bool *memory)
{
	bool again = *memory && o->kind == OPERAND_MEM;

	*memory |= o->kind == OPERAND_MEM;
	return o->kind != OPERAND_OTHER && !again &&
	       (o->kind == OPERAND_MEM || o->tied_to < 0);
}

/* What stands around the operands. */
struct name_style {
	bool iform, twin;
	const char *first, *next, *last;
};

/* The operands of the name, in its order; returns their number. */
static int list_operands(const struct form *f, const struct uops_spelling *s,
			 int ret[FORM_MAX_OPERANDS])
{
	bool memory = false;
	int n = 0;

	for (int i = 0; i < f->n_explicit - s->without_last; i++) {
		if (!is_named(&f->operands[i], &memory))
			continue;
		ret[n++] = i;
		if (s->memory_first && n > 1 &&
		    f->operands[i].kind == OPERAND_MEM) {
			memmove(&ret[1], &ret[0],
				(size_t)(n - 1) * sizeof(*ret));
			ret[0] = i;
		}
	}
	return s->only_first && n > 1 ? 1 : n;
}

static void add_name(struct buffer *b, const struct catalogue *c,
		     const struct form *f, const struct name_style *style)
{
	struct example e;
	const struct uops_spelling *s = &e.s;
	int operands[FORM_MAX_OPERANDS], n;

	add_example(&e, c, f);
	spell(&e, c, f);
	buffer_printf(b, "%s%s%s", s->name, style->iform ? "" : s->marks,
		      style->twin ? s->twin : "");
	n = list_operands(f, s, operands);
	for (int i = 0; i < n; i++) {
		buffer_printf(b, "%s", i > 0 ? style->next : style->first);
		add_operand(b, c, f, operands[i], style->iform, &e);
	}
	if (style->iform && s->only_first)
		buffer_printf(b, "%sAGEN", style->next);
	else if (s->last)
		buffer_printf(b, "%s%s", n++ > 0 ? style->next : style->first,
			      s->last);
	buffer_printf(b, "%s", n > 0 ? style->last : "");
}

void uops_string(struct buffer *b, const struct catalogue *c,
		 const struct form *f)
{
	add_name(b, c, f, &(struct name_style){ false, true, " (", ", ", ")" });
}

void uops_iform(struct buffer *b, const struct catalogue *c,
		const struct form *f)
{
	add_name(b, c, f, &(struct name_style){ true, false, "_", "_", "" });
}

/* ADD of ADD_01, as some files have it. */
static void string_without_twin(struct buffer *b, const struct catalogue *c,
				const struct form *f)
{
	add_name(b, c, f,
		 &(struct name_style){ false, false, " (", ", ", ")" });
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
	struct named *list = ARENA_ARRAY(a, struct named, 2 * c->n_forms + 1);

	for (size_t i = 0; i < c->n_forms; i++) {
		const struct form *f = &c->forms[i];
		struct buffer b = { 0 };
		const char *string, *other;

		uops_string(&b, c, f);
		string = buffer_take(a, &b);
		list[n->n++] = (struct named){ string, f };
		string_without_twin(&b, c, f);
		other = buffer_take(a, &b);
		if (strcmp(string, other) != 0)
			list[n->n++] = (struct named){ other, f };
	}
	order_sort(list, n->n, sizeof(*list), by_string);
	n->list = list;
	return n;
}

static const struct form *find_exactly(const struct uops_names *n,
				       const char *string)
{
	size_t low = order_find_name(string, n->list, n->n, sizeof(*n->list));

	return low < n->n && strcmp(n->list[low].string, string) == 0
		       ? n->list[low].f
		       : NULL;
}

const struct form *uops_names_find(const struct uops_names *n,
				   const char *string)
{
	/* uops.info has an entry for AL to BL and one for SPL to R15B. */
	static const char low[] = "_R0";
	const struct form *f = find_exactly(n, string);
	const char *mark = strstr(string, low);
	char text[TEXT];

	if (f || !mark)
		return f;
	(void)snprintf(text, sizeof(text), "%.*s%s", (int)(mark - string),
		       string, mark + sizeof(low) - 1);
	return find_exactly(n, text);
}

/* ---- CPUs --------------------------------------------------------------- */

const char *uops_architecture(const struct catalogue *c, const char *cpu)
{
	const struct uops_cpu_name *x = uops_cpus;

	for (; is_listed(c) && x->cpu; x++)
		if (strcmp(x->cpu, cpu) == 0)
			return x->uops;
	return cpu;
}

const char *uops_cpu(struct arena *a, const struct catalogue *c,
		     const char *architecture)
{
	const struct uops_cpu_name *x = uops_cpus;

	for (; is_listed(c) && x->cpu; x++)
		if (strcmp(x->uops, architecture) == 0)
			return x->cpu;
	return arena_strdup(a, architecture);
}
