/* Random mixes as kernels for `validate`:
 *
 *	mixes DATABASE N SEED FOLDER
 *
 * draws N mixes of two to eight forms, each form equally likely, from those whose
 * ports a database of this machine has.  For each mix it writes
 * FOLDER/mix-NUMBER.s for `anechoic time`: a loop of independent instances, whose
 * registers are those of the kernels of a port search.  Prints the forms of each
 * mix. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/random.h"
#include "host/codec/source.h"
#include "host/gen/gen.h"
#include "host/isa/frame.h"
#include "host/isa/isa.h"
#include "host/plan/ports.h"
#include "host/predict/program.h"

enum {
	FEWEST = 2,
	MOST = 8,
	INSTANCES = 48, /* of a loop, at least (host/gen/mix.c) */
	TRIES = 100,    /* of each mix */
	MOST_LATENCY = 10000,
	MOST_MIXES = 999, /* three digits of a name */
};

struct drawing {
	struct arena a;
	struct catalogue *c;
	struct completion *m;
	const struct plan_ports_form *forms; /* all that can be mixed */
	size_t n_forms;
	const struct plan_ports_form **known; /* those with measured ports */
	size_t n_known;
	uint64_t random;
	struct gen *gen;
	size_t n_refused;
};

/* Cycles until an instance may overwrite the register of another. */
static uint16_t latency_of(const struct drawing *d, const struct form *f)
{
	const struct completed_form *costs = completed_form(d->m, f);
	double most = 0;

	for (int k = 0; k < f->n_explicit; k++)
		if (f->operands[k].tied_to >= 0 &&
		    f->operands[k].kind == OPERAND_REG)
			most = fmax(most,
				    completed_latency(costs, k,
						      f->operands[k].tied_to,
						      NULL));
	return (uint16_t)fmin(ceil(most - 0.1), MOST_LATENCY);
}

static bool add_step(struct experiment *x, const struct form *form,
		     uint16_t latency, bool helper)
{
	if (x->n_steps == EXPERIMENT_MAX_STEPS)
		return false;
	x->steps[x->n_steps++] = (struct experiment_step){
		.form = form,
		.src = -1,
		.dst = -1,
		.count = 1,
		.latency = latency,
		.helper = helper,
	};
	return true;
}

/* With its breakers; false: there is no room. */
static bool add_form(const struct drawing *d, struct experiment *x,
		     const struct plan_ports_form *f)
{
	if (!add_step(x, f->form, latency_of(d, f->form), false))
		return false;
	for (size_t i = 0; i < f->n_breakers; i++)
		if (!add_step(x, d->forms[f->breakers[i]].form, 0, true))
			return false;
	return true;
}

/* False: not all of the forms that were drawn go together. */
static bool draw(struct drawing *d, struct experiment *x)
{
	size_t n = FEWEST + random_next(&d->random) % (MOST - FEWEST + 1);

	*x = (struct experiment){ .kind = EXPERIMENT_MIX };
	for (size_t i = 0; i < n; i++) {
		const struct plan_ports_form *f =
			d->known[random_next(&d->random) % d->n_known];

		for (size_t k = 0; k < x->n_steps; k++)
			if (x->steps[k].form == f->form ||
			    !gen_may_mix(d->c, x->steps[k].form, f->form))
				return false;
		if (!add_form(d, x, f))
			return false;
	}
	return true;
}

/* Forms that cannot be together are drawn again, as is what has no code. */
static int draw_all(struct drawing *d, size_t n, struct err *e)
{
	struct gen_profile profile = gen_profile(0);

	gen_profile_unroll(&profile, INSTANCES);
	d->gen = gen_new(d->c, &profile);
	for (size_t tries = n * TRIES; gen_n_kernels(d->gen) < n; tries--) {
		struct experiment x;
		struct err why = { 0 };

		if (tries == 0)
			return err_set(e, ERR_INPUT,
				       "%zu mixes expected, %zu found: the "
				       "model has ports of %zu forms",
				       n, gen_n_kernels(d->gen), d->n_known);
		if (draw(d, &x) && gen_add(d->gen, &x, &why) != ERR_OK)
			d->n_refused++;
	}
	return ERR_OK;
}

static int find_forms(struct drawing *d, struct err *e)
{
	struct plan_ports_list list;
	const struct plan_ports_form *forms;

	if (plan_ports(&d->a, d->c, NULL, 0, &list, e) != ERR_OK)
		return e->code;
	d->forms = forms = list.forms;
	d->n_forms = list.n;
	d->known = ARENA_ARRAY(&d->a, const struct plan_ports_form *,
			       d->n_forms + 1);
	for (size_t i = 0; i < d->n_forms; i++) {
		const struct completed_form *f =
			completed_form(d->m, forms[i].form);

		if (f->costs.has_ports &&
		    f->origin[COST_PORTS].origin == ORIGIN_MODEL)
			d->known[d->n_known++] = &forms[i];
	}
	return d->n_known > MOST
		       ? ERR_OK
		       : err_set(e, ERR_INPUT,
				 "the model has ports of %zu forms: measure "
				 "them with --what ports",
				 d->n_known);
}

/* ---- assembly ---------------------------------------------------------- */

static void print_bytes(FILE *out, const unsigned char *bytes, size_t n)
{
	while (n-- > 0)
		(void)fprintf(out, "%02X", bytes[n]);
	(void)fprintf(out, "\n");
}

static void print_gpr(FILE *out, struct arena *a, const struct isa *isa,
		      unsigned index, uint64_t value)
{
	(void)fprintf(out, "# LLVM-EXEGESIS-DEFREG ");
	for (const char *at = frame_gpr(a, isa, index); *at != '\0'; at++)
		(void)fputc(toupper((unsigned char)*at), out);
	(void)fprintf(out, " %llX\n", (unsigned long long)value);
}

/* What the registers of the kernel hold, but for its counter and those that point
 * into memory, as comments that `anechoic time` reads (tests/cli/peers/README.md). */
static void print_image(FILE *out, struct arena *a, const struct catalogue *c,
			const struct pack_image *image, unsigned counter)
{
	uint32_t kept =
		image->gpr_is_memory | c->isa->frame->reserved | 1u << counter;
	uint32_t seen = 0;

	for (unsigned g = 0; g < ARRAY_LEN(image->gpr); g++)
		if (!(kept >> g & 1))
			print_gpr(out, a, c->isa, g, image->gpr[g]);
	for (size_t i = 1; i < c->n_regs; i++) {
		const struct reg *r = &c->regs[i];

		if (r->bank != BANK_VECTOR || r->span != 1 || r->index >= 32 ||
		    (seen >> r->index & 1))
			continue;
		seen |= 1u << r->index;
		(void)fprintf(out, "# LLVM-EXEGESIS-DEFREG %s ", r->name);
		print_bytes(out, image->vector[r->index],
			    sizeof(image->vector[0]));
	}
}

/* As bytes: LLVM does not read all that it prints (movzww). */
static void put_insn(FILE *out, const struct insn *x, bool first)
{
	(void)fprintf(out, "%s\t.byte ", first ? "x:" : "");
	for (unsigned k = 0; k < x->n_code; k++)
		(void)fprintf(out, "%s%u", k > 0 ? "," : "", x->code[k]);
	(void)fprintf(out, "\n");
}

/* The kernel's instructions up to its jump back. */
static int print_kernel(FILE *out, const struct catalogue *c, const void *pack,
			const struct pack_kernel *k, struct err *e)
{
	const struct code code = {
		.name = pack_label(pack, k),
		.bytes = (const unsigned char *)pack_code(pack) +
			 k->code_offset[0],
		.n = k->code_bytes[0],
	};
	struct arena a = { 0 };
	struct program p = { .c = c };

	if (program_add_bytes(&a, &p, &code, 0, DATA_REFUSED, e) == ERR_OK) {
		program_link(&a, &p);
		print_image(out, &a, c, &pack_images(pack)[k->image],
			    k->counter);
		for (size_t i = 0; i < p.n; i++) {
			const struct insn *x = &p.insns[i];
			const char *target = strrchr(x->text, ' ');

			if (x->jumps && x->target >= 0) {
				(void)fprintf(out, "\t%.*s x\n",
					      (int)(target - x->text), x->text);
				break;
			}
			put_insn(out, x, i == 0);
		}
	}
	arena_free(&a);
	return e->code;
}

static int write_all(const struct drawing *d, const char *folder, struct err *e)
{
	struct buffer pack = { 0 };

	if (gen_finish(d->gen, &pack, e) != ERR_OK)
		return e->code;
	for (uint32_t i = 0;
	     i < pack_header(pack.bytes)->n_kernels && e->code == ERR_OK; i++) {
		const struct pack_kernel *k = &pack_kernels(pack.bytes)[i];
		char path[1024];
		FILE *out;

		(void)snprintf(path, sizeof(path), "%s/mix-%03u.s", folder,
			       (unsigned)i);
		out = fopen(path, "w");
		if (out)
			(void)print_kernel(out, d->c, pack.bytes, k, e);
		if (!out || fclose(out) != 0)
			(void)err_set(e, ERR_FAILED, "%s: cannot be written",
				      path);
		printf("mix-%03u  %s\n", (unsigned)i,
		       pack_label(pack.bytes, k) + strlen("mix:"));
	}
	buffer_free(&pack);
	return e->code;
}

/* ---- the whole --------------------------------------------------------- */

int main(int argc, char **argv)
{
	enum { DATABASE = 1, N, SEED, FOLDER, ARGS };
	struct drawing d = { .n_forms = 0 };
	struct model_source source = { 0 };
	struct err e = { 0 };
	long n;

	if (argc != ARGS)
		return 2;
	source.db = argv[DATABASE];
	n = strtol(argv[N], NULL, 10);
	if (n < 1 || n > MOST_MIXES) {
		(void)fprintf(stderr,
			      "mixes: %s mixes: expected a number from 1 to "
			      "%d\n",
			      argv[N], MOST_MIXES);
		return 2;
	}
	d.random = strtoull(argv[SEED], NULL, 10);
	if (model_open(&d.a, &source, false, &d.c, &d.m, &e) == ERR_OK &&
	    find_forms(&d, &e) == ERR_OK &&
	    draw_all(&d, (size_t)n, &e) == ERR_OK &&
	    write_all(&d, argv[FOLDER], &e) == ERR_OK)
		printf("%ld mixes of %zu forms with measured ports, %zu more "
		       "had no code\n",
		       n, d.n_known, d.n_refused);
	if (e.code != ERR_OK)
		(void)fprintf(stderr, "mixes: %s\n", e.message);
	gen_free(d.gen);
	catalogue_free(d.c);
	arena_free(&d.a);
	return e.code == ERR_OK ? 0 : 2;
}
