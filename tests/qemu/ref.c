/* A board with a reference clock.  Under -icount it advances by a fixed number
 * per instruction, so a kernel between two chains gives whole cycles: its
 * body's cost in units of the chains. */
#include "common/row.h"
#include "tests/qemu/checks.h"

/* A canonical address beyond the memory that firmware maps. */
#define NOWHERE UINT64_C(0x0000700000000000)

enum {
	ADD = N_CALIB,
	ILLEGAL,
	ACCESS,
	HANG,
	VECTOR,
	WIDE,
	ROW_MOST = 10, /* common/row.h: of a wide kernel */
	MAX_ROWS = 64,
	FAST_HZ = 100 * 1000 * 1000,
};

void ref_pack(struct hand_pack *p, const struct hand_isa *isa)
{
	struct pack_header *h = (void *)p->bytes;
	struct pack_image bad = { .vtype = 0 };

	bad.gpr[isa->address] = NOWHERE;

	const struct hand_kernel kernels[] = {
		{ .label = "add", HAND_BODY(isa->add) },
		{ .label = "illegal", HAND_BODY(isa->illegal) },
		{ .label = "access", HAND_BODY(isa->load), .image = bad },
		{ .label = "hang", HAND_BODY(isa->hang) },
		{ .label = "vector",
		  HAND_BODY(isa->xor),
		  .flags = PACK_KERNEL_VECTOR },
		{ .label = "wide",
		  HAND_BODY(isa->xor),
		  .flags = PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE },
	};

	checks_build(p, isa, kernels, ARRAY_LEN(kernels));
	h->n_visits = 1;
	hand_checksum(p);
}

/* Do two differences of spans, each of this many iterations, give the same cost
 * of a body?  A span on a clock slower than the core may be off by one tick,
 * the difference of two by two. */
static bool is_same(uint64_t a, uint64_t n_a, uint64_t b, uint64_t n_b,
		    uint64_t slack)
{
	uint64_t one = a * n_b, two = b * n_a;
	uint64_t apart = one > two ? one - two : two - one;

	return apart <= slack * (n_a + n_b);
}

static void want_one_cycle(const struct wire_record *r, uint64_t slack)
{
	uint64_t d[ROW_MOST * MAX_ROWS], u[PACK_LENGTHS], c[PACK_N_CALIB];
	uint64_t n = number(r, "n");
	int row = (int)number(r, "row");
	int n_d = wire_get_list(r, "d", d, ARRAY_LEN(d));

	if (wire_get_list(r, "u", u, PACK_LENGTHS) != PACK_LENGTHS ||
	    wire_get_list(r, "c", c, PACK_N_CALIB) != PACK_N_CALIB ||
	    !row_is_ref((uint32_t)row) || n_d < row || n_d % row)
		fail("sample", "whole sandwiches");
	/* Hand-made kernels all have the same unroll lengths. */
	for (int at = 0; at < n_d; at += row) {
		const uint64_t *s = d + at;

		if (s[5] > s[3] + slack &&
		    is_same(s[5] - s[3], n, s[0] - s[7], c[0], slack) &&
		    is_same(s[5] - s[3], n, s[6] - s[1], c[1], slack))
			continue;
		fail("sandwich", "not one cycle");
	}
}

void ref_judge(const struct console *c, const struct hand_isa *isa)
{
	static const struct {
		uint64_t kernel;
		const char *cause;
	} faults[] = {
		{ ILLEGAL, "illegal" },
		{ ACCESS, "access" },
		{ HANG, "hang" },
	};
	static const uint64_t good[] = { ADD, VECTOR, WIDE };
	struct wire_record r;
	uint64_t slack;

	if (!find(c, "info", 0, &r))
		fail("info", "none");
	/* A time stamp counter under -icount ticks with the
	 * instructions. */
	slack = number(&r, "hz") < FAST_HZ ? 2 : 0;
	want_word(&r, "clock", "ref");
	want_word(&r, "isa", isa->name);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		r = about(c, "fault", faults[i].kernel);
		want_word(&r, "cause", faults[i].cause);
		if (number(&r, "pc") != 0)
			fail(faults[i].cause, "the pc within the kernel");
	}
	r = about(c, "fault", ACCESS);
	if (number(&r, "addr") != NOWHERE)
		fail("access", "the address");
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		r = about(c, "sample", good[i]);
		want_one_cycle(&r, slack);
	}
}
