/* A firmware with the parts of SBI that Debian's OpenSBI has not, and without
 * those it has: what a runtime does on firmware newer or poorer than the one
 * at hand.  For one hart of QEMU's virt machine.
 *
 *	dbcn	the debug console, no legacy calls, no PMU, but rdcycle
 *	mute	no console at all, no counter but `time`
 *	busy	dbcn, and a timer of its own that interrupts the payload
 *	timeless dbcn, and `time` is illegal to the payload
 *	uncounted dbcn, and `instret` is illegal to the payload
 *	poor	dbcn, and no call that switches the machine off */
#include <stdbool.h>
#include <stdint.h>

#include "tests/qemu/firmware/variant.h"

enum {
	ECALL_FROM_S = 9,
	BASE = 0x10,
	BASE_PROBE = 3,
	DBCN = 0x4442434e,
	DBCN_WRITE = 0,
	DBCN_READ = 1,
	TIME = 0x54494d45,
	SRST = 0x53525354,
	LEGACY_SHUTDOWN = 8,
	NOT_SUPPORTED = -2,
	UART_LINE_STATUS = 5,
	DATA_READY = 1 << 0,
	TRANSMITTER_EMPTY = 1 << 5,
	MOST = 7, /* a write of more is cut short, as it may be */
	MIP_STIP = 1 << 5,
	MIE_MTIE = 1 << 7,
	/* All exceptions but an ecall from S-mode. */
	DELEGATED = 0xb1ff,
	MPP_S = 1 << 11,
	MPP_MASK = 3 << 11,
	PMP_ALL = 0x1f, /* to the top of memory: read, write, execute */
	POWER_OFF = 0x5555,
};

/* hw/riscv/virt.c of QEMU. */
#define UART      ((volatile uint8_t *)0x10000000)
#define TEST      ((volatile uint32_t *)0x100000)
#define COMPARE   ((volatile uint64_t *)0x2004000)
#define PAYLOAD   UINT64_C(0x80200000)
#define INTERRUPT (UINT64_C(1) << 63)

#define CSR_WRITE(name, value) \
	__asm__ volatile("csrw " name ", %0" : : "r"((uint64_t)(value)))
#define CSR_SET(name, value) \
	__asm__ volatile("csrs " name ", %0" : : "r"((uint64_t)(value)))
#define CSR_CLEAR(name, value) \
	__asm__ volatile("csrc " name ", %0" : : "r"((uint64_t)(value)))

static struct {
	uint64_t deadline; /* of the payload's timer */
} timer = { UINT64_MAX };

void firmware_start(uint64_t hart, uint64_t tree) __attribute__((noreturn));
void firmware_trap(uint64_t *a);

static uint64_t now(void)
{
	uint64_t time;

	__asm__ volatile("csrr %0, time" : "=r"(time));
	return time;
}

/* The next interrupt: the payload's timer or our own. */
static void arm(void)
{
	uint64_t own = variant.period ? now() + variant.period : UINT64_MAX;

	*COMPARE = own < timer.deadline ? own : timer.deadline;
	CSR_SET("mie", MIE_MTIE);
}

void firmware_start(uint64_t hart, uint64_t tree)
{
	CSR_WRITE("pmpaddr0", UINT64_MAX >> 10);
	CSR_WRITE("pmpcfg0", PMP_ALL);
	CSR_WRITE("medeleg", DELEGATED);
	CSR_WRITE("mideleg", MIP_STIP);
	CSR_WRITE("mcounteren", variant.counters);
	arm();
	CSR_CLEAR("mstatus", MPP_MASK);
	CSR_SET("mstatus", MPP_S);
	CSR_WRITE("mepc", PAYLOAD);

	register uint64_t a0 __asm__("a0") = hart;
	register uint64_t a1 __asm__("a1") = tree;

	__asm__ volatile("mret" : : "r"(a0), "r"(a1));
	__builtin_unreachable();
}

static void console(uint64_t *a, uint64_t function)
{
	uint64_t n = a[0] < MOST ? a[0] : MOST;
	uint8_t *bytes = (uint8_t *)a[1];
	uint64_t i = 0;

	if (function == DBCN_WRITE) {
		for (; i < n; i++) {
			while (!(UART[UART_LINE_STATUS] & TRANSMITTER_EMPTY))
				;
			UART[0] = bytes[i];
		}
	} else if (function == DBCN_READ) {
		for (; i < n && (UART[UART_LINE_STATUS] & DATA_READY); i++)
			bytes[i] = UART[0];
	}
	a[0] = 0;
	a[1] = i;
}

static void base(uint64_t *a, uint64_t function)
{
	uint64_t asked = a[0];

	a[0] = 0;
	a[1] = 2u << 24;
	if (function == BASE_PROBE)
		a[1] = asked == BASE || asked == TIME ||
		       (asked == SRST && !variant.no_power) ||
		       (asked == DBCN && variant.has_dbcn);
	else if (function > BASE_PROBE)
		a[1] = 0;
}

static void call(uint64_t *a)
{
	switch (a[7]) {
	case BASE:
		base(a, a[6]);
		return;
	case TIME:
		CSR_CLEAR("mip", MIP_STIP);
		timer.deadline = a[0];
		arm();
		a[0] = 0;
		return;
	case SRST:
	case LEGACY_SHUTDOWN:
		if (variant.no_power)
			break;
		*TEST = POWER_OFF;
		return;
	case DBCN:
		if (variant.has_dbcn) {
			console(a, a[6]);
			return;
		}
		break;
	default:
		break;
	}
	a[0] = (uint64_t)NOT_SUPPORTED;
}

void firmware_trap(uint64_t *a)
{
	uint64_t cause, pc;

	__asm__ volatile("csrr %0, mcause" : "=r"(cause));
	if (cause & INTERRUPT) {
		if (now() >= timer.deadline) {
			timer.deadline = UINT64_MAX;
			CSR_SET("mip", MIP_STIP);
		}
		arm();
		return;
	}
	/* Whatever else comes here is the end of the test. */
	if (cause != ECALL_FROM_S)
		*TEST = POWER_OFF;
	__asm__ volatile("csrr %0, mepc" : "=r"(pc));
	CSR_WRITE("mepc", pc + 4);
	call(a);
}
