/* Vector lanes in use: isa_guest.lanes of each instruction set, from names of
 * forms or from encodings.  A fixed share is known only if it holds for every
 * execution: one lane, all lanes, or half of them (NEON of 64 bits).
 * Instructions with masks of AVX-512, arithmetic of SVE with predicates and all
 * others are LANES_UNKNOWN. */
#ifndef ISA_GUEST_LANES_H
#define ISA_GUEST_LANES_H

#include "host/isa/guest.h"

struct guest_lanes x86_64_guest_lanes(const struct instance *i,
				      const unsigned char *code, size_t n);
struct guest_lanes aarch64_guest_lanes(const struct instance *i,
				       const unsigned char *code, size_t n);
struct guest_lanes riscv64_guest_lanes(const struct instance *i,
				       const unsigned char *code, size_t n);

static inline struct guest_lanes lanes_fixed(unsigned used, unsigned room)
{
	return (struct guest_lanes){
		.kind = used ? LANES_FIXED : LANES_UNKNOWN,
		.used = (uint8_t)used,
		.room = (uint8_t)room,
	};
}

#endif
