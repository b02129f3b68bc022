/* x86-64: lanes in use.  A scalar instruction uses one lane of an XMM register;
 * others all lanes of the registers that they name, XMM, YMM or ZMM. */
#include <string.h>

#include "host/isa/guest_lanes.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"

enum { XMM = 16 };

/* Without the V of VEX; bytes of XMM. */
static const struct name_rule rules[] = {
	{ "ADDSUBP*", XMM },  { "ADDSS*", 4 },       { "ADDSD*", 8 },
	{ "ADDP*", XMM },     { "SUBSS*", 4 },       { "SUBSD*", 8 },
	{ "SUBP*", XMM },     { "MULSS*", 4 },       { "MULSD*", 8 },
	{ "MULP*", XMM },     { "DIVSS*", 4 },       { "DIVSD*", 8 },
	{ "DIVP*", XMM },     { "MINSS*", 4 },       { "MINSD*", 8 },
	{ "MINP*", XMM },     { "MAXSS*", 4 },       { "MAXSD*", 8 },
	{ "MAXP*", XMM },     { "SQRTSS*", 4 },      { "SQRTSD*", 8 },
	{ "SQRTP*", XMM },    { "FM*ADD#SS*", 4 },   { "FM*ADD#SD*", 8 },
	{ "FM*ADD#P*", XMM }, { "FM*SUB#SS*", 4 },   { "FM*SUB#SD*", 8 },
	{ "FM*SUB#P*", XMM }, { "FNM*#SS*", 4 },     { "FNM*#SD*", 8 },
	{ "FNM*#P*", XMM },   { "UCOMISS*", 4 },     { "UCOMISD*", 8 },
	{ "COMISS*", 4 },     { "COMISD*", 8 },      { "CVTSI2SS*", 4 },
	{ "CVTSI2SD*", 8 },   { "CVTSI642SS*", 4 },  { "CVTSI642SD*", 8 },
	{ "CVT*SS2SI*", 4 },  { "CVT*SD2SI*", 8 },   { "MOVSSr*", 4 },
	{ "MOVSSm*", 4 },     { "MOVSDr*", 8 },      { "MOVSDm*", 8 },
	{ "MOVAP*", XMM },    { "MOVUP*", XMM },     { "MOVDQA*", XMM },
	{ "MOVDQU*", XMM },   { "MOVNTP*", XMM },    { "ANDP*", XMM },
	{ "ANDNP*", XMM },    { "ORP*", XMM },       { "XORP*", XMM },
	{ "PADD*", XMM },     { "PSUB*", XMM },      { "PMULL*", XMM },
	{ "PMULH*", XMM },    { "PAND*", XMM },      { "POR*", XMM },
	{ "PXOR*", XMM },     { "PCMPEQ*", XMM },    { "PCMPGT*", XMM },
	{ "PMAX*", XMM },     { "PMINS*", XMM },     { "PMINU*", XMM },
	{ "PABS*", XMM },     { "PAVG*", XMM },      { "PSLL*", XMM },
	{ "PSRL*", XMM },     { "PSRA*", XMM },      { "PSHUF*", XMM },
	{ "SHUFP*", XMM },    { "UNPCK*", XMM },     { "PUNPCK*", XMM },
	{ "BLENDP*", XMM },   { "BROADCAST*", XMM }, { "PBROADCAST*", XMM },
	{ "PERMIL*", XMM },   { "PERMP*", XMM },     { "PERM2*", XMM },
	{ "ROUNDP*", XMM },   { "CVTDQ2PS*", XMM },  { "CVT*PS2DQ*", XMM },
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
