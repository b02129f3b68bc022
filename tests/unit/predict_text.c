/* Text as written by compilers, people and other tools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "host/predict/object.h"
#include "tests/unit/predict_world.h"

static const struct loop_choice any = { .marker = MARKER_AUTO };

/* IACA's bytes in one directive as in its header, and in several as OSACA
 * writes them. */
static void test_marker_bytes(void **state)
{
	static const char *const texts[] = {
		"\tmovl $111, %ebx\n\t.byte 0x64, 0x67, 0x90\n"
		".L1:\taddq $1, %rax\n\tjne .L1\n"
		"\tmovl $222, %ebx\n\t.byte 0x64,0x67,0x90\n\tret\n",
		"\tmovl      $111, %ebx # OSACA START MARKER\n"
		"\t.byte     100        # OSACA START MARKER\n"
		"\t.byte     103        # OSACA START MARKER\n"
		"\t.byte     144        # OSACA START MARKER\n"
		".L1:\taddq $1, %rax\n\tjne .L1\n"
		"\tmovl      $222, %ebx # OSACA END MARKER\n"
		"\t.byte     100        # OSACA END MARKER\n"
		"\t.byte     103        # OSACA END MARKER\n"
		"\t.byte     144        # OSACA END MARKER\n\tret\n",
	};
	struct loop_choice osaca = { .marker = MARKER_OSACA };
	struct world w = world_open("x86_64");
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (world_find(&w, texts[i], &osaca, &e) != ERR_OK)
			fail_msg("%zu: %s", i, e.message);
		assert_int_equal(w.n_loops, 1);
		assert_int_equal(w.loops[0].first, 1);
		assert_int_equal(w.loops[0].last, 2);
	}
	/* Other bytes, or bytes with code between them, are not markers. */
	assert_int_equal(world_find(&w,
				    "\tmovl $111, %ebx\n\t.byte 100\n\tnop\n"
				    "\t.byte 103,144\n\taddq $1, %rax\n",
				    &any, &e),
			 ERR_OK);
	assert_int_equal(w.source.n_marks, 0);
	world_close(&w);
}

/* Numeric labels, as in inline assembly. */
static void test_numbered_labels(void **state)
{
	struct world w = world_open("x86_64");
	struct err e = { 0 };

	(void)state;
	if (world_find(&w,
		       "\tjmp 1f\n1:\taddq $1, %rax\n\tjne 1b\n"
		       "1:\taddq $1, %rcx\n\tnop\n\tjne 1b\n",
		       &any, &e) != ERR_OK)
		fail_msg("%s", e.message);
	assert_int_equal(w.n_loops, 2);
	assert_int_equal(w.loops[0].first, 1);
	assert_int_equal(w.loops[0].last, 2);
	assert_int_equal(w.loops[1].first, 3);
	world_close(&w);
}

/* Intel syntax of gcc that LLVM does not read. */
static void test_gcc_intel(void **state)
{
	static const struct {
		const char *text, *form;
	} rows[] = {
		{ "\tmovsx\trax, DWORD PTR [rsi]\n", "MOVSX64rm32" },
		{ "\tmovsx\trdx, edi\n", "MOVSX64rr32" },
		{ "x:movsx\tr9, r10d\n", NULL },
		{ "\tmovsx\trax, BYTE PTR [rsi]\n", "MOVSX64rm8" },
		{ "\tmovsx\teax, di\n", "MOVSX32rr16" },
		{ "\tcall\t[QWORD PTR 56[rax]]\n", "CALL64m" },
		{ "\tjmp\t[QWORD PTR .L4[0+rax*8]]\n", "JMP64m" },
		{ "\tjmp\t[rax]\n", "JMP64m" },
	};
	struct world w = world_open("x86_64");

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char text[128];
		struct err e = { 0 };

		(void)snprintf(text, sizeof(text),
			       "\t.intel_syntax noprefix\n%s", rows[i].text);
		if (!rows[i].form) {
			/* There is no space for the missing letter. */
			assert_int_equal(world_read(&w, text, &e), ERR_INPUT);
			continue;
		}
		if (world_read(&w, text, &e) != ERR_OK)
			fail_msg("%s%s", rows[i].text, e.message);
		assert_string_equal(w.program.insns[0].instance.form->name,
				    rows[i].form);
	}
	world_close(&w);
}

/* Directives that change which lines exist are refused, however they are
 * written. */
static void test_conditions(void **state)
{
	static const char *const texts[] = {
		"\t.ifdef X\n\tnop\n\t.endif\n", "\t.ifndef X\n\tnop\n",
		"\t.IF 1\n\tnop\n\t.ENDIF\n",    "\t.else\n\tnop\n",
		"\t.REPT 3\n\tnop\n\t.ENDR\n",   "\t.Include \"x\"\n\tnop\n",
	};
	struct world w = world_open("x86_64");

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct err e = { 0 };

		if (world_read(&w, texts[i], &e) != ERR_INPUT)
			fail_msg("taken: %s", texts[i]);
		assert_non_null(strstr(e.message, "loop.s:1:2:"));
	}
	world_close(&w);
}

/* clang -g prints data in comments, with any bytes. */
static void test_bytes_in_comments(void **state)
{
	static const char text[] = "\t.byte 0 # \0 \1\n"
				   "\taddq $1, %rax # \0 frobnicate\n"
				   "\tnop /* \0 */\n";
	static const char bad[] = "\tnop # \0\n\tnop \0\n";
	struct world w = world_open("x86_64");
	struct err e = { 0 };
	struct source s;

	(void)state;
	assert_int_equal(source_read(&w.a, "x.s", text, sizeof(text) - 1,
				     w.c->isa->loop, &s, &e),
			 ERR_OK);
	assert_int_equal(program_from_text(&w.a, w.c, w.parser, &s, false,
					   &w.program, &e),
			 ERR_OK);
	assert_int_equal(w.program.n, 2);
	assert_int_equal(source_read(&w.a, "x.s", bad, sizeof(bad) - 1,
				     w.c->isa->loop, &s, &e),
			 ERR_INPUT);
	assert_non_null(strstr(e.message, "x.s:2:6:"));
	world_close(&w);
}

/* A jump fuses with the comparison before it if it reads its result. */
static void test_fusion(void **state)
{
	static const struct {
		const char *text;
		bool fused;
	} rows[] = {
		{ "\tcmpl $1000000000, %eax\n\tjne x\n", true },
		{ "\tcmpq (%rsi), %rax\n\tjb x\n", true },
		{ "\tcmpq $5, (%rsi)\n\tjb x\n", false },
		{ "\ttestq %rax, %rax\n\tjs x\n", true },
		{ "\ttestl $1000000, %eax\n\tje x\n", true },
		{ "\tsubq $1, %rax\n\tjg x\n", true },
		{ "\tsubq $1, %rax\n\tjs x\n", false },
		{ "\tdecq %rax\n\tjne x\n", true },
		{ "\tdecq %rax\n\tjb x\n", false },
		{ "\txorq %rcx, %rax\n\tjne x\n", false },
	};
	const struct predict_options usual = { 0 };
	struct world w = world_open("x86_64");

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		world_predict(&w, rows[i].text, usual);
		if (w.p.body.ops[1].fused != rows[i].fused)
			fail_msg("%s", rows[i].text);
	}
	world_close(&w);
}

/* Object files of other kinds are distinguished from text. */
static void test_other_objects(void **state)
{
	static const unsigned char macho[] = {
		0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 1, 0, 0, 0,
		0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	};
	static const unsigned char archive[] = "!<arch>\nxxxxxxxx";
	static const struct {
		const unsigned char *bytes;
		size_t n;
	} rows[] = { { macho, sizeof(macho) }, { archive, sizeof(archive) } };
	struct world w = world_open("x86_64");

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err e = { 0 };
		struct program p;

		assert_true(object_is(rows[i].bytes, rows[i].n));
		assert_int_equal(program_from_object(&w.a, w.c, "x.o",
						     rows[i].bytes, rows[i].n,
						     &p, &e),
				 ERR_INPUT);
		assert_non_null(strstr(e.message, "an ELF object file"));
	}
	world_close(&w);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marker_bytes),
		cmocka_unit_test(test_numbered_labels),
		cmocka_unit_test(test_gcc_intel),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_bytes_in_comments),
		cmocka_unit_test(test_fusion),
		cmocka_unit_test(test_other_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
