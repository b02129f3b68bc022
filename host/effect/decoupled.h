/* Units of cores in program order that have a queue of their own. */
#ifndef EFFECT_DECOUPLED_H
#define EFFECT_DECOUPLED_H

#include <stdint.h>

/* While an instruction of `form` waits for the result of one of `producer` in a
 * register of its unit, `n` instructions of `behind` (NULL: none) and then those
 * of another unit follow it: so many cycles later do the last start. */
struct decoupled {
	const char *producer, *form, *behind;
	uint32_t n;
	double cycles;
};

#endif
