/* Random mixes as kernels for `validate`:
 *
 *	mixes DATABASE N SEED FOLDER
 *
 * draws N mixes of two to eight forms, each form equally likely, from those whose
 * ports a database of this machine has.  For each mix it writes
 * FOLDER/mix-NUMBER.s: a function `kernel`, as the files of the folder `other` have,
 * with a loop of independent instances, whose registers and memory are those of the
 * kernels of a port search.  Prints the forms of each mix. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/random.h"
#include "host/codec/source.h"
#include "host/gen/gen.h"
#include "host/isa/isa.h"
#include "host/plan/ports.h"

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

/* The function before the code of the kernel.  Its third argument is the number of
 * iterations.  It stores that into the counter's register in `image`, so many bytes
 * from its start, and calls enter() (enter.c), which runs the kernel. */
static const struct start {
	enum pack_isa isa;
	const char *before, *behind; /* text around the number of bytes */
} starts[] = {
	{ PACK_ISA_X86_64, "\tmovq %rdx, image+",
	  "(%rip)\n\tleaq run(%rip), %rdi\n\tjmp enter@PLT\n" },
};

static const struct start *start_of(const struct pack_header *h)
{
	for (size_t i = 0; i < ARRAY_LEN(starts); i++)
		if (starts[i].isa == (enum pack_isa)h->isa)
			return &starts[i];
	return NULL;
}

static void print_bytes(FILE *out, const void *bytes, size_t n)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < n; i++)
		(void)fprintf(out, "\t.byte %u\n", b[i]);
}

/* struct pack_image, with addresses. */
static void print_image(FILE *out, const struct pack_image *image)
{
	(void)fprintf(out, "\t.data\n\t.p2align 6\nimage:\n");
	for (unsigned i = 0; i < ARRAY_LEN(image->gpr); i++)
		(void)fprintf(out, "\t.quad %s%llu\n",
			      image->gpr_is_memory >> i & 1 ? "memory+" : "",
			      (unsigned long long)image->gpr[i]);
	print_bytes(out, image->vector, sizeof(*image) - sizeof(image->gpr));
}

static void print_memory(FILE *out, const struct pack_image *image, uint32_t n)
{
	(void)fprintf(out, "\t.p2align 12\nmemory:\n");
	if (image->memory_fill == PACK_FILL_SELF) {
		(void)fprintf(out, "\t.rept %u\n\t.quad .\n\t.endr\n", n / 8);
	} else {
		(void)fprintf(out, "\t.rept %zu\n", n / sizeof(image->memory));
		print_bytes(out, image->memory, sizeof(image->memory));
		(void)fprintf(out, "\t.endr\n");
	}
	(void)fprintf(out, "memory_end:\n");
}

/* struct arch_run */
static void print_run(FILE *out, const struct pack_kernel *k)
{
	bool vector = k->flags & PACK_KERNEL_VECTOR;

	(void)fprintf(out,
		      "\t.p2align 6\nrun:\n\t.quad .Lloop, image, 0, 0, 0, %u, "
		      "0, 0, memory, memory_end\n",
		      vector ? k->flags : 0U);
}

static void print_kernel(FILE *out, const void *pack,
			 const struct pack_kernel *k)
{
	const struct pack_header *h = pack_header(pack);
	const struct pack_image *image = &pack_images(pack)[k->image];
	const struct start *s = start_of(h);

	(void)fprintf(out, "\t.text\n\t.globl kernel\n\t.type kernel, "
			   "%%function\n\t.p2align 6\nkernel:\n");
	(void)fprintf(out, "%s%zu%s", s->before,
		      k->counter * sizeof(image->gpr[0]), s->behind);
	(void)fprintf(out, "\t.p2align 6\n.Lloop:\n");
	print_bytes(out, pack_code(pack) + k->code_offset[0], k->code_bytes[0]);
	(void)fprintf(out, "\t.size kernel, . - kernel\n");
	print_image(out, image);
	print_run(out, k);
	print_memory(out, image, h->memory_bytes);
	(void)fprintf(out, "\t.section .note.GNU-stack, \"\"\n");
}

static int write_all(const struct drawing *d, const char *folder, struct err *e)
{
	struct buffer pack = { 0 };

	if (gen_finish(d->gen, &pack, e) != ERR_OK)
		return e->code;
	if (!start_of(pack_header(pack.bytes)))
		(void)err_set(e, ERR_FAILED,
			      "mixes run on x86-64 only, so far");
	for (uint32_t i = 0;
	     i < pack_header(pack.bytes)->n_kernels && e->code == ERR_OK; i++) {
		const struct pack_kernel *k = &pack_kernels(pack.bytes)[i];
		char path[1024];
		FILE *out;

		(void)snprintf(path, sizeof(path), "%s/mix-%03u.s", folder,
			       (unsigned)i);
		out = fopen(path, "w");
		if (out)
			print_kernel(out, pack.bytes, k);
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
