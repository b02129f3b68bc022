/* Carriers pass a result to a source in another register of its bank. */
#ifndef ISA_CARRIER_H
#define ISA_CARRIER_H

#include "common/types.h"

/* "FORM@source>destination", joined by '+'.  No core renames a step away. With
 * two steps, the first makes the result zero with a zero, and the second adds
 * the value that the source must have; a single step passes on any value.  A
 * third step multiplies by `factor`, an odd number, and the second adds the
 * value divided by it, modulo 2^64.  A product takes longer than a sum, so on
 * a core that starts instructions in order the form waits for it, and not for
 * its turn.  A carrier of the result's bank can be used if it has no factor, or
 * one that is as wide as the value (carrier_is_wide()).  Of these carriers the
 * first one of the result's register class is used, or else the first one. */
struct isa_carrier {
	uint8_t bank; /* enum reg_bank; BANK_NONE ends a list */
	const char *steps;
	uint64_t factor; /* 0: no third step */
};

/* Does the number need more than 32 bits as a signed number? */
static inline bool carrier_is_wide(uint64_t number)
{
	return (uint64_t)(int64_t)(int32_t)(uint32_t)number != number;
}

#endif
