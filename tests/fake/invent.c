/* Invents a core: prints a .core file that follows from a seed.
 *
 *	invent ISA SEED core|ref|simple
 *
 * simple: in order, one instruction at a time, with what such cores make of
 * operands and of the ends of loops.
 *
 * What it prints stays where truth.c can tell the throughput of every form by
 * arithmetic: a window that no form fills, and in order only forms of one
 * uop. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/flags.h"
#include "host/isa/isa.h"

enum {
	MAX_PORTS = 8,
	MAX_LINES = 12,
};

/* Forms by patterns of their names; every ISA has some of each. */
static const char *const patterns[] = {
	"[A-C].*",   "[D-F].*",   "[M-R].*",   "S.*",          "V.*D.*",
	"V.*",       ".*m.*",     ".*[13579]", ".*_.*",        ".*r",
	".*[WX]r.*", ".*[468].*", ".*i",       "LOCK.*|AMO.*", "L.*|ST.*|.*mr",
};

struct inventor {
	uint64_t random;
	bool in_order;
	uint32_t width, n_ports;
};

/* xorshift64* (Vigna 2016). */
static uint32_t below(struct inventor *v, uint32_t n)
{
	v->random ^= v->random >> 12;
	v->random ^= v->random << 25;
	v->random ^= v->random >> 27;
	return (uint32_t)((v->random * 0x2545f4914f6cdd1dull >> 33) % n);
}

static bool one_in(struct inventor *v, uint32_t n)
{
	return below(v, n) == 0;
}

static void print_uop(struct inventor *v)
{
	uint32_t ports = 1 + below(v, (1u << v->n_ports) - 1);
	const char *bar = "";

	for (uint32_t p = 0; p < v->n_ports; p++) {
		if (!(ports >> p & 1))
			continue;
		(void)printf("%sp%u", bar, p);
		bar = "|";
	}
}

/* Of a flag that is read or written: one of those with chains. */
static void print_flag(struct inventor *v, const struct isa *isa)
{
	uint32_t flag = below(v, 8);

	if (!isa->flags || !(isa->flags->chained >> flag & 1))
		return;
	if (one_in(v, 2))
		(void)printf(", latency[%u>%s.%s]=%u", 1 + below(v, 2),
			     isa->flags->reg, isa->flags->names[flag],
			     1 + below(v, 6));
	else
		(void)printf(", latency[%s.%s>0]=%u", isa->flags->reg,
			     isa->flags->names[flag], 1 + below(v, 6));
}

static void print_form(struct inventor *v, const struct isa *isa,
		       const char *pattern)
{
	uint32_t n_uops = v->in_order ? 1 : 1 + below(v, 3) / 2 + below(v, 2);
	uint32_t latency = 1 + below(v, 7);

	(void)printf("form %s: ports=", pattern);
	for (uint32_t u = 0; u < n_uops; u++) {
		(void)printf("%s", u ? " + " : "");
		print_uop(v);
	}
	(void)printf(", latency=%u", latency);
	if (one_in(v, 2))
		(void)printf(", latency[%u>0]=%u", 1 + below(v, 3),
			     1 + below(v, latency + 2));
	print_flag(v, isa);
	/* A kernel has few places for read-modify-write accesses. */
	(void)printf(", latency[mem>mem]=1");
	if (one_in(v, 4))
		(void)printf(", latency[mem>0]=%u", 1 + below(v, 9));
	if (!v->in_order && one_in(v, 4))
		(void)printf(", uops=%u", n_uops + 1 + below(v, 2));
	if (one_in(v, 5))
		(void)printf(", occupancy=%u", 2 + below(v, 6));
	if (one_in(v, 6))
		(void)printf(", zero_idiom");
	(void)printf("\n");
}

static void invent(struct inventor *v, const struct isa *isa, bool ref)
{
	const struct isa_calibration *c = &isa->calibration;
	uint32_t n_lines = 4 + below(v, MAX_LINES - 4);

	v->in_order = one_in(v, 4) && strcmp(isa->name, "x86_64") != 0;
	v->width = v->in_order ? 1 + below(v, 2) : 1 + below(v, 8);
	v->n_ports = 2 + below(v, MAX_PORTS - 1);
	(void)printf("isa = %s\nwidth = %u\nwindow = 512\norder = %s\n",
		     isa->name, v->width, v->in_order ? "in" : "out");
	(void)printf("seed = %u\n", below(v, 1000));
	if (ref)
		(void)printf("clock = ref\nhz = 2000000000\nghz = %u.%u\n"
			     "noise = 0.2\ndrift = 0.5\noutliers = 0.2\n",
			     1 + below(v, 4), below(v, 10));
	(void)printf("ports =");
	for (uint32_t p = 0; p < v->n_ports; p++)
		(void)printf(" p%u", p);
	(void)printf("\n");
	/* A reference clock needs chains of one cycle. */
	(void)printf("form %s|%s: ports=p0|p1\nform %s: ports=p0|p1\n",
		     c->chain_a, c->chain_b, c->probe);
	/* At one uop a cycle a latency of zero is hidden, and no renamer
	 * eliminates a move between banks, or an instruction that writes
	 * flags. */
	if (v->width > 1 && !v->in_order && one_in(v, 3))
		(void)printf("form ANDN?|MOV(32|64)rr|ANDXrs: "
			     "eliminated\n");
	for (uint32_t i = 0; i < n_lines; i++)
		print_form(v, isa, patterns[below(v, ARRAY_LEN(patterns))]);
	print_form(v, isa, ".*");
}

/* A source that may arrive later than the other one: a core that starts
 * instructions in order hides by how much. */
static void print_late(struct inventor *v, uint32_t latency)
{
	if (one_in(v, 2))
		(void)printf(", latency[%u>0]=%u", 1 + below(v, 2),
			     latency - below(v, 5));
}

/* Properties of the small RISC-V cores of embedded boards, all at once:
 * dividers that remember, multipliers that stop early, stalls on a register
 * that is overwritten, and loops whose ends cost a few cycles. */
static void invent_simple(struct inventor *v, const struct isa *isa)
{
	uint32_t divide = 8 + below(v, 33), root = 10 + below(v, 30);
	uint32_t product = 2 + below(v, 4), wide = 1 + below(v, 4);
	uint32_t fp = 2 + below(v, 5);
	struct inventor late = { .random = v->random ^ 0x94d049bb133111eb };

	(void)printf("isa = %s\nwidth = 1\nwindow = 512\norder = in\n"
		     "seed = %u\nbend = %u\nports = a m d f l\n",
		     isa->name, below(v, 100000), below(v, 5));
	(void)printf("form (DIV|REM)U?W?(/.*)?: ports=d, latency=%u, "
		     "occupancy=%u, same_operands=%u",
		     divide, divide - below(v, 3), 1 + below(v, 3));
	print_late(&late, divide);
	(void)printf("\n");
	(void)printf("form F(DIV|SQRT)_.*: ports=d, latency=%u, occupancy=%u, "
		     "same_operands=%u",
		     root, root - below(v, 3), 1 + below(v, 3));
	print_late(&late, root);
	(void)printf("\n");
	(void)printf("form MULH?S?U?W?(/.*)?: ports=m, latency=%u, "
		     "wide_latency=%u, wide_occupancy=%u\n",
		     product, product + 1 + below(v, 4), wide);
	(void)printf("form C_(ADD|SUB|AND|OR|XOR|MUL).*: ports=a, latency=%u, "
		     "same_register=%u\n",
		     1 + below(v, 3), 1 + below(v, 2));
	(void)printf("form FN?M(ADD|SUB)_.*: ports=f, latency=%u, "
		     "same_register=1\n",
		     fp + 1);
	(void)printf("form F.*: ports=f, latency=%u, same_register=1\n", fp);
	(void)printf("form C_?L[BHWD].*|L[BHWD]U?: ports=l, latency=%u\n",
		     1 + below(v, 4));
	(void)printf("form .*: ports=a, latency=%u\n", 1 + below(v, 2));
}

int main(int argc, char **argv)
{
	const struct isa *isa = argc == 4 ? isa_find(argv[1]) : NULL;
	struct inventor v = { 0 };

	if (!isa) {
		(void)fprintf(stderr,
			      "usage: invent ISA SEED core|ref|simple\n");
		return 2;
	}
	v.random = 0x9e3779b97f4a7c15ull * (strtoull(argv[2], NULL, 10) + 1);
	for (int i = 0; i < 8; i++)
		(void)below(&v, 2);
	if (strcmp(argv[3], "simple") == 0)
		invent_simple(&v, isa);
	else
		invent(&v, isa, strcmp(argv[3], "ref") == 0);
	return 0;
}
