/* No expression ends the process in LLVM's parser, of three instruction sets
 * and in both dialects of x86. */
#include "tests/unit/parse_bench.h"

enum { EXPRESSIONS = 3000 }; /* per row of `grammars` */

static const struct expression_case {
	const char *isa;
	unsigned dialect;
	const char *text;
	int status;
} cases[] = {
	{ "x86_64", 1, "mov eax, 5/0", ERR_INPUT },
	{ "x86_64", 1, "mov eax, 5 mod 0", ERR_INPUT },
	{ "x86_64", 1, "mov eax, 5 MOD (1-1)", ERR_INPUT },
	{ "x86_64", 1, "mov eax, [rax + 8/(4-4)]", ERR_INPUT },
	{ "x86_64", 1, "mov eax, (-9223372036854775807-1)/-1", ERR_INPUT },
	{ "x86_64", 1, "mov eax, 5/0xffffffffffffffff", ERR_INPUT },
	{ "x86_64", 1, "mov eax, not not 1", ERR_INPUT },
	{ "x86_64", 1, "mov eax, 4 % not 0xffffffffffffffff", ERR_INPUT },
	{ "x86_64", 1, "mov eax, 4 / not 0xffffffffffffffff", ERR_INPUT },
	{ "x86_64", 1, "mov eax, 4 mod not 0xffffffffffffffff", ERR_INPUT },
	{ "x86_64", 1, "mov eax, - not 1", ERR_INPUT },
	{ "x86_64", 1, "mov eax, ~~1", ERR_INPUT },
	{ "x86_64", 1, "mov eax, - - 1", ERR_INPUT },
	{ "x86_64", 1, "mov eax, 5 +", ERR_INPUT },
	{ "x86_64", 1, "mov eax, not", ERR_INPUT },
	{ "x86_64", 1, "mov eax, [rax + ]", ERR_INPUT },
	{ "x86_64", 1, "mov eax, (5 xor)", ERR_INPUT },
	{ "x86_64", 1, "mov eax, 6/2 + not 1", ERR_OK },
	{ "x86_64", 1, "mov eax, -(3 mod 2)", ERR_OK },
	{ "x86_64", 1, "lock or dword ptr [rsp-8], 0", ERR_OK },
	{ "x86_64", 1, "lock not dword ptr [rsp]", ERR_OK },
	{ "x86_64", 1, "mov rax, qword ptr fs:[-8]", ERR_OK },
	{ "x86_64", 1, "vmovaps zmm1{k1}{z}, zmmword ptr [rax+rcx*8-64]",
	  ERR_OK },
	{ "x86_64", 1, "vaddps zmm1, zmm2, zmm3, {rn-sae}", ERR_OK },
	{ "x86_64", 0, "mov $5/0, %eax", ERR_INPUT },
	{ "x86_64", 0, "mov $(-9223372036854775807-1)/-1, %eax", ERR_INPUT },
	{ "x86_64", 0, "mov $(-9223372036854775807-1)%(-1), %eax", ERR_INPUT },
	{ "x86_64", 0, "mov (-9223372036854775807-1)/-1(%rax), %eax",
	  ERR_INPUT },
	{ "x86_64", 0, "mov $1 << 200, %eax", ERR_OK },
	{ "x86_64", 0, "mov $64/8-1, %eax", ERR_OK },
	{ "x86_64", 0, "mov foo+64/8(%rip), %eax", ERR_OK },
	{ "x86_64", 0, "lock addq $1, (%rax)", ERR_OK },
	{ "x86_64", 0, "jmp *%fs:8(%rax)", ERR_OK },
	{ "aarch64", 0, "mov x0, #(-9223372036854775807-1)/-1", ERR_INPUT },
	{ "aarch64", 0, "ldr x0, [x1, #64/8]", ERR_OK },
	{ "aarch64", 0, "add z0.d, p0/m, z0.d, z1.d", ERR_OK },
	{ "aarch64", 0, "ld1d {z0.d}, p0/z, [x0, x1, lsl #3]", ERR_OK },
	{ "riscv64", 0, "li a0, (-9223372036854775807-1)/-1", ERR_INPUT },
	{ "riscv64", 0, "addi a0, a0, 1 % (1-2)", ERR_INPUT },
	{ "riscv64", 0, "lw a0, %lo(foo+4)(a1)", ERR_OK },
	{ "riscv64", 0, "li a0, 64/8", ERR_OK },
	{ "x86_64", 0, "4294967295: nop", ERR_INPUT },
	{ "x86_64", 0, "0x7fffffffffffffff: nop", ERR_INPUT },
	{ "x86_64", 0, "jmp 4294967294f", ERR_INPUT },
	{ "x86_64", 1, "jmp 4294967295 b", ERR_INPUT },
	{ "x86_64", 0, "2147483647: jmp 2147483647b", ERR_OK },
	{ "aarch64", 0, "b 0xffffffffb", ERR_INPUT },
	{ "riscv64", 0, "j 4294967295f", ERR_INPUT },
};

TEST(expressions)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct expression_case *c = &cases[i];
		struct mc_parser *p = open_parser(c->isa);
		struct err e = { 0 };
		int status = parse(p, c->text, c->dialect, &e);

		if (status != c->status)
			fail_msg("%s: %d, %s", c->text, status, e.message);
		mc_parser_close(p);
	}
}

TEST(nesting_is_limited)
{
	static const struct {
		const char *isa, *before, *each;
		unsigned dialect;
	} rows[] = {
		{ "x86_64", "mov $", "(", 0 },
		{ "x86_64", "mov $", "-", 0 },
		{ "x86_64", "mov $", "-(", 0 },
		{ "x86_64", "mov $", "1+", 0 },
		{ "x86_64", "mov eax, ", "(", 1 },
		{ "x86_64", "mov eax, ", "[", 1 },
		{ "x86_64", "mov eax, ", "1+", 1 },
		{ "aarch64", "mov x0, #", "~(", 0 },
		{ "aarch64", "ldr x0, [x1, #", "(", 0 },
		{ "riscv64", "li a0, ", "(", 0 },
		{ "riscv64", "lw a0, ", "%lo(", 0 },
		{ "x86_64", "mov ", "%eax,", 0 },
	};
	enum { N = 30000 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct mc_parser *p = open_parser(rows[i].isa);
		SCOPED(buffer_free) struct buffer b = { 0 };
		struct err e = { 0 };

		buffer_printf(&b, "\t%s", rows[i].before);
		for (int k = 0; k < N; k++)
			buffer_printf(&b, "%s", rows[i].each);
		buffer_add(&b, "1\n", 3);
		if (parse(p, (const char *)b.bytes, rows[i].dialect, &e) !=
		    ERR_INPUT)
			fail_msg("%s: not refused", rows[i].each);
		mc_parser_close(p);
	}
}

TEST(tokens_are_limited)
{
	static const struct {
		int tokens;
		bool refused;
	} rows[] = { { 1023, false }, { 1024, false }, { 1025, true } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct mc_parser *p = open_parser("x86_64");
		SCOPED(buffer_free) struct buffer b = { 0 };
		struct err e = { 0 };

		buffer_printf(&b, "\tmov ");
		for (int k = 0; k < rows[i].tokens; k++)
			buffer_printf(&b, "%s", k % 2 ? "," : "1");
		buffer_add(&b, "\n", 2);
		(void)parse(p, (const char *)b.bytes, 0, &e);
		assert_int_equal(strstr(e.message, "1024 tokens") != NULL,
				 rows[i].refused);
		mc_parser_close(p);
	}
}

/* ---- random expressions ------------------------------------------------- */

static uint32_t draw(uint64_t *state, uint32_t n)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (uint32_t)((z ^ z >> 31) % n);
}

/* Statements with gaps (?) and what may fill them. */
static const struct grammar {
	const char *isa;
	unsigned dialect;
	const char *statements[16];
	const char *words; /* a semicolon between them */
} grammars[] = {
	{ .isa = "x86_64",
	  .dialect = 0,
	  .statements = { "mov $?, %eax", "mov ?(%rax), %ecx", "mov ?, %ecx",
			  "jmp ?", "jmp *?", "lea foo+?(,%rax,?), %rax",
			  "vpermq $?, %ymm0, %ymm1", "lock add $?, ?",
			  "mov %fs:?, %rax", "rep ?", "? (%rax), %rax",
			  "vaddps ?, %zmm1, %zmm2{?}", "call ?" },
	  .words = "5;0;-1;1;(;);[;];/;%;*;+;-;~;!;<<;>>;&&;||;&;|;^;==;!=;<;"
		   ">;<=;>=;<>;foo;.L1;1f;1b;%rax;$;,;{;};:;#;\"a\";'a';.;@;"
		   "foo@PLT;0x7fffffffffffffff;-9223372036854775808;"
		   "0xffffffffffffffffffff;1.5;%st(1);{k1};@GOTPCREL;=;%;/;..;"
		   "\\;$0" },
	{ .isa = "x86_64",
	  .dialect = 1,
	  .statements = { "mov eax, ?", "mov eax, [?]", "mov ?, eax", "jmp ?",
			  "mov eax, dword ptr [rax+?]", "mov eax, foo[?]",
			  "lock or ?", "mov eax, fs:?", "lea rax, [?+rcx*?]",
			  "vaddps zmm0, zmm1, ?", "call ? ptr [?]", "rep ?",
			  "mov eax, offset ?" },
	  .words = "5;0;-1;1;(;);[;];/;mod;*;+;-;~;not;shl;shr;and;or;xor;eq;"
		   "ne;lt;le;gt;ge;rax;ecx;foo;.L1;offset;dword ptr;type;size;"
		   "length;{k1};,;:;fs:;.;\"a\";'a';0x7fffffffffffffff;"
		   "-9223372036854775808;%;NOT;MOD;1f;short;st(1);{;};rip;"
		   "4*rax;rax*8;.x;@;$;!;ptr;!=;0ffh" },
	{ .isa = "aarch64",
	  .dialect = 0,
	  .statements = { "mov x0, #?", "ldr x0, [x1, #?]", "ldr x0, =?", "b ?",
			  "add x0, x1, :lo12:?", "fmov d0, #?",
			  "add x0, x1, x2, lsl #?", "adrp x0, ?",
			  "ld1 {?}, [x0]", "mov z0.d, p0/?, z1.d",
			  "ldr x0, [x1, ?]!", "movk x0, ?, lsl ?", "cmp ?, ?",
			  "prfm ?, [x0]", "msr ?, x0" },
	  .words =
		  "5;0;-1;1;(;);[;];/;%;*;+;-;~;!;<<;>>;&&;||;&;|;^;==;!=;<;"
		  ">;<=;>=;x1;foo;.L1;1f;1b;v0.4s;#;,;{;};:;lsl;:lo12:;"
		  ":abs_g0:;p0/m;z0.d;0x7fffffffffffffff;"
		  "-9223372036854775808;1.5;sp;mul vl;\"a\";'a';.;foo@PAGE;"
		  "0xffffffffffffffffffff;pldl1keep;s3_0_c1_c2_3;lo;=;:;:got:" },
	{ .isa = "riscv64",
	  .dialect = 0,
	  .statements = { "li a0, ?", "lw a0, ?(a1)", "addi a0, a0, ?",
			  "beq a0, a1, ?", "lui a0, ?", "j ?", "call ?",
			  "la a0, ?", "vsetvli a0, a1, ?, m1, ta, ma",
			  "csrr a0, ?", "auipc a0, ?", "vadd.vi v0, v1, ?",
			  "sd a0, ?", "fli.s fa0, ?", "fence ?, ?",
			  ".option ?" },
	  .words = "5;0;-1;1;(;);[;];/;%;*;+;-;~;!;<<;>>;&&;||;&;|;^;==;!=;<;"
		   ">;<=;>=;a0;foo;.L1;1f;1b;%lo(;%pcrel_hi(;,;%hi(;"
		   "%pcrel_lo(;e64;v0.t;push;pop;arch;+c;norvc;rv64gcv;"
		   "0x7fffffffffffffff;-9223372036854775808;1.5;fa0;mstatus;"
		   "\"a\";'a';.;foo@plt;0xffffffffffffffffffff;%tprel_add(;"
		   "%got_pcrel_hi(;rw;=;inf;relax" },
};

static unsigned filled(const char *const *list, unsigned room)
{
	unsigned n = 0;

	while (n < room && list[n])
		n++;
	return n;
}

static void add_word(struct buffer *b, const char *words, uint32_t i)
{
	while (i-- > 0)
		words = strchr(words, ';') + 1;
	buffer_add(b, words, strcspn(words, ";"));
}

static unsigned count_words(const char *words)
{
	unsigned n = 1;

	while ((words = strchr(words, ';')) && words++)
		n++;
	return n;
}

static void fill(uint64_t *state, const struct grammar *g, struct buffer *b)
{
	const char *s = g->statements[draw(
		state, filled(g->statements, ARRAY_LEN(g->statements)))];
	unsigned n_words = count_words(g->words);

	buffer_printf(b, "1:\n\t");
	for (; *s != '\0'; s++) {
		if (*s != '?') {
			buffer_add(b, s, 1);
			continue;
		}
		for (uint32_t n = 1 + draw(state, 7); n > 0; n--) {
			add_word(b, g->words, draw(state, n_words));
			if (draw(state, 4))
				buffer_add(b, " ", 1);
		}
	}
	buffer_add(b, "\n", 2);
}

TEST(random_expressions)
{
	for (size_t i = 0; i < ARRAY_LEN(grammars); i++) {
		const struct grammar *g = &grammars[i];
		struct mc_parser *p = open_parser(g->isa);
		unsigned n_read = 0;
		uint64_t seed = i;

		for (int k = 0; k < EXPRESSIONS; k++) {
			SCOPED(buffer_free) struct buffer b = { 0 };
			struct err e = { 0 };

			fill(&seed, g, &b);
			if (parse(p, (const char *)b.bytes, g->dialect, &e) ==
			    ERR_OK)
				n_read++;
			else
				assert_true(e.message[0] != '\0');
		}
		assert_in_range(n_read, EXPRESSIONS / 100, EXPRESSIONS / 2);
		mc_parser_close(p);
	}
}
