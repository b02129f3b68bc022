/* Pseudo-random numbers, the same on every machine. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

/* Next number of splitmix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom
 * Number Generators", OOPSLA 2014).  Any value of *state is a valid seed. */
uint64_t random_next(uint64_t *state);

/* Next number in [0, 1), a multiple of 2^-53. */
double random_unit(uint64_t *state);

#endif
