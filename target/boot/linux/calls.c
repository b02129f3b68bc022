/* System calls of own code: a filter of the kernel (seccomp(2)) lets pass what
 * linux_raw() calls, and returns from signals, and makes a signal of all others.
 *
 * Filters may switch on a slower way of the core to load behind stores; the flag
 * SPEC_ALLOW keeps it as it was, and without it there is no filter. */
#include "target/boot/linux/linux.h"

enum {
	PR_SET_NO_NEW_PRIVS = 38,
	SECCOMP_SET_MODE_FILTER = 1,
	SECCOMP_FILTER_FLAG_SPEC_ALLOW = 1 << 2,
	RET_TRAP = 0x00030000,
	RET_ALLOW = 0x7fff0000,
	/* struct seccomp_data */
	NUMBER = 0,
	ARCH = 4,
	POINTER_LOW = 8,
	POINTER_HIGH = 12,
	/* linux/bpf_common.h */
	LOAD = 0x20,
	JUMP_EQUAL = 0x15,
	RETURN = 0x06,
};

/* struct sock_filter, struct sock_fprog */
struct filter {
	uint16_t code;
	uint8_t jump_true, jump_false;
	uint32_t k;
};

struct filter_program {
	uint16_t n;
	const struct filter *list;
};

static bool add_filter(void)
{
	uint64_t from = (uintptr_t)linux_raw_called;
	const struct filter list[] = {
		{ LOAD, 0, 0, ARCH },
		{ JUMP_EQUAL, 0, 6, linux_audit_arch },
		{ LOAD, 0, 0, NUMBER },
		{ JUMP_EQUAL, 5, 0, linux_numbers[LINUX_RT_SIGRETURN] },
		{ LOAD, 0, 0, POINTER_HIGH },
		{ JUMP_EQUAL, 0, 2, (uint32_t)(from >> 32) },
		{ LOAD, 0, 0, POINTER_LOW },
		{ JUMP_EQUAL, 1, 0, (uint32_t)from },
		{ RETURN, 0, 0, RET_TRAP },
		{ RETURN, 0, 0, RET_ALLOW },
	};
	const struct filter_program program = { ARRAY_LEN(list), list };

	return linux_call(LINUX_PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) >=
		       0 &&
	       linux_call(LINUX_SECCOMP, SECCOMP_SET_MODE_FILTER,
			  SECCOMP_FILTER_FLAG_SPEC_ALLOW, (long)&program, 0, 0,
			  0) >= 0;
}

bool boot_refuse_calls(void)
{
	static struct {
		bool tried, done;
	} filter;

	if (!filter.tried)
		filter.done = add_filter();
	filter.tried = true;
	return filter.done;
}
