/* Text as written by compilers, people and other tools. */
#include "host/predict/program.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct loop_choice any = { .marker = MARKER_AUTO };

/* IACA's bytes in one directive as in its header, and in several as OSACA
 * writes them. */
TEST(marker_bytes)
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
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (world_find(&w, texts[i], &osaca, &e) != ERR_OK)
			fail_msg("%zu: %s", i, e.message);
		assert_int_equal(w.list.n, 1);
		assert_int_equal(w.list.loops[0].first, 1);
		assert_int_equal(w.list.loops[0].last, 2);
	}
	/* Other bytes, or bytes with code between them, are not markers. */
	assert_ok(world_find(&w,
			     "\tmovl $111, %ebx\n\t.byte 100\n\tnop\n"
			     "\t.byte 103,144\n\taddq $1, %rax\n",
			     &any, &e),
		  &e);
	assert_int_equal(w.source.n_marks, 0);
}

/* Numeric labels, as in inline assembly. */
TEST(numbered_labels)
{
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };

	assert_ok(world_find(&w,
			     "\tjmp 1f\n1:\taddq $1, %rax\n\tjne 1b\n"
			     "1:\taddq $1, %rcx\n\tnop\n\tjne 1b\n",
			     &any, &e),
		  &e);
	assert_int_equal(w.list.n, 2);
	assert_int_equal(w.list.loops[0].first, 1);
	assert_int_equal(w.list.loops[0].last, 2);
	assert_int_equal(w.list.loops[1].first, 3);
}

/* Intel syntax of gcc that LLVM does not read. */
TEST(gcc_intel)
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
		{ "\tmov\tedi, OFFSET FLAT:.LC3\n", "MOV32ri" },
		{ "\tcmp\trax, OFFSET FLAT:tab+64\n", "CMP64ri8" },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

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
}

/* Directives that change which lines exist are refused, however they are
 * written. */
TEST(conditions)
{
	static const char *const texts[] = {
		"\t.ifdef X\n\tnop\n\t.endif\n", "\t.ifndef X\n\tnop\n",
		"\t.IF 1\n\tnop\n\t.ENDIF\n",    "\t.else\n\tnop\n",
		"\t.REPT 3\n\tnop\n\t.ENDR\n",   "\t.Include \"x\"\n\tnop\n",
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct err e = { 0 };

		if (world_read(&w, texts[i], &e) != ERR_INPUT)
			fail_msg("taken: %s", texts[i]);
		assert_part(e.message, "loop.s:1:2:");
	}
}

/* clang -g prints data in comments, with any bytes. */
TEST(bytes_in_comments)
{
	static const char text[] = "\t.byte 0 # \0 \1\n"
				   "\taddq $1, %rax # \0 frobnicate\n"
				   "\tnop /* \0 */\n";
	static const char bad[] = "\tnop # \0\n\tnop \0\n";
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };
	struct source s;

	assert_ok(source_read(&w.a,
			      &(struct code){ "x.s", text, sizeof(text) - 1 },
			      w.c->isa->loop, &s, &e),
		  &e);
	assert_ok(program_from_text(&w.a, w.c, w.parser, &s, &w.program, &e),
		  &e);
	/* The byte may be of an instruction. */
	assert_int_equal(w.program.n, 3);
	assert_null(w.program.insns[0].instance.form);
	assert_int_equal(
		source_read(&w.a, &(struct code){ "x.s", bad, sizeof(bad) - 1 },
			    w.c->isa->loop, &s, &e),
		ERR_INPUT);
	assert_part(e.message, "x.s:2:6:");
}

/* A jump fuses with the comparison before it if it reads its result. */
TEST(fusion)
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
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		world_predict(&w, rows[i].text, usual);
		if (w.p.body.ops[1].fused != rows[i].fused)
			fail_msg("%s", rows[i].text);
	}
}

/* Object files of other kinds are distinguished from text. */
TEST(other_objects)
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
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err e = { 0 };
		struct program p;

		assert_true(object_is(rows[i].bytes, rows[i].n));
		assert_int_equal(program_from_object(
					 &w.a, w.c,
					 &(struct code){ "x.o", rows[i].bytes,
							 rows[i].n },
					 &p, &e),
				 ERR_INPUT);
		assert_part(e.message, "an ELF object file");
	}
}

/* Intel's syntax is recognised without a directive, unless most operands are
 * AT&T's. */
TEST(dialect_of_the_operands)
{
	static const struct {
		const char *text;
		enum source_dialect dialect;
	} rows[] = {
		{ "\tadd rax, rcx\n", DIALECT_INTEL },
		{ "\tvaddpd zmm0, zmm1, zmm2\n", DIALECT_INTEL },
		{ "\tinc r10d\n\tret\n", DIALECT_INTEL },
		{ "..B1.3: mov eax, DWORD PTR x[rip] #4.60\n", DIALECT_INTEL },
		{ "\taddq %rax, %rcx\n", DIALECT_ATT },
		{ "\tmovl $axis, %ecx\n", DIALECT_ATT },
		{ "\tret\n\tjmp axis\n", DIALECT_AUTO },
		{ "\t.intel_syntax noprefix\n\tadd rax, rcx\n", DIALECT_AUTO },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err e = { 0 };

		if (world_read(&w, rows[i].text, &e) != ERR_OK &&
		    i < ARRAY_LEN(rows) - 2)
			fail_msg("%zu: %s", i, e.message);
		assert_int_equal(w.source.dialect, rows[i].dialect);
	}
}

/* A listing of Microsoft's compiler: labels, jumps and instructions are
 * there. */
TEST(microsoft_listing)
{
	static const char text[] =
		"; Listing generated by Microsoft (R) Optimizing Compiler\r\n"
		"\tTITLE\tC:\\work\\k.c\r\n"
		"include listing.inc\r\nPUBLIC\t?g@@YAXPEAN0H@Z\r\n"
		"_TEXT\tSEGMENT\r\nn$ = 24\r\n"
		"?g@@YAXPEAN0H@Z PROC\t\t; g, COMDAT\r\n"
		"; Line 4\r\n"
		"\tmov\teax, DWORD PTR n$[rsp]\r\n"
		"\tmovsd\txmm1, QWORD PTR __real@4004000000000000\r\n"
		"\tnpad\t5\r\n"
		"$LL4@g:\r\n"
		"\tmovsd\txmm0, QWORD PTR [rdx]\r\n"
		"\tmulsd\txmm0, xmm1\r\n"
		"\tsub\trax, 1\r\n"
		"\tjne\tSHORT $LL4@g\r\n"
		"\tmov\tecx, OFFSET FLAT:$SG1\r\n"
		"\tret\t0\r\n"
		"?g@@YAXPEAN0H@Z ENDP\r\n_TEXT\tENDS\r\nEND\r\n";
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };

	assert_ok(world_find(&w, text, &any, &e), &e);
	assert_int_equal(w.program.n, 8);
	assert_int_equal(w.list.n, 1);
	assert_int_equal(w.list.loops[0].first, 2);
	assert_int_equal(w.list.loops[0].last, 5);
	assert_true(w.list.loops[0].closed);
	assert_string_equal(w.list.loops[0].label, "_LL4_g");
	assert_int_equal(w.program.insns[2].line, 13);
}

/* What objdump prints is decoded from its machine code. */
TEST(disassemblies)
{
	static const struct {
		const char *isa, *text;
		size_t n, first, last;
	} rows[] = {
		/* GNU objdump; an instruction on two lines, two sections. */
		{ "x86_64",
		  "\nk.o:     file format elf64-x86-64\n\n\n"
		  "Disassembly of section .text:\n\n"
		  "0000000000000000 <f>:\n"
		  "   0:\t62 f1 f5 48 58 84 24 \tvaddpd 0x1000(%rsp),%zmm1,%zmm0\n"
		  "   7:\t00 10 00 00 \n"
		  "   b:\t48 ff c8             \tdec    %rax\n"
		  "   e:\t75 fb                \tjne    b <f+0xb>\n"
		  "  10:\tc3                   \tret\n\n"
		  "Disassembly of section .text.g:\n\n"
		  "0000000000000000 <g>:\n"
		  "   0:\tf3 0f 1e fa          \tendbr64\n"
		  "\t...\n",
		  5, 1, 2 },
		{ "x86_64",
		  "0000000000000000 <f>:\n"
		  "       0: 48 ff c8                     \tdecq\t%rax\n"
		  "       3: 75 fb                        \tjne\t0x0 <f>\n",
		  2, 0, 1 },
		{ "aarch64",
		  "0000000000400000 <f>:\n"
		  "  400000:\tf1000421 \tsubs\tx1, x1, #0x1\n"
		  "  400004:\t54ffffe1 \tb.ne\t400000 <f>  // b.any\n",
		  2, 0, 1 },
		{ "riscv64",
		  "0000000000010000 <f>:\n"
		  "   10000:\t157d                \taddi\ta0,a0,-1\n"
		  "   10002:\tfe051fe3          \tbnez\ta0,10000 <f>\n",
		  2, 0, 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(world_close) struct world w = world_open(rows[i].isa);
		size_t n = strlen(rows[i].text);
		struct err e = { 0 };

		assert_true(disassembly_is(rows[i].text, n));
		if (program_from_disassembly(
			    &w.a, w.c,
			    &(struct code){ "x.dump", rows[i].text, n },
			    &w.program, &e) != ERR_OK ||
		    loops_find(&w.a, &w.program, &any, &w.list, &e) != ERR_OK)
			fail_msg("%zu: %s", i, e.message);
		assert_int_equal(w.program.n, rows[i].n);
		assert_int_equal(w.list.loops[0].first, rows[i].first);
		assert_int_equal(w.list.loops[0].last, rows[i].last);
		assert_true(w.list.loops[0].closed);
	}
}

TEST(disassembly_without_code)
{
	static const char text[] = "0000000000000000 <f>:\n"
				   "   0:\tdec    %rax\n";
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };

	assert_int_equal(
		program_from_disassembly(
			&w.a, w.c,
			&(struct code){ "x.dump", text, sizeof(text) - 1 },
			&w.program, &e),
		ERR_INPUT);
	assert_string_equal(e.message,
			    "x.dump:2: no machine code behind the address; run "
			    "objdump without --no-show-raw-insn");
}

/* Marks of one kind may enclose those of another. */
TEST(nested_marks)
{
	static const char text[] =
		"# LLVM-MCA-BEGIN outer\n\tnop\n# OSACA-BEGIN\n"
		".L1:\taddq $1, %rax\n\tjne .L1\n"
		"# OSACA-END\n# LLVM-MCA-END\n";
	struct loop_choice osaca = { .marker = MARKER_OSACA };
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct err e = { 0 };

	assert_ok(world_find(&w, text, &any, &e), &e);
	assert_int_equal(w.list.n, 2);
	assert_ok(world_find(&w, text, &osaca, &e), &e);
	assert_int_equal(w.list.n, 1);
	assert_int_equal(w.list.loops[0].first, 1);
}
