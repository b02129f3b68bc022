/* Flags: which of them a form reads, computes, clears and keeps. */
#include "host/isa/flags.h"
#include "host/isa/instance.h"
#include "host/isa/mc.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

/* "C:rw Z:c" in the order of the catalogue: read, written, cleared, kept. */
static void describe(const struct catalogue *c, const struct form *f,
		     char *text, size_t room)
{
	const char *space = "";

	*text = '\0';
	for (int i = f->n_explicit; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		size_t n = strlen(text);

		if (!o->flag)
			continue;
		(void)snprintf(text + n, room - n, "%s%s:%s%s%s", space,
			       strchr(c->regs[o->fixed_reg].name, '.') + 1,
			       o->read ? "r" : "",
			       o->constant ? "c"
			       : o->write  ? "w"
					   : "",
			       o->keeps ? "k" : "");
		space = " ";
	}
}

struct row {
	const char *form, *flags;
};

static const struct row x86[] = {
	{ "ADD64rr", "CF:w PF:w AF:w ZF:w SF:w OF:w" },
	{ "LOCK_ADD64mr", "CF:w PF:w AF:w ZF:w SF:w OF:w" },
	{ "ADC64rr", "CF:rw PF:w AF:w ZF:w SF:w OF:w" },
	{ "ADCX64rr", "CF:rw PF:k AF:k ZF:k SF:k OF:k" },
	{ "ADOX64rr", "CF:k PF:k AF:k ZF:k SF:k OF:rw" },
	{ "INC64r", "CF:k PF:w AF:w ZF:w SF:w OF:w" },
	{ "AND64rr", "CF:c PF:w ZF:w SF:w OF:c" },
	{ "ANDN64rr", "CF:c ZF:w SF:w OF:c" },
	{ "BT64rr", "CF:w ZF:k" },
	{ "BTS64mr", "CF:w ZF:k" },
	{ "SHL16ri", "CF:w PF:w ZF:w SF:w" },
	{ "SHL16r1", "CF:w PF:w ZF:w SF:w OF:w" },
	{ "SAR64rCL", "CF:wk PF:wk AF:k ZF:wk SF:wk OF:k" },
	{ "SHLD64rri8", "CF:w PF:w ZF:w SF:w" },
	{ "ROL16ri", "CF:w PF:k AF:k ZF:k SF:k" },
	{ "ROL64r1", "CF:w PF:k AF:k ZF:k SF:k OF:w" },
	{ "RCL64r1", "CF:rw PF:k AF:k ZF:k SF:k OF:w" },
	{ "IMUL8r", "CF:w OF:w" },
	{ "DIV64r", "" },
	{ "BSF64rr", "ZF:w" },
	{ "TZCNT64rr", "CF:w ZF:w" },
	{ "POPCNT64rr", "CF:c PF:c AF:c ZF:w SF:c OF:c" },
	{ "BLSR64rr", "CF:w ZF:w SF:w OF:c" },
	{ "BEXTR64rr", "CF:c ZF:w OF:c" },
	{ "COMISDrr", "CF:w PF:w AF:c ZF:w SF:c OF:c" },
	{ "VUCOMISSrr", "CF:w PF:w AF:c ZF:w SF:c OF:c" },
	{ "PTESTrr", "CF:w PF:c AF:c ZF:w SF:c OF:c" },
	{ "KORTESTQrr", "CF:w PF:c AF:c ZF:w SF:c OF:c" },
	{ "PCMPESTRIrmi", "CF:w PF:c AF:c ZF:w SF:w OF:w" },
	{ "RDRAND64r", "CF:w PF:c AF:c ZF:c SF:c OF:c" },
	{ "LAHF", "CF:r PF:r AF:r ZF:r SF:r" },
	{ "SAHF", "CF:w PF:w AF:w ZF:w SF:w OF:k" },
	{ "CMC", "CF:rw PF:k AF:k ZF:k SF:k OF:k" },
	{ "STC", "CF:c PF:k AF:k ZF:k SF:k OF:k" },
	{ "CMPXCHG64rr", "CF:w PF:w AF:w ZF:w SF:w OF:w" },
	{ "LCMPXCHG16B", "CF:k PF:k AF:k ZF:w SF:k OF:k" },
	{ "CMOV64rr", "ZF:r" },
	{ "CMOV64rr/b", "CF:r" },
	{ "CMOV64rr/le", "ZF:r SF:r OF:r" },
	{ "SETCCr/be", "CF:r ZF:r" },
	{ "SETCCr/p", "PF:r" },
	{ "MOV64rr", "" },
	{ "MULX64rr", "" },
	{ NULL, NULL },
};

static const struct row arm[] = {
	{ "ADDSXri", "N:w Z:w C:w V:w" },
	{ "ADCXr", "C:r" },
	{ "SBCSXr", "N:w Z:w C:rw V:w" },
	{ "ANDSXri", "N:w Z:w C:c V:c" },
	{ "CSELXr", "Z:r" },
	{ "CSELXr/ge", "N:r V:r" },
	{ "CCMPXr", "N:w Z:rw C:w V:w" },
	{ "FCMPDrr", "N:w Z:w C:w V:w" },
	{ "CFINV", "N:k Z:k C:rw V:k" },
	{ "SETF8", "N:w Z:w C:k V:w" },
	{ "PTEST_PP", "N:w Z:w C:w V:c" },
	{ "ADDXri", "" },
	{ NULL, NULL },
};

static void check(const char *isa, const struct row *rows)
{
	struct catalogue *c = catalogue_of(isa);

	for (const struct row *r = rows; r->form; r++) {
		char have[128];

		describe(c, form(c, r->form), have, sizeof(have));
		if (strcmp(have, r->flags) != 0)
			fail_msg("%s: '%s', expected '%s'", r->form, have,
				 r->flags);
	}
}

TEST(forms_know_their_flags)
{
	check("x86_64", x86);
	check("aarch64", arm);
}

/* Forms that access flags in LLVM have room for them, and a flag that is both
 * computed and cleared, or kept and cleared, is an error in the table. */
TEST(tables_are_sound)
{
	static const char *const names[] = { "x86_64", "aarch64" };

	for (size_t n = 0; n < ARRAY_LEN(names); n++) {
		struct catalogue *c = catalogue_of(names[n]);

		for (size_t i = 0; i < c->n_forms; i++) {
			const struct form *f = &c->forms[i];
			struct instance x = { .form = f };
			struct flag_sets s;

			for (int k = 0; k < f->n_explicit; k++)
				x.imm[k] = f->operands[k].imm;
			s = instance_flags(c, &x);
			if ((s.writes & s.clears) || (s.keeps & s.clears))
				fail_msg("%s: %x %x %x", f->name, s.writes,
					 s.clears, s.keeps);
			if (f->status == FORM_UNKNOWN_OPERAND && s.writes)
				fail_msg("%s: too many operands", f->name);
		}
	}
}

/* The form of an instruction follows its condition, or the opposite. */
TEST(bytes_choose_the_condition)
{
	static const struct {
		unsigned char code[4];
		const char *form;
	} rows[] = {
		{ { 0x48, 0x0f, 0x44, 0xc1 }, "CMOV64rr" },    /* e */
		{ { 0x48, 0x0f, 0x45, 0xc1 }, "CMOV64rr" },    /* ne */
		{ { 0x48, 0x0f, 0x42, 0xc1 }, "CMOV64rr/b" },  /* b */
		{ { 0x48, 0x0f, 0x43, 0xc1 }, "CMOV64rr/b" },  /* ae */
		{ { 0x48, 0x0f, 0x4f, 0xc1 }, "CMOV64rr/le" }, /* g */
	};
	struct catalogue *c = catalogue_of("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct instance x;

		assert_int_equal(instance_decode(c, rows[i].code,
						 sizeof(rows[i].code), &x),
				 sizeof(rows[i].code));
		assert_string_equal(x.form->name, rows[i].form);
	}
}
