/* A random .core file, to measure ports on:  ports_random SEED >FILE.core
 *
 * The truth is one of truth_make(); its forms get names of RISC-V ones in
 * turn, as far as those go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ports/truth.h"

static const char *const names[] = {
	"ADD",    "SUB",    "AND",    "OR",     "XOR",     "SLT",     "SLTU",
	"SLL",    "SRL",    "SRA",    "ADDW",   "SUBW",    "SLLW",    "SRLW",
	"SRAW",   "ADDI",   "ANDI",   "ORI",    "XORI",    "SLTI",    "SLLI",
	"SRLI",   "SRAI",   "ADDIW",  "SLLIW",  "SRLIW",   "SRAIW",   "MUL",
	"MULW",   "MULH",   "MULHU",  "MULHSU", "ANDN",    "ORN",     "XNOR",
	"MIN",    "MAX",    "MINU",   "MAXU",   "ROL",     "ROR",     "CLZ",
	"CTZ",    "CPOP",   "CLZW",   "CTZW",   "CPOPW",   "SH1ADD",  "SH2ADD",
	"SH3ADD", "FADD_D", "FSUB_D", "FMUL_D", "FSGNJ_D", "FADD_S",  "FSUB_S",
	"FMUL_S", "FMIN_D", "FMAX_D", "FMIN_S", "FMAX_S",  "FSGNJ_S",
};

static void print_set(const struct model_use *u)
{
	const char *between = "";

	for (unsigned p = 0; p < MODEL_MAX_PORTS; p++)
		if (u->ports >> p & 1) {
			printf("%sp%u", between, p);
			between = "|";
		}
}

static void print_form(const struct truth_form *f, const char *name)
{
	printf("form %s: ", name);
	if (f->n_uses == 0)
		printf("eliminated");
	for (size_t k = 0; k < f->n_uses; k++) {
		printf(k == 0 ? "ports=" : " + ");
		print_set(&f->uses[k]);
	}
	if (f->n_uses > 0 && f->uses[0].cycles != 1)
		printf(", occupancy=%g", f->uses[0].cycles);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct truth *t = xrealloc(NULL, 1, sizeof(*t));
	size_t n = 0;

	if (argc != 2)
		return 2;
	truth_make(t, strtoull(argv[1], NULL, 10));
	printf("isa = riscv64\ncpu = random-%s\nwidth = %u\nwindow = 256\n"
	       "noise = 0.5\nseed = %s\nports =",
	       argv[1], t->width, argv[1]);
	for (unsigned p = 0; p < t->n_ports; p++)
		printf(" p%u", p);
	printf("\n\nform C_NOP: eliminated\n");
	for (size_t i = 0; i < t->n_forms && n < ARRAY_LEN(names); i++)
		print_form(&t->forms[i], names[n++]);
	free(t);
	return 0;
}
