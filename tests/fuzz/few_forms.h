/* A catalogue of a few invented forms, so that readers of models can be fuzzed
 * without LLVM: catalogue_form() and the other functions that they call. */
#ifndef FUZZ_FEW_FORMS_H
#define FUZZ_FEW_FORMS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/experiment/experiment.h"

static const struct operand few_operands[] = {
	{ .kind = OPERAND_REG, .write = true, .tied_to = -1 },
	{ .kind = OPERAND_REG, .read = true, .tied_to = -1, .reg_class = 1 },
	{ .kind = OPERAND_IMM, .tied_to = -1, .reg_class = CLASS_NONE },
};

static const struct form few_forms[] = {
	{ .name = "ADD",
	  .mnemonic = "add",
	  .example = "add x0, x1",
	  .n_explicit = 2,
	  .n_operands = 2,
	  .operands = few_operands },
	{ .name = "LD",
	  .mnemonic = "ld",
	  .example = "ld x0, 8(x1)",
	  .n_explicit = 3,
	  .n_operands = 3,
	  .operands = few_operands },
	{ .name = "NOP", .mnemonic = "nop", .example = "nop" },
};

static const uint16_t few_regs[] = { 1, 2 };
static const struct reg few_reg[] = {
	{ .name = "" },
	{ .name = "X0", .bank = BANK_GPR },
	{ .name = "X1", .bank = BANK_GPR, .index = 1 },
};
static const struct reg_class few_classes[] = {
	{ .name = "GPR", .n_regs = 2, .regs = few_regs, .bank = BANK_GPR },
	{ .name = "FPR", .n_regs = 2, .regs = few_regs, .bank = BANK_FP },
};

static const struct isa_register_file few_files[] = {
	{ "x#", "name", "gpr" },
	{ "f#", "prefix", "f" },
	{ NULL, NULL, NULL },
};
static const struct isa few_isa = { .name = "riscv64",
				    .osaca_name = "riscv",
				    .width_suffixes = "d",
				    .register_files = few_files };
const struct isa *const isas[] = { &few_isa, NULL };
static const struct catalogue few = {
	.isa = &few_isa,
	.n_regs = ARRAY_LEN(few_reg),
	.regs = few_reg,
	.n_classes = ARRAY_LEN(few_classes),
	.classes = few_classes,
	.n_forms = ARRAY_LEN(few_forms),
	.forms = few_forms,
};

const struct form *catalogue_form(const struct catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->n_forms; i++)
		if (strcmp(c->forms[i].name, name) == 0)
			return &c->forms[i];
	return NULL;
}

/* Explicit ones by number, as in claims; no flags. */
size_t operand_find_all(const struct catalogue *c, const struct form *form,
			const char *name, bool source,
			int ret[FORM_MAX_OPERANDS])
{
	(void)c;
	(void)source;
	for (int i = 0; i < form->n_operands; i++)
		if (name[0] == '0' + i && name[1] == '\0') {
			ret[0] = i;
			return 1;
		}
	return 0;
}

/* Read as this format; an accepted file must be complete, a rejected one must
 * have a reason. */
static inline void few_read(const struct importer *i, const uint8_t *data,
			    size_t n)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	struct model *m = NULL;
	const char *isa = NULL;
	char *text = malloc(n + 1);
	struct import_text t;

	if (!text)
		return;
	if (n)
		memcpy(text, data, n);
	text[n] = '\0';
	t = (struct import_text){ .path = "x", .text = text, .n = n };
	(void)i->is(text, n);
	if (i->isa)
		(void)i->isa(&a, &t, &isa, &e);
	e = (struct err){ 0 };
	if (i->read(&a, &few, &t, &m, &e) == ERR_OK) {
		if (!m || model_check(m, &few, &e) != ERR_OK)
			abort();
	} else if (e.message[0] == '\0') {
		abort();
	}
	free(text);
	arena_free(&a);
}

#endif
