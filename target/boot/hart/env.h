/* What lies below the runtime of a RISC-V hart: firmware (boot/sbi, S-mode) or
 * nothing (boot/mmode, M-mode).  One of these folders implements this, and gives
 * the names of the mode's CSRs in "csr.h". */
#ifndef BOOT_HART_ENV_H
#define BOOT_HART_ENV_H

#include "common/wire.h"
#include "target/boot/bare/tree.h"

/* Identities are sums of numbers, each times this: of FNV-1a with 64 bits. */
#define KIND_FACTOR UINT64_C(0x100000001b3)

/* Values of the fields `boot` and `mode` of INFO. */
extern const char env_boot[], env_mode[];

/* States of a hart, as HSM numbers them (SBI 2.0, table "HSM Hart States"). */
enum {
	ENV_HART_STOPPED = 1,
	ENV_HART_UNKNOWN = 99, /* the environment cannot answer */
};

/* The hart that runs, where `passed` is what the entry was given, and its
 * device tree, unchecked. */
uint64_t env_hart(uint64_t passed);
const void *env_tree(const void *passed);

uint64_t env_hart_state(uint64_t hart);

/* Start `hart` at `entry`, with its number in a0, interrupts and MMU off; false if
 * that is not possible.  It is stopped again by env_hart_leave(), which it calls
 * and which needs no stack. */
bool env_hart_start(uint64_t hart, const void *entry);
void env_hart_leave(void) __attribute__((noreturn));

/* Sleep until another hart calls env_hart_wake(), or for no reason. */
void env_hart_sleep(void);
void env_hart_wake(uint64_t hart);

/* The i-th region of memory that is not free as the environment says it, which the
 * tree need not know; all addresses, if that cannot be read.  False behind the last. */
bool env_reserved_at(size_t i, struct tree_region *ret);

/* A number of the implementation of this hart: the same on harts of one kind. */
uint64_t env_identity(void);

/* Is there a timer?  Without one its interrupt stays off: after a reset it may be
 * pending. */
bool env_has_timer(void);

/* Let the timer interrupt fire when the count that `time` has, or would have,
 * reaches `when`; UINT64_MAX: never.  Nothing without a timer. */
void env_set_timer(uint64_t when);

/* Start the cycle and instret counters.  The caller checks that they count. */
void env_start_counters(void);

/* The timer's count, where the `time` CSR is illegal but a device has it; false
 * without one. */
bool env_time(uint64_t *ret_now);

/* Does the environment itself set up the console's UART?  The speed to set, 0
 * if that was done. */
uint32_t env_uart_speed(void);

/* Fields of INFO: versions and identity. */
void env_describe(struct wire_line *w);

/* Switch the machine off; returns if that is not possible here.  The second is
 * the last to be tried, after all devices. */
void env_power_off(bool failed);
void env_power_off_last(bool failed);

#endif
