/* x86-64: lanes in use.  A scalar instruction uses one lane of an XMM register;
 * others all lanes of the registers that they name, XMM, YMM or ZMM. */
#include <string.h>

#include "host/isa/guest_lanes.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"

enum { XMM = 16 };

/* Without the V of VEX; bytes of XMM. */
static const struct name_rule rules[] = {
	{ NAMES("ADDSUBP*", "ADDP*", "SUBP*", "MULP*", "DIVP*", "MINP*",
		"MAXP*", "SQRTP*"),
	  XMM },
	{ NAMES("ADDSS*", "SUBSS*", "MULSS*", "DIVSS*", "MINSS*", "MAXSS*",
		"SQRTSS*", "FM*ADD#SS*"),
	  4 },
	{ NAMES("ADDSD*", "SUBSD*", "MULSD*", "DIVSD*", "MINSD*", "MAXSD*",
		"SQRTSD*", "FM*ADD#SD*"),
	  8 },
	{ NAMES("FM*ADD#P*"), XMM },
	{ NAMES("FM*SUB#SS*", "FNM*#SS*", "UCOMISS*", "COMISS*", "CVTSI2SS*",
		"CVTSI642SS*"),
	  4 },
	{ NAMES("FM*SUB#SD*", "FNM*#SD*", "UCOMISD*", "COMISD*", "CVTSI2SD*",
		"CVTSI642SD*"),
	  8 },
	{ NAMES("FM*SUB#P*", "FNM*#P*", "MOVAP*", "MOVUP*", "MOVDQA*",
		"MOVDQU*", "MOVNTP*", "ANDP*", "ANDNP*", "ORP*", "XORP*",
		"PADD*", "PSUB*", "PMULL*", "PMULH*", "PAND*", "POR*", "PXOR*",
		"PCMPEQ*", "PCMPGT*", "PMAX*", "PMINS*", "PMINU*", "PABS*",
		"PAVG*", "PSLL*", "PSRL*", "PSRA*", "PSHUF*", "SHUFP*",
		"UNPCK*", "PUNPCK*", "BLENDP*", "BROADCAST*", "PBROADCAST*",
		"PERMIL*", "PERMP*", "PERM2*", "ROUNDP*"),
	  XMM },
	{ NAMES("CVT*SS2SI*", "MOVSSr*", "MOVSSm*"), 4 },
	{ NAMES("CVT*SD2SI*", "MOVSDr*", "MOVSDm*"), 8 },
	{ NAMES("CVTDQ2PS*", "CVT*PS2DQ*"), XMM },
};

struct guest_lanes x86_64_guest_lanes(const struct instance *i,
				      const unsigned char *code, size_t n)
{
	const char *name = i->form->name;
	bool masked = strchr(name, 'k') != NULL;

	(void)code, (void)n;
	name += *name == 'V';
	return lanes_fixed(
		masked ? 0
		       : (unsigned)name_rule(rules, ARRAY_LEN(rules), name, 0),
		XMM);
}
