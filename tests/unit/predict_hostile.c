/* Corrupted text, code and object files give an error or an answer, and never a
 * crash. The same thousands of inputs are used each time. Also run under the
 * address and undefined-behaviour sanitizers. */
#include "host/base/file.h"
#include "host/codec/codec.h"
#include "host/predict/print.h"
#include "host/predict/program.h"
#include "tests/unit/html_check.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/small_object.h"
#include "tests/unit/unit.h"

enum {
	TEXTS = 250, /* per ISA */
	CODES = 250,
	OBJECTS = 60,
	LOOPS = 250,
	ROOM = 4096,
};

/* Of the numbers above; `make campaigns` gives more as an argument. */
static int times = 1;

static uint32_t draw(uint64_t *state, uint32_t n)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (uint32_t)((z ^ z >> 31) % n);
}

static const struct seed {
	const char *isa, *cpu, *text;
} seeds[] = {
	{ "x86_64", "skylake",
	  "f:\n.L3:\n\tvmovupd (%rsi,%rax,8), %ymm0\n"
	  "\tvfmadd132pd 32(%rcx,%rax), %ymm1, %ymm0\n"
	  "\tvmovupd %ymm0, foo+8(%rip)\n\taddq $-128, %rax\n"
	  "\tlock addl $1, (%rdi)\n\trep movsb\n\tcmpb %ah, %cl\n"
	  "\tvaddps {rn-sae}, %zmm1, %zmm2, %zmm3{%k1}{z}\n"
	  "\tjne .L3\n1:\tjmp 1b\n\tcall *8(%rax)\n\tret\n"
	  "\t.intel_syntax noprefix\n\tmov eax, dword ptr [rbx+4*rcx-1]\n" },
	{ "aarch64", "neoverse-v2",
	  ".L2:\n\tldr q0, [x1], #16\n\tldp d1, d2, [x2, 16]\n"
	  "\tfmla v3.2d, v0.2d, v1.d[0]\n\tstr d5, [x14, x3, lsl 3]\n"
	  "\tld1d {z0.d}, p0/z, [x0, x1, lsl 3]\n\twhilelo p0.d, x1, x2\n"
	  "\tadd x3, x3, :lo12:foo\n\tcbnz x3, .L2\n\tb.ne .L2\n\tret\n" },
	{ "riscv64", "sifive-p670",
	  "f:\n\tvsetvli a3, zero, e64, m2, ta, ma\n.L1:\n"
	  "\tvle64.v v8, (a1)\n\tvfmacc.vv v8, v10, v12, v0.t\n"
	  "\tli a0, 0x123456789abcdef\n\tla a1, foo\n\tlw a2, %lo(x)(a1)\n"
	  "\tamoadd.d a0, a1, (a2)\n\tc.addi a0, 1\n\tbnez a5, .L1\n"
	  "\tcall g\n\tret\n" },
};

static const char *const tokens[] = {
	"(",          ")",       "((((((((",    "[",           "{",
	"}",          "%",       "$",           "#",           "//",
	"/*",         "*/",      "\"",          ";",           ":",
	"\n",         "\n\n",    ",",           "-",           "+",
	"*",          "<<",      "0x",          "99999999999", ".rept",
	".macro",     ".byte 1", "=",           ".",           "@",
	"1f",         "1b",      "1:",          "OSACA-BEGIN", "# OSACA-END",
	"\\",         "{%k1}",   "v31.t",       "lock ",       "rep ",
	"%st(1)",     "%rip",    "z0.d",        "#lsl",        ":lo12:",
	"%pcrel_hi(", "e64",     "\t.option x",
};

static size_t mutate(uint64_t *state, char *text, size_t n)
{
	for (uint32_t k = 1 + draw(state, 4); k > 0; k--) {
		uint32_t at = n > 0 ? draw(state, (uint32_t)n) : 0;
		const char *t = tokens[draw(state, ARRAY_LEN(tokens))];
		size_t length = strlen(t);
		uint32_t cut = draw(state, 12);

		switch (draw(state, 4)) {
		case 0: /* change a byte */
			if (n > 0)
				text[at] = (char)(1 + draw(state, 127));
			break;
		case 1: /* remove some bytes */
			cut = cut > n - at ? (uint32_t)(n - at) : cut;
			memmove(text + at, text + at + cut, n - at - cut);
			n -= cut;
			break;
		default: /* insert a token */
			if (n + length >= ROOM)
				break;
			memmove(text + at + length, text + at, n - at);
			memcpy(text + at, t, length);
			n += length;
		}
	}
	text[n] = '\0';
	return n;
}

static const struct source *in_dialect(struct source *s,
				       enum source_dialect dialect)
{
	if (dialect != DIALECT_AUTO)
		s->dialect = dialect;
	return s;
}

/* Run everything that follows the reading. */
static void go_on(struct arena *a, const struct program *p,
		  struct completion *k, uint64_t *state)
{
	struct loop_choice choice = { .marker = draw(state, 4) };
	struct predict_options how = { .equal_split = draw(state, 2),
				       .timeline = draw(state, 20) };
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct prediction x;
	struct err e = { 0 };
	struct loop_on on = { .program = p, .completion = k };
	struct loop_list list;

	if (loops_find(a, p, &choice, &list, &e) == ERR_OK)
		on.loop = &list.loops[list.chosen];
	if (!on.loop || predict(a, &on, &how, &x, &e) != ERR_OK) {
		assert_true(e.message[0] != '\0');
		return;
	}
	assert_true(x.cycles >= 0 && x.cycles < 1e9);
	print_text(&b, &x);
	print_json(&b, &x);
	print_dot(&b, &x);
	/* The C library prints a string that is not there so. */
	assert_null(memmem(b.bytes, b.n, "(null)", strlen("(null)")));
	b.n = 0;
	print_html(&b, &x);
	if (html_check((const char *)b.bytes, b.n))
		fail_msg("%s", html_check((const char *)b.bytes, b.n));
	print_annotated(&b, &x);
}

static void break_texts(struct world *w, struct completion *k, const char *seed)
{
	uint64_t state = 1;
	unsigned n_read = 0;

	for (int i = 0; i < TEXTS * times; i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct err e = { 0 };
		struct source s;
		struct program p;
		char text[ROOM + 1];
		size_t n = strlen(seed);

		memcpy(text, seed, n);
		n = mutate(&state, text, n);
		if (source_read(&a, &(struct code){ "x.s", text, n },
				w->c->isa->loop, &s, &e) == ERR_OK &&
		    program_from_text(&a, w->c, w->parser,
				      in_dialect(&s, draw(&state, 2)), &p,
				      &e) == ERR_OK) {
			go_on(&a, &p, k, &state);
			n_read++;
		} else {
			assert_part(e.message, "x.s:");
		}
	}
	assert_true(n_read > 0 && n_read < (unsigned)(TEXTS * times));
}

static void break_disassemblies(struct world *w, struct completion *k)
{
	static const char seed[] =
		"0000000000000000 <f>:\n"
		"   0:\t62 f1 f5 48 58 84 24 \tvaddpd 0x1000(%rsp),%zmm1\n"
		"   7:\t00 10 00 00 \n"
		"   b:\t48 ff c8             \tdec    %rax\n"
		"   e:\t75 fb                \tjne    b <f+0xb>\n";
	uint64_t state = 3;
	unsigned n_read = 0;

	for (int i = 0; i < TEXTS * times; i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct err e = { 0 };
		struct program p;
		char text[ROOM + 1];
		size_t n = sizeof(seed) - 1;

		memcpy(text, seed, n);
		n = mutate(&state, text, n);
		if (program_from_disassembly(
			    &a, w->c, &(struct code){ "x.dump", text, n }, &p,
			    &e) == ERR_OK) {
			if (p.n > 0)
				go_on(&a, &p, k, &state);
			n_read++;
		} else {
			assert_part(e.message, "x.dump:");
		}
	}
	assert_true(n_read > 0);
}

static void break_code(struct world *w, struct completion *k)
{
	uint64_t state = 2;

	for (int i = 0; i < CODES * times; i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct program p = { .c = w->c };
		struct err e = { 0 };
		unsigned char code[64];
		size_t n = 1 + draw(&state, sizeof(code));

		for (size_t at = 0; at < n; at++)
			code[at] = (unsigned char)draw(&state, 256);
		if (program_add_bytes(&a, &p, &(struct code){ "x", code, n }, 0,
				      draw(&state, 4) ? DATA_SKIPPED
						      : DATA_REFUSED,
				      &e) == ERR_OK) {
			program_link(&a, &p);
			go_on(&a, &p, k, &state);
		}
	}
}

TEST(broken_text_and_code)
{
	for (size_t i = 0; i < ARRAY_LEN(seeds); i++) {
		SCOPED(world_close) struct world w = world_open(seeds[i].isa);
		struct completion *k;
		struct err e = { 0 };

		assert_ok(import_llvm(&w.a, w.c, seeds[i].cpu, &w.m, &e), &e);
		k = model_complete(&w.a, w.c, w.m, NULL);
		break_texts(&w, k, seeds[i].text);
		break_disassemblies(&w, k);
		break_code(&w, k);
	}
}

/* A forged byte anywhere in the headers and tables of an object file, and every
 * length of it: it is read, or refused with a reason, and in bounded time. */
TEST(forged_objects)
{
	static const unsigned char flips[] = { 0xff, 0x01, 0x80, 0x10 };
	SCOPED(world_close) struct world w = world_open("x86_64");
	unsigned n_read = 0, n_refused = 0;

	for (size_t i = 0; i < sizeof(small_object) * ARRAY_LEN(flips); i++) {
		size_t at = i / ARRAY_LEN(flips), n = sizeof(small_object);
		SCOPED(arena_free) struct arena a = { 0 };
		struct err e = { 0 };
		struct program p;
		unsigned char *copy =
			arena_copy(&a, small_object, sizeof(small_object));

		copy[at] ^= flips[i % ARRAY_LEN(flips)];
		if (i % ARRAY_LEN(flips) == 3)
			n = at;
		if (!object_is(copy, n))
			;
		else if (program_from_object(&a, w.c,
					     &(struct code){ "x.o", copy, n },
					     &p, &e) == ERR_OK)
			n_read++;
		else if (strncmp(e.message, "x.o: ", 5) == 0)
			n_refused++;
		else
			fail_msg("%zu: %s", at, e.message);
	}
	assert_true(n_read > 0 && n_refused > 0);
}

/* Header, tables and code of this executable, truncated and changed. */
TEST(broken_objects)
{
	enum { PART = 1 << 16 };
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };
	unsigned char *bytes;
	uint64_t seed = 3;
	size_t n;

	assert_ok(file_read(&w.a, "/proc/self/exe", 1 << 30, &bytes, &n, &e),
		  &e);
	for (int i = 0; i < OBJECTS * times; i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct program p;
		size_t cut = n < PART ? n : PART;
		unsigned char *copy = arena_copy(&a, bytes, cut);

		for (uint32_t k = draw(&seed, 6); k > 0; k--)
			copy[draw(&seed, 256)] =
				(unsigned char)draw(&seed, 256);
		cut = 64 + draw(&seed, (uint32_t)cut - 64);
		e = (struct err){ 0 };
		if (object_is(copy, cut) &&
		    program_from_object(&a, w.c,
					&(struct code){ "x.o", copy, cut }, &p,
					&e) != ERR_OK)
			assert_part(e.message, "x.o");
	}
}

/* Deep nesting and endless repetition. */
TEST(deep_text)
{
	enum { DEEP = 100000 };
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };
	char *text = arena_alloc(&w.a, DEEP + 64, 1);
	size_t n = (size_t)sprintf(text, "\tmovq ");

	memset(text + n, '(', DEEP);
	(void)sprintf(text + n + DEEP, "%%rax), %%rcx\n");
	assert_int_equal(world_read(&w, text, &e), ERR_INPUT);
	assert_part(e.message, "loop.s:1:1001:");
	e = (struct err){ 0 };
	n = (size_t)sprintf(text, "\tmovq ");
	memset(text + n, '(', 900);
	(void)sprintf(text + n + 900, "%%rax), %%rcx\n");
	assert_int_equal(world_read(&w, text, &e), ERR_INPUT);
}

/* Entries of the x87's stack are read without an operand that names them, in
 * any rotation. */
TEST(register_stack)
{
	enum { MOST = 10 };
	static const char *const insns[] = {
		"fld %st(?)",  "fxch %st(?)",  "fstp %st(?)",
		"fst %st(?)",  "fld1",         "faddp %st, %st(?)",
		"fchs",        "fmul %st(?)",  "fyl2x",
		"fsincos",     "fscale",       "fcmovne %st(?), %st",
		"fcompp",      "fdecstp",      "fucomip %st(?), %st",
		"fldl (%rsi)", "fstpl (%rsi)", "fnstsw %ax",
	};
	static const char rotation[] =
		".L:\nfstp %st(4)\nfld %st(5)\nfld %st(3)\n"
		"faddp %st, %st(1)\nfaddp %st, %st(3)\n"
		"fld %st(4)\nfxch %st(4)\njne .L\n";
	SCOPED(world_close) struct world w = world_open("x86_64");
	uint64_t draws = 5;
	struct completion *k;
	struct err e = { 0 };

	assert_int_equal(import_llvm(&w.a, w.c, "znver3", &w.m, &e), ERR_OK);
	k = model_complete(&w.a, w.c, w.m, NULL);
	for (int i = 0; i < LOOPS * times; i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		SCOPED(buffer_free) struct buffer b = { 0 };
		struct source s;
		struct program p;

		if (i == 0)
			buffer_printf(&b, "%s", rotation);
		for (uint32_t n = i > 0 ? 1 + draw(&draws, MOST) : 0; n > 0;
		     n--) {
			const char *x = insns[draw(&draws, ARRAY_LEN(insns))];
			const char *at = strchr(x, '?');

			if (at)
				buffer_printf(&b, "%.*s%u%s\n", (int)(at - x),
					      x, (unsigned)draw(&draws, 8),
					      at + 1);
			else
				buffer_printf(&b, "%s\n", x);
		}
		buffer_add(&b, "", 1);
		if (source_read(&a, &(struct code){ "x.s", b.bytes, b.n - 1 },
				w.c->isa->loop, &s, &e) != ERR_OK ||
		    program_from_text(&a, w.c, w.parser, &s, &p, &e) != ERR_OK)
			fail_msg("%s", e.message);
		go_on(&a, &p, k, &draws);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		times = atoi(argv[1]);
	return unit_run(NULL);
}
