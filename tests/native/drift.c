/* What values do chains of floating-point forms drift into?  Each chain of a
 * plan is run for long, and the registers that it leaves are read: none may hold a
 * zero, an infinity, a number that is none, or a denormal, which some cores treat
 * specially.  Arithmetic is the same on all cores, so an emulator answers for them.
 *
 *	drift ISA CPU REGEX RUNTIME [EMULATOR]
 */
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include "common/pack.h"
#include "host/gen/gen.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/variant.h"
#include "host/plan/plan.h"
#include "tests/native/child.h"
#include "tests/unit/unit.h"

enum {
	ITERATIONS = 200, /* of the longest length: thousands of instances */
	READY_MS = 60 * 1000,
	N_REGISTERS = 32,
};

/* A format of numbers: its bytes, the bits of its exponent and of its fraction. */
struct format {
	size_t bytes;
	unsigned exponent, fraction;
};

static const struct format formats[DOMAIN_N] = {
	[DOMAIN_FP16] = { 2, 5, 10 },
	[DOMAIN_FP32] = { 4, 8, 23 },
	[DOMAIN_FP64] = { 8, 11, 52 },
};

static struct {
	const char *isa, *cpu, *forms, *runtime, *emulator;
} args;

/* What kind of number the lowest element of a register is; NULL: a usual one. */
static const char *kind_of(const unsigned char *bytes, const struct format *f)
{
	uint64_t bits = 0, exponent, fraction;

	memcpy(&bits, bytes, f->bytes);
	fraction = bits & ((UINT64_C(1) << f->fraction) - 1);
	exponent = bits >> f->fraction & ((UINT64_C(1) << f->exponent) - 1);
	if (exponent == (UINT64_C(1) << f->exponent) - 1)
		return fraction ? "not a number" : "infinite";
	if (exponent > 0)
		return NULL;
	return fraction ? "denormal" : "zero";
}

/* ---- the pack ----------------------------------------------------------- */

struct planned {
	struct arena a;
	struct catalogue *c;
	struct gen *gen;
	struct buffer pack;
	struct experiment *list; /* of kernel k: list[k] */
	char path[32];
};

static void make_pack(struct planned *p)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct gen_profile profile = gen_profile(0);
	struct plan_request q = { .forms = args.forms, .what = PLAN_LATENCY };
	size_t n = 0, n_added = 0;
	int fd;

	*p = (struct planned){ .path = "/tmp/anechoic-drift-XXXXXX" };
	if (catalogue_load(&p->a, isa_find(args.isa), args.cpu, &p->c, &e) !=
	    ERR_OK)
		fail_msg("%s", e.message);
	q.catalogue = p->c;
	if (plan_make(&p->a, &q, &p->list, &n, &e) != ERR_OK)
		fail_msg("%s", e.message);
	profile.ready_ms = READY_MS;
	p->gen = gen_new(p->c, &profile);
	for (size_t i = 0; i < n; i++)
		if (gen_add(p->gen, &p->list[i], &e) == ERR_OK)
			p->list[n_added++] = p->list[i];
	e = (struct err){ .code = ERR_OK, .message = "" };
	assert_int_equal(gen_finish(p->gen, &p->pack, &e), ERR_OK);
	fd = mkstemp(p->path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, p->pack.bytes, p->pack.n), p->pack.n);
	assert_int_equal(close(fd), 0);
}

static void free_pack(struct planned *p)
{
	(void)unlink(p->path);
	gen_free(p->gen);
	buffer_free(&p->pack);
	catalogue_free(p->c);
	arena_free(&p->a);
}

/* ---- the runtime --------------------------------------------------------- */

static struct child child;

static const struct wire_record *run_kernel(uint32_t k)
{
	const struct wire_record *r;
	struct wire_line w;

	child_forget(&child);
	wire_begin(&w, 0, "registers");
	wire_u64(&w, "k", k);
	wire_u64(&w, "n", ITERATIONS);
	wire_u64(&w, "length", PACK_LENGTHS - 1);
	child_send(&child, w.text, wire_end(&w));
	do {
		r = child_next(&child);
	} while (r && !wire_is(r, "registers") && !wire_is(r, "fault"));
	return r;
}

/* Vector registers of the core that runs the chains: a core without AVX-512 has
 * half of those in a pack's image. */
static int n_vectors(void)
{
#ifdef __x86_64__
	if (strcmp(args.isa, "x86_64") == 0 &&
	    !__builtin_cpu_supports("avx512f"))
		return N_REGISTERS / 2;
#endif
	return N_REGISTERS;
}

/* The first register that is not as the image has it and holds no usual number;
 * NULL: there is none. */
static const char *find_drift(const struct wire_record *r,
			      const struct pack_image *image,
			      const struct format *f)
{
	unsigned char v[N_REGISTERS][16];
	uint64_t fp[N_REGISTERS];
	/* Elsewhere these are no numbers. */
	bool has_fp = strcmp(args.isa, "riscv64") == 0;
	const char *kind = NULL;

	assert_true(wire_get_bytes(r, "v", v, sizeof(v)));
	assert_true(wire_get_bytes(r, "f", fp, sizeof(fp)));
	/* The first vector register of RISC-V is the mask. */
	for (int i = has_fp; i < n_vectors() && !kind; i++) {
		if (memcmp(v[i], image->vector[i], f->bytes) != 0)
			kind = kind_of(v[i], f);
		if (!kind && has_fp &&
		    memcmp(&fp[i], &image->fp[i], f->bytes) != 0)
			kind = kind_of((const void *)&fp[i], f);
	}
	return kind;
}

/* Chains that have no usual number to stay at, as FORM@SOURCE, or whose registers
 * hold more than the chain does. */
static const char *const known[] = {
	/* Both sources come from the chain: the sum grows without end, and a core
	 * adds infinities as it adds other numbers. */
	"FADD_ZPmZ_*@3",
	"FSUB_ZPmZ_*@3",
	"FSUBR_ZPmZ_*@3",
	"FADDP_ZPmZZ_*@3",
	"FADDA_VPZ_*@3",
	"ADDP*@2",
	"ADDS*@2",
	"SUBP*@2",
	"SUBS*@2",
	"HADDP*@2",
	"FADD_*/same-register@*",
	"FSUB_*/same-register@*",
	/* The number is the instruction's: a half or two. */
	"FMUL_ZPmI_*@2",
	/* The lane that is read is not the one that is written, which is zero. */
	"FMUL*_indexed@2",
	"FMULX*_indexed@2",
	/* The lanes above a scalar result are zero. */
	"FMAX*V*@*",
	"FMIN*V*@*",
	"FMAX*P*@1",
	"FMIN*P*@1",
	"FADDP*@1",
	/* The difference of neighbours. */
	"*HSUB*@*",
	/* Wide and narrow numbers in one register. */
	"VFW*@*",
	"FMLAL*@*",
	"FMLSL*@*",
	NULL,
};

static bool is_known(const struct experiment *x)
{
	char name[PACK_MAX_LABEL];

	(void)snprintf(name, sizeof(name), "%s@%d", x->steps[0].form->name,
		       x->steps[0].src);
	return name_matches_any(known, name);
}

static bool is_special(const struct form *f)
{
	enum variant_family family = form_family(f);

	return family == FAMILY_ZERO || family == FAMILY_DENORMAL;
}

static bool is_mask(const struct catalogue *c, const struct form *f,
		    int operand)
{
	const struct operand *o = &f->operands[operand];

	return o->kind == OPERAND_REG && o->fixed_reg == REG_NONE &&
	       c->classes[o->reg_class].n_regs > 0 &&
	       c->regs[c->classes[o->reg_class].regs[0]].bank == BANK_MASK;
}

/* A chain of floats that is measured with usual numbers.  One through a mask makes
 * zeros by its nature. */
static bool is_asked(const struct catalogue *c, const struct experiment *x)
{
	const struct form *f = x->n_steps > 0 ? x->steps[0].form : NULL;

	return f && x->kind == EXPERIMENT_LATENCY && f->domain != DOMAIN_INT &&
	       x->n_steps == 1 && !is_special(f) && !is_known(x) &&
	       x->steps[0].src >= 0 && !is_mask(c, f, x->steps[0].src);
}

TEST(chains_keep_usual_numbers)
{
	struct planned p;
	size_t n_run = 0, n_faults = 0, n_drifted = 0;
	struct wire_line w;

	make_pack(&p);
	child_start(&child, args.emulator, args.runtime, p.path);
	assert_non_null(child_wait(&child, "ready"));
	for (uint32_t k = 0; k < pack_header(p.pack.bytes)->n_kernels; k++) {
		const struct pack_kernel *kernel =
			&pack_kernels(p.pack.bytes)[k];
		const char *label = pack_label(p.pack.bytes, kernel);
		const struct experiment *x = &p.list[k];
		const struct wire_record *r;
		const char *kind;

		if (!is_asked(p.c, x))
			continue;
		r = run_kernel(k);
		assert_non_null(r);
		n_run++;
		if (wire_is(r, "fault")) {
			n_faults++;
			continue;
		}
		kind = find_drift(r, &pack_images(p.pack.bytes)[kernel->image],
				  &formats[x->steps[0].form->domain]);
		if (kind) {
			print_error("%s: %s\n", label, kind);
			n_drifted++;
		}
	}
	print_message("%zu chains, %zu faults, %zu drifted\n", n_run, n_faults,
		      n_drifted);
	wire_begin(&w, 0, "bye");
	child_send(&child, w.text, wire_end(&w));
	assert_int_equal(child_finish(&child), 0);
	assert_true(n_run > n_faults);
	assert_int_equal(n_drifted, 0);
	free_pack(&p);
}

int main(int argc, char **argv)
{
	if (argc < 5) {
		(void)fprintf(stderr, "usage: drift ISA CPU REGEX RUNTIME "
				      "[EMULATOR]\n");
		return 2;
	}
	args.isa = argv[1];
	args.cpu = strcmp(argv[2], "all") == 0 ? NULL : argv[2];
	args.forms = argv[3];
	args.runtime = argv[4];
	args.emulator = argc > 5 ? argv[5] : "";
	return unit_run(NULL);
}
