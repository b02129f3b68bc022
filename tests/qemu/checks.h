/* What a case adds to the pack, and how it judges the records. */
#ifndef TESTS_QEMU_CHECKS_H
#define TESTS_QEMU_CHECKS_H

#include "tests/native/pack.h"
#include "tests/qemu/records.h"

enum { N_CALIB = 3 }; /* kernels that hand_build() puts first */

struct check {
	const char *name;
	void (*pack)(struct hand_pack *p, const struct hand_isa *isa);
	void (*judge)(const struct console *c, const struct hand_isa *isa);
	/* The n-th boot has left \anechoic\run-<n>.log on the disk, and it
	 * holds the records of the console. */
	bool log;
	/* Boots differ in the last tick: a clock slower than the core. */
	bool coarse;
};

/* Ends with a row without a name. */
extern const struct check checks[];

/* Build the pack of a case with hand_build(), without a wait for a host. */
void checks_build(struct hand_pack *p, const struct hand_isa *isa,
		  const struct hand_kernel *kernels, size_t n);

/* The console's records are the lines of the text. */
void want_records(const struct console *c, const char *text);

/* registers.c: does every register hold what its image says? */
void registers_pack(struct hand_pack *p, const struct hand_isa *isa);
void registers_judge(const struct console *c, const struct hand_isa *isa);
void vectors_pack(struct hand_pack *p, const struct hand_isa *isa);
void vectors_judge(const struct console *c, const struct hand_isa *isa);

/* ref.c: the same with a reference clock, where a kernel between two chains
 * gives its cycles. */
void ref_pack(struct hand_pack *p, const struct hand_isa *isa);
void ref_judge(const struct console *c, const struct hand_isa *isa);

#endif
