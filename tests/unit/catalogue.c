/* The catalogues of forms: their contents; every measurable form survives
 * encoding and decoding. */
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

static bool clash(const struct reg *a, const struct reg *b)
{
	return a->bank == b->bank && a->index < b->index + b->span &&
	       b->index < a->index + a->span;
}

/* Does register r serve a fixed operand or one of the first n? */
static bool taken(const struct catalogue *c, const struct instance *x,
		  unsigned n, uint16_t r)
{
	for (unsigned i = 0; i < x->form->n_operands; i++) {
		uint16_t other = x->form->operands[i].fixed_reg;

		if (other == REG_NONE && i < n)
			other = x->reg[i];
		if (other != REG_NONE && clash(&c->regs[other], &c->regs[r]))
			return true;
	}
	return false;
}

/* Optional indices are present in every other turn. */
static bool is_register(const struct operand *o, unsigned turn)
{
	return o->kind == OPERAND_REG || o->role == ROLE_BASE ||
	       o->role == ROLE_INDEX || o->role == ROLE_ADDRESSES ||
	       (o->role == ROLE_OPTIONAL_INDEX && turn % 2);
}

/* An assignment with other registers for each turn. */
static void assign(const struct catalogue *c, const struct form *f,
		   unsigned turn, struct instance *x)
{
	*x = (struct instance){ .form = f };
	for (unsigned i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];
		const struct reg_class *k;

		x->imm[i] = o->imm;
		x->reg[i] = o->fixed_reg;
		if (!is_register(o, turn) || o->fixed_reg != REG_NONE)
			continue;
		k = &c->classes[o->reg_class];
		assert_true(k->n_regs > 0);
		for (unsigned m = k->n_regs; m-- > 0;) {
			uint16_t r = k->regs[(m + turn) % k->n_regs];

			if (x->reg[i] == REG_NONE || !taken(c, x, i, r))
				x->reg[i] = r;
		}
		if (o->tied_to >= 0)
			x->reg[i] = x->reg[o->tied_to];
	}
}

static void check_round_trips(const char *isa, size_t at_least)
{
	const struct catalogue *c = catalogue_of(isa);
	size_t n = 0, lost = 0;

	for (size_t i = 0; i < c->n_forms; i++) {
		/* Other values have the same bytes as their form. */
		if (c->forms[i].status != FORM_MEASURABLE ||
		    !form_chosen(&c->forms[i], families_default()))
			continue;
		n++;
		for (unsigned turn = 0; turn < 32; turn += 3) {
			struct instance x;

			assign(c, &c->forms[i], turn, &x);
			if (!instance_round_trips(c, &x)) {
				print_error("%s, turn %u\n", x.form->name,
					    turn);
				lost++;
			}
		}
	}
	assert_int_equal(lost, 0);
	assert_true(n >= at_least);
}

TEST(x86_64_round_trips)
{
	check_round_trips("x86_64", 17000);
}

TEST(aarch64_round_trips)
{
	check_round_trips("aarch64", 5100);
}

TEST(riscv64_round_trips)
{
	check_round_trips("riscv64", 11000);
}

/* No opcode is missing, and no form is lost between encoder and decoder. */
TEST(every_form_has_its_reason)
{
	for (size_t i = 0; isas[i]; i++) {
		struct catalogue *c = catalogue_of(isas[i]->name);
		size_t n[FORM_N_STATUS] = { 0 };

		size_t n_first = 0;

		for (size_t k = 0; k < c->n_forms; k++) {
			/* One of several variants represents the opcode. */
			n_first += c->by_opcode[c->forms[k].opcode] == k;
			assert_true(c->forms[k].status < FORM_N_STATUS);
			n[c->forms[k].status]++;
			if (k > 0)
				assert_true(strcmp(c->forms[k - 1].name,
						   c->forms[k].name) < 0);
			if (c->forms[k].status == FORM_MEASURABLE)
				assert_true(c->forms[k].example[0] != '\0');
		}
		assert_int_equal(n_first + c->n_pseudo, c->n_opcodes);
		assert_int_equal(n[FORM_ENCODING_MISMATCH], 0);
		assert_int_equal(n[FORM_NO_IMMEDIATE], 0);
		assert_int_equal(n[FORM_UNKNOWN_OPERAND], 0);
	}
}

TEST(add64rr_operands)
{
	struct catalogue *c = catalogue_of("x86_64");
	const struct form *f = form(c, "ADD64rr");

	assert_string_equal(f->mnemonic, "addq");
	assert_int_equal(f->n_explicit, 3);
	assert_int_equal(f->n_operands, 9); /* and six flags */
	assert_false(f->vector_state);
	assert_true(f->operands[0].write && !f->operands[0].read);
	assert_int_equal(f->operands[1].tied_to, 0);
	assert_true(f->operands[1].read);
	assert_int_equal(f->operands[2].tied_to, -1);
	assert_true(f->operands[2].read && !f->operands[2].write);
	assert_string_equal(c->classes[f->operands[2].reg_class].name, "GR64");
	assert_true(f->operands[3].implicit && f->operands[3].write);
	assert_false(f->operands[3].read);
	assert_int_equal(c->regs[f->operands[3].fixed_reg].bank, BANK_FLAGS);
}

TEST(implicit_reads_and_writes_merge)
{
	struct catalogue *c = catalogue_of("x86_64");
	const struct form *f = form(c, "DIV64r");

	/* divisor, RAX, RDX; flags are undefined */
	assert_int_equal(f->n_operands, 3);
	assert_string_equal(c->regs[f->operands[1].fixed_reg].name, "RAX");
	assert_true(f->operands[1].read && f->operands[1].write);
	assert_string_equal(c->regs[f->operands[2].fixed_reg].name, "RDX");
	assert_true(f->operands[2].read && f->operands[2].write);
	/* AL in, AL, AH and AX out are one dependency. */
	assert_int_equal(form(c, "MUL8r")->n_operands, 4); /* CF, OF */
}

TEST(plain_add_of_aarch64)
{
	struct catalogue *c = catalogue_of("aarch64");
	const struct form *f = form(c, "ADDXrs");

	assert_int_equal(f->status, FORM_MEASURABLE);
	assert_int_equal(f->n_operands, 4);
	assert_int_equal(f->operands[3].kind, OPERAND_IMM);
	assert_int_equal(f->operands[3].imm, 0);
	assert_string_equal(f->example, "add x0, x1, x2");
	/* HINT 2 and 3 would wait for an event that never comes. */
	f = form(c, "HINT");
	assert_int_equal(f->status, FORM_MEASURABLE);
	assert_string_equal(f->example, "nop");
	assert_int_equal(f->operands[0].imm_max, 0);
}

TEST(riscv_rounds_dynamically)
{
	struct catalogue *c = catalogue_of("riscv64");
	const struct form *f = form(c, "FADD_S");

	assert_int_equal(f->operands[3].imm, 7);
	assert_int_equal(f->domain, DOMAIN_FP32);
	assert_true(f->vector_state);
	assert_int_equal(form(c, "FCVT_S_D")->domain, DOMAIN_FP64);
	f = form(c, "ADD");
	assert_int_equal(f->n_operands, 3);
	assert_true(f->operands[0].write);
	assert_true(f->operands[1].read && f->operands[2].read);
}

/* Lanes, shifts and bit masks: a single constant would lose them. */
TEST(immediates_fit_their_operand)
{
	static const char *const names[] = { "ANDXri",
					     "ADDXrx64",
					     "MOVKXi",
					     "EXTRXrri",
					     "BFMXri",
					     "FCMLAv4f32",
					     "SQRDMLAHv4i32_indexed",
					     "MOVIv4s_msl",
					     "FMOVDi",
					     "UMOVvi64",
					     "SHLv2i64_shift",
					     "ADDXri",
					     "CCMPXi",
					     "DUP_ZZI_D",
					     "CPY_ZPmI_H" };
	struct catalogue *c = catalogue_of("aarch64");

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_status(c, names[i], FORM_MEASURABLE);
}

TEST(lea_is_arithmetic)
{
	struct catalogue *c = catalogue_of("x86_64");
	const struct form *f = form(c, "LEA64r/r64,r64");

	assert_int_equal(f->status, FORM_MEASURABLE);
	assert_int_equal(f->operands[1].kind, OPERAND_REG);
	assert_int_equal(f->operands[3].kind, OPERAND_REG);
	assert_true(f->operands[1].read && f->operands[3].read);
}

/* The parts of addresses, and the access of the instruction. */
TEST(addresses_have_roles)
{
	static const struct {
		const char *isa, *form;
		int base, index, displacement, access;
		bool writes_base;
	} rows[] = {
		{ "x86_64", "MOV64rm", 1, -1, 4, ACCESS_LOAD, false },
		{ "x86_64", "MOV64mr", 0, -1, 3, ACCESS_STORE, false },
		{ "x86_64", "ADD64mr", 0, -1, 3, ACCESS_LOAD | ACCESS_STORE,
		  false },
		{ "x86_64", "LOCK_ADD64mr", 0, -1, 3,
		  ACCESS_LOAD | ACCESS_STORE, false },
		{ "x86_64", "VEXTRACTF64x2Zmr", 0, -1, 3, ACCESS_STORE, false },
		{ "aarch64", "LDRXui", 1, -1, 2, ACCESS_LOAD, false },
		{ "aarch64", "LDRXroX", 1, 2, -1, ACCESS_LOAD, false },
		{ "aarch64", "STRXpost", 2, -1, -1, ACCESS_STORE, true },
		{ "aarch64", "LDADDX", 2, -1, -1, ACCESS_LOAD | ACCESS_STORE,
		  false },
		{ "aarch64", "PRFMui", 1, -1, -1, ACCESS_LOAD, false },
		{ "riscv64", "LD", 1, -1, 2, ACCESS_LOAD, false },
		{ "riscv64", "C_SD", 1, -1, 2, ACCESS_STORE, false },
		{ "riscv64", "AMOADD_D", 1, -1, -1, ACCESS_LOAD | ACCESS_STORE,
		  false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct catalogue *c = catalogue_of(rows[i].isa);
		const struct form *f = form(c, rows[i].form);

		assert_status(c, rows[i].form, FORM_MEASURABLE);
		assert_int_equal(form_part(f, ROLE_BASE), rows[i].base);
		assert_int_equal(form_part(f, ROLE_INDEX), rows[i].index);
		assert_int_equal(form_part(f, ROLE_DISPLACEMENT),
				 rows[i].displacement);
		assert_int_equal(f->access, rows[i].access);
		assert_int_equal(form_writes_base(f), rows[i].writes_base);
	}
}

TEST(accesses_have_a_width)
{
	static const struct {
		const char *form;
		unsigned bytes;
	} rows[] = {
		{ "MOV8rm", 8 },         { "MOV64mr", 8 },
		{ "ADDPDrm", 16 },       { "VCVTPD2PSYrm", 32 },
		{ "VFPCLASSPSZrm", 64 }, { "CMPXCHG16B", 16 },
	};
	struct catalogue *c = catalogue_of("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(form(c, rows[i].form)->access_bytes,
				 rows[i].bytes);
}

/* LLVM's decoder reads the prefix as another instruction. */
TEST(locked_forms_show_their_prefix)
{
	struct catalogue *c = catalogue_of("x86_64");

	assert_string_equal(form(c, "LOCK_ADD64mr")->example,
			    "lock addq %rcx, (%rax)");
	assert_string_equal(form(c, "LCMPXCHG64")->example,
			    "lock cmpxchgq %rdx, (%rcx)");
}

/* An idiom writes flags, but reads none. */
static void assert_waits_for_nothing(const struct form *f)
{
	for (int i = f->n_explicit; i < f->n_operands; i++)
		assert_false(f->operands[i].read);
}

/* Every board measures these, so the simplest core must have them. */
TEST(helper_forms_are_everywhere)
{
	static const struct {
		const char *isa, *cpu;
	} rows[] = {
		{ "x86_64", "x86-64" },
		{ "aarch64", "generic" },
		{ "riscv64", "generic-rv64,+c" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct catalogue *c =
			catalogue_of_cpu(rows[i].isa, rows[i].cpu);
		const struct isa *isa = c->isa;

		assert_status(c, isa->calibration.chain_a, FORM_MEASURABLE);
		assert_status(c, isa->calibration.chain_b, FORM_MEASURABLE);
		assert_status(c, isa->calibration.probe, FORM_MEASURABLE);
		assert_waits_for_nothing(form(c, isa->calibration.probe));
		if (isa->breaker_flags)
			assert_status(c, isa->breaker_flags, FORM_MEASURABLE);
		if (isa->breaker_gpr)
			assert_status(c, isa->breaker_gpr, FORM_MEASURABLE);
	}
}

TEST(decode_finds_the_form)
{
	static const unsigned char add[] = { 0x48, 0x01, 0xc8, 0xc3 };
	struct catalogue *c = catalogue_of("x86_64");
	struct instance x;
	char text[64];

	assert_int_equal(instance_decode(c, add, sizeof(add), &x), 3);
	assert_ptr_equal(x.form, form(c, "ADD64rr"));
	assert_string_equal(c->regs[x.reg[0]].name, "RAX");
	assert_string_equal(c->regs[x.reg[2]].name, "RCX");
	assert_int_equal(instance_text(c, add, sizeof(add), text, sizeof(text)),
			 3);
	assert_string_equal(text, "addq %rcx, %rax");
	/* Not enough bytes, and no room. */
	assert_int_equal(instance_decode(c, add, 1, &x), 0);
	assert_int_equal(instance_decode(c, add, 0, &x), 0);
	assert_int_equal(instance_text(c, add, sizeof(add), text, 5), 3);
	assert_string_equal(text, "addq");
}

/* A scale that no form has is not taken for none. */
TEST(decode_finds_the_shape)
{
	static const struct {
		unsigned char code[8];
		size_t n;
		const char *form;
	} rows[] = {
		/* lea -430675100(%rax,%rax,4), %edx */
		{ { 0x8d, 0x94, 0x80, 0x64, 0x6b, 0x54, 0xe6 },
		  7,
		  "LEA64_32r/r64,r64x8,disp32" },
		/* lea 0x10000(,%rbx,4), %rdx */
		{ { 0x48, 0x8d, 0x14, 0x9d, 0, 0, 1, 0 },
		  8,
		  "LEA64r/r64x8,disp32" },
		/* lea (%rax,%rbx,2), %rdx */
		{ { 0x48, 0x8d, 0x14, 0x58 }, 4, "LEA64r/r64,r64x2" },
		/* lea 8(%rax,%rbx), %rdx, and 1(%rax,%rbx) */
		{ { 0x48, 0x8d, 0x54, 0x18, 8 }, 5, "LEA64r/r64,r64,disp8" },
		{ { 0x48, 0x8d, 0x54, 0x18, 1 }, 5, "LEA64r/r64,r64,disp8" },
		/* lea 1(%rcx,%rcx,2), %rcx: three parts, whatever the scale */
		{ { 0x48, 0x8d, 0x4c, 0x49, 1 }, 5, "LEA64r/r64,r64x8,disp8" },
	};
	struct catalogue *c = catalogue_of("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct instance x;

		assert_int_equal(
			instance_decode(c, rows[i].code, rows[i].n, &x),
			rows[i].n);
		assert_string_equal(x.form->name, rows[i].form);
	}
}

/* Of the two names of a form one is here, and both give the form. */
static void check_renamed(const struct catalogue *c)
{
	const char *line = c->isa->renamed, *last = "";
	char name[ISA_NAME_ROOM], other[ISA_NAME_ROOM];

	while (*line) {
		const struct form *f;

		assert_int_equal(sscanf(line, "%63s %63s", name, other), 2);
		assert_true(strncmp(last, line, strcspn(line, " ")) < 0 ||
			    strcspn(last, " ") != strcspn(line, " "));
		last = line;
		line += strcspn(line, "\n");
		line += *line == '\n';
		f = catalogue_form(c, name);
		if (f && strcmp(f->name, name) == 0) {
			assert_ptr_equal(catalogue_form(c, other), f);
		} else if (f) {
			assert_string_equal(f->name, other);
		}
	}
}

TEST(names_of_other_versions_are_known)
{
	struct catalogue *c = catalogue_of("x86_64");
	const struct form *f;

	for (size_t i = 0; isas[i]; i++)
		check_renamed(catalogue_of(isas[i]->name));
	/* LLVM 19's and LLVM 22's name; what stands behind '/' stays. */
	f = form(c, "AESKEYGENASSIST128rr");
	assert_ptr_equal(form(c, "AESKEYGENASSISTrri"), f);
	f = form(c, "VSQRTSDZm_Intkz/slow");
	assert_ptr_equal(form(c, "VSQRTSDZmkz_Int/slow"), f);
	assert_null(catalogue_form(c, "VSQRTSDZmkz_Int/none"));
	assert_null(catalogue_form(c, "A"));
	assert_null(catalogue_form(c, ""));
	assert_null(catalogue_form(c, "zzz"));
}
