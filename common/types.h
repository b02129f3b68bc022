/* Common definitions for host and target: fixed-width integers, little-endian
 * access and the compiler attributes that the project uses.  Freestanding. */
#ifndef COMMON_TYPES_H
#define COMMON_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_LEN(a)            (sizeof(a) / sizeof((a)[0]))
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))
#define MUST_CHECK              __attribute__((warn_unused_result))
#define NO_RETURN               __attribute__((noreturn))

/* The number at p, which is aligned like one: a single load also where there
 * is no library whose copies a compiler knows. */
static inline uint64_t load_u64(const void *p)
{
	uint64_t v;

	__builtin_memcpy(&v, __builtin_assume_aligned(p, sizeof(v)), sizeof(v));
	return v;
}

#endif
