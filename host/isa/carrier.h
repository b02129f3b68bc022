/* Carriers pass a result to a source in another register of its bank. */
#ifndef ISA_CARRIER_H
#define ISA_CARRIER_H

#include "common/types.h"

/* "FORM@source>destination", joined by '+'.  No core renames a step away. With
 * two steps, the first makes the result zero with a zero, and the second adds
 * the value that the source must have; a single step passes on any value.  Of
 * several carriers of a bank, the one of the result's register class is used,
 * or the first. */
struct isa_carrier {
	uint8_t bank; /* enum reg_bank; BANK_NONE ends a list */
	const char *steps;
};

#endif
