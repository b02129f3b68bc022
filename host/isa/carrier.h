/* Carriers: how a result comes back to a source in another register of its
 * bank. */
#ifndef ISA_CARRIER_H
#define ISA_CARRIER_H

#include "common/types.h"

/* "FORM@source>destination", joined by '+', no step of which a renamer takes
 * away.  Of two steps the first makes the result zero with a zero, the second
 * adds what the source is to hold; a single one hands on whatever comes.  Of
 * several of a bank that of the result's register class is taken, or the first.
 */
struct isa_carrier {
	uint8_t bank; /* enum reg_bank; BANK_NONE ends a list */
	const char *steps;
};

#endif
