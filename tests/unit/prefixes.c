/* Prefixes that make another form (isa.whole_form). */
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

/* As text and as bytes; a form of NULL: the catalogue has none for it. */
static const struct {
	const char *text, *form;
	size_t n;
	unsigned char code[8];
} rows[] = {
	{ "lock addq $1, (%rsi)",
	  "LOCK_ADD64mi8",
	  5,
	  { 0xf0, 0x48, 0x83, 0x06, 1 } },
	{ "lock; addq $1, (%rsi)",
	  "LOCK_ADD64mi8",
	  5,
	  { 0xf0, 0x48, 0x83, 0x06, 1 } },
	{ "lock\n\taddq $1, (%rsi)",
	  "LOCK_ADD64mi8",
	  5,
	  { 0xf0, 0x48, 0x83, 0x06, 1 } },
	{ "lock addw $1, (%rsi)",
	  "LOCK_ADD16mi8",
	  5,
	  { 0xf0, 0x66, 0x83, 0x06, 1 } },
	{ "lock addw $1, (%rsi)",
	  "LOCK_ADD16mi8",
	  5,
	  { 0x66, 0xf0, 0x83, 0x06, 1 } },
	{ "xacquire lock incq (%rsi)",
	  "LOCK_INC64m",
	  5,
	  { 0xf2, 0xf0, 0x48, 0xff, 0x06 } },
	{ "lock xaddq %rax, (%rsi)",
	  "LXADD64",
	  5,
	  { 0xf0, 0x48, 0x0f, 0xc1, 0x06 } },
	{ "lock cmpxchg16b (%rsi)",
	  "LCMPXCHG16B",
	  5,
	  { 0xf0, 0x48, 0x0f, 0xc7, 0x0e } },
	/* Locked with and without the prefix. */
	{ "lock xchgq %rax, (%rsi)",
	  "XCHG64rm",
	  4,
	  { 0xf0, 0x48, 0x87, 0x06 } },
	{ "rep movsb", "REP_MOVSB_64", 2, { 0xf3, 0xa4 } },
	{ "rep stosl", "REP_STOSD_64", 2, { 0xf3, 0xab } },
	{ "repne scasb", NULL, 2, { 0xf2, 0xae } },
	/* It repeats nothing. */
	{ "rep ret", "RET64", 2, { 0xf3, 0xc3 } },
	{ "movsbl %al, %ecx", "MOVSX32rr8", 3, { 0x0f, 0xbe, 0xc8 } },
};

static void check(const char *text, const struct program *p, const char *form)
{
	if (p->n != 1)
		fail_msg("%s: %zu instructions", text, p->n);
	if (!form && p->insns[0].instance.form)
		fail_msg("%s: %s", text, p->insns[0].instance.form->name);
	if (!form)
		return;
	if (!p->insns[0].instance.form)
		fail_msg("%s: no form", text);
	assert_string_equal(p->insns[0].instance.form->name, form);
}

TEST(text_and_bytes_are_the_whole_instruction)
{
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct program bytes = { .c = w.c };
		struct err e = { 0 };
		char text[128];

		(void)snprintf(text, sizeof(text), "\t%s\n", rows[i].text);
		if (world_read(&w, text, &e) != ERR_OK)
			fail_msg("%s: %s", rows[i].text, e.message);
		check(rows[i].text, &w.program, rows[i].form);
		if (program_add_bytes(
			    &w.a, &bytes,
			    &(struct code){ "x", rows[i].code, rows[i].n }, 0,
			    DATA_REFUSED, &e) != ERR_OK)
			fail_msg("%s: %s", rows[i].text, e.message);
		check(rows[i].text, &bytes, rows[i].form);
		assert_int_equal(bytes.insns[0].n_code, rows[i].n);
	}
	assert_int_equal(world_read(&w, "\tlock\n\taddq $1, (%rsi)\n",
				    &(struct err){ 0 }),
			 ERR_OK);
	assert_string_equal(w.program.insns[0].text, "lock addq $1, (%rsi)");
	assert_int_equal(world_read(&w, "\txacquire\n\tlock\n\tincq (%rsi)\n",
				    &(struct err){ 0 }),
			 ERR_OK);
	assert_string_equal(w.program.insns[0].text,
			    "xacquire lock incq (%rsi)");
}

/* Every form with a prefix that can be encoded is what its bytes are. */
TEST(forms_with_a_prefix_are_found_again)
{
	SCOPED(world_close) struct world w = world_open("x86_64");
	size_t n = 0;

	for (size_t i = 0; i < w.c->n_forms; i++) {
		const struct form *f = &w.c->forms[i];
		unsigned char code[MC_MAX_CODE];
		char name[ISA_NAME_ROOM];
		struct instance in, seen;
		size_t skip, size;

		if (f->status != FORM_MEASURABLE ||
		    !w.c->isa->behind_prefix(f, code, 0, name, &skip) ||
		    !form_example(w.c, f, 0, &in))
			continue;
		size = instance_encode(w.c, &in, code, sizeof(code));
		assert_true(size > 0);
		assert_int_equal(instance_decode_whole(w.c, code, size, &seen),
				 size);
		if (seen.form != f)
			fail_msg("%s: %s", f->name,
				 seen.form ? seen.form->name : "no form");
		n++;
	}
	assert_true(n > 50);
}

/* Nothing behind it: it stays an instruction, as its bytes are. */
TEST(a_prefix_at_the_end_stays_one)
{
	static const unsigned char code[] = { 0x90, 0xf0 };
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct program p = { .c = w.c };
	struct err e = { 0 };

	assert_ok(program_add_bytes(&w.a, &p,
				    &(struct code){ "x", code, sizeof(code) },
				    0, DATA_REFUSED, &e),
		  &e);
	assert_int_equal(p.n, 2);
	assert_string_equal(p.insns[1].instance.form->name, "LOCK_PREFIX");
	assert_int_equal(world_read(&w, "\tnop\n\tlock\n", &e), ERR_OK);
	assert_int_equal(w.program.n, 2);
	assert_string_equal(w.program.insns[1].instance.form->name,
			    "LOCK_PREFIX");
	assert_string_equal(w.program.insns[1].text, "lock");
	assert_int_equal(w.program.insns[1].line, 2);
}

/* More of them than an instruction has bytes, in an object: nothing is refused,
 * and every byte is read. */
TEST(prefixes_without_end_are_cut)
{
	enum { N = 300 };
	unsigned char code[N];
	SCOPED(world_close) struct world w = world_open("x86_64");
	struct program p = { .c = w.c };
	struct err e = { 0 };
	size_t n = 0;

	memset(code, 0xf0, sizeof(code));
	assert_ok(program_add_bytes(&w.a, &p, &(struct code){ "x", code, N }, 0,
				    DATA_SKIPPED, &e),
		  &e);
	for (size_t i = 0; i < p.n; i++) {
		assert_true(p.insns[i].n_code > 0);
		n += p.insns[i].n_code;
	}
	assert_int_equal(n, N);
}
