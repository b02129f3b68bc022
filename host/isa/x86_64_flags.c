/* x86-64: which flags an instruction reads, computes, clears and keeps (Intel
 * SDM volume 1, appendix A, and volume 2; AMD APM volume 3). */
#include "host/isa/flags.h"
#include "host/isa/match.h"
#include "host/isa/x86_64.h"

enum {
	C = 1 << 0,
	P = 1 << 1,
	A = 1 << 2,
	Z = 1 << 3,
	S = 1 << 4,
	O = 1 << 5,
	ALL = C | P | A | Z | S | O,
	CONDITION = FLAGS_OF_CONDITION,
};

static const struct flag_row rows[] = {
	{ NAMES("JCC_#*", "SETCC*", "SETZUCC*", "CFCMOV*", "CMOV#*"),
	  { CONDITION, 0, 0, 0 } },
	{ NAMES("CMOV*BE_F*"), { C | Z, 0, 0, 0 } },
	{ NAMES("CMOV*B_F*"), { C, 0, 0, 0 } },
	{ NAMES("CMOV*E_F*", "LOOPE", "LOOPNE"), { Z, 0, 0, 0 } },
	{ NAMES("CMOV*P_F*"), { P, 0, 0, 0 } },
	{ NAMES("ADCX*", "CMC"), { C, C, 0, ALL & ~C } },
	{ NAMES("ADOX*"), { O, O, 0, ALL & ~O } },
	{ NAMES("ADC*", "SBB*"), { C, ALL, 0, 0 } },
	{ NAMES("INC*", "DEC*"), { 0, ALL & ~C, 0, C } },
	{ NAMES("ANDN#*"), { 0, Z | S, C | O, 0 } },
	{ NAMES("AND#*", "OR#*", "XOR#*", "TEST#*"),
	  { 0, P | Z | S, C | O, 0 } },
	{ NAMES("BT#*", "BTC#*", "BTR#*", "BTS#*"), { 0, C, 0, Z } },
	/* A count of zero keeps everything. */
	{ NAMES("SH*CL*", "SAR*CL*"), { 0, C | P | Z | S, 0, ALL } },
	{ NAMES("RO*CL*"), { 0, C, 0, ALL } },
	{ NAMES("RC*CL*"), { C, C, 0, ALL } },
	/* Only a shift by one defines OF. */
	{ NAMES("SH*r1*", "SH*m1*", "SAR*r1*", "SAR*m1*"),
	  { 0, C | P | Z | S | O, 0, 0 } },
	{ NAMES("SH*", "SAR*"), { 0, C | P | Z | S, 0, 0 } },
	{ NAMES("RO*r1*", "RO*m1*"), { 0, C | O, 0, P | A | Z | S } },
	{ NAMES("RO*"), { 0, C, 0, P | A | Z | S } },
	{ NAMES("RC*r1*", "RC*m1*"), { C, C | O, 0, P | A | Z | S } },
	{ NAMES("RC*"), { C, C, 0, P | A | Z | S } },
	{ NAMES("MUL#*", "IMUL#*"), { 0, C | O, 0, 0 } },
	{ NAMES("DIV#*", "IDIV#*"), { 0, 0, 0, 0 } },
	{ NAMES("BSF*", "BSR*"), { 0, Z, 0, 0 } },
	{ NAMES("LZCNT*", "TZCNT*"), { 0, C | Z, 0, 0 } },
	{ NAMES("POPCNT*"), { 0, Z, C | P | A | S | O, 0 } },
	{ NAMES("BLSMSK*"), { 0, C | S, Z | O, 0 } },
	{ NAMES("BEXTR*"), { 0, Z, C | O, 0 } },
	{ NAMES("BZHI*"), { 0, C | Z | S, O, 0 } },
	/* The other forms of BMI1 and TBM that isolate, fill and mask bits. */
	{ NAMES("BL*", "T1MSKC*", "TZMSK*"), { 0, C | Z | S, O, 0 } },
	{ NAMES("*COM*"), { 0, C | P | Z, A | S | O, 0 } },
	{ NAMES("*PCMP*STR*"), { 0, C | Z | S | O, P | A, 0 } },
	/* Of vectors and masks. */
	{ NAMES("*TEST*"), { 0, C | Z, P | A | S | O, 0 } },
	{ NAMES("RDRAND*", "RDSEED*"), { 0, C, ALL & ~C, 0 } },
	{ NAMES("LAHF"), { ALL & ~O, 0, 0, 0 } },
	{ NAMES("SAHF"), { 0, ALL & ~O, 0, O } },
	{ NAMES("CLC", "STC"), { 0, 0, C, ALL & ~C } },
	{ NAMES("*CMPXCHG*B"), { 0, Z, 0, ALL & ~Z } },
	/* Sums, differences and comparisons, and all other forms. */
	{ NAMES("*"), { ALL, ALL, 0, 0 } },
};

/* o, b, e, be, s, p, l, le, each before its opposite */
static const uint8_t conditions[] = { O, C, Z, C | Z, S, P, S | O, Z | S | O };

const struct isa_flags x86_64_flags = {
	.reg = "EFLAGS",
	.names = NAMES("CF", "PF", "AF", "ZF", "SF", "OF"),
	.chained = C | Z | O,
	.rows = rows,
	.prefix = "LOCK_",
	.conditions = conditions,
	.n_conditions = ARRAY_LEN(conditions),
	.equal = 4,
};
