/* What an instruction set must provide to the runtime.  One folder under
 * target/arch/<isa>/ implements this; the build selects it by include path
 * and link, so a missing function is a link error. */
#ifndef TARGET_ARCH_H
#define TARGET_ARCH_H

#include "common/pack.h"
#include "common/types.h"

/* The counters that a routine can read.  CORE counts cycles of this core; REF
 * ticks at a constant rate. */
enum arch_clock {
	ARCH_CLOCK_CORE,
	ARCH_CLOCK_REF,
	ARCH_N_CLOCKS,
};

/* One execution of a kernel.  Offsets are shared with measure.S and asserted
 * there and in arch_regs.h. */
struct arch_run {
	const void *code;               /*  0 entry of the kernel */
	const struct pack_image *image; /*  8 registers, memory already based */
	uint64_t begin;                 /* 16 out: counter before */
	uint64_t end;                   /* 24 out: counter after */
	uint64_t saved_sp;              /* 32 for arch_measure_abort */
	uint64_t vector;                /* 40 nonzero: load FP/vector too; the
					 * kernel's enum pack_kernel_flags */
	uint64_t aux_begin;             /* 48 out: second counter, or 0 */
	uint64_t aux_end;               /* 56 out */
	/* The kernel's memory, which may hold its stack. */
	uint64_t memory, memory_end;
	/* Of PACK_KERNEL_PAGES: 1 + the kernel's number; else 0. */
	uint32_t pages, reserved;
};

_Static_assert(offsetof(struct arch_run, memory) == 64, "measure.S");
_Static_assert(offsetof(struct arch_run, saved_sp) == 32, "measure.S");

/* Is the measuring routine's frame valid with this stack pointer?  Directly
 * before and after the routine there is no frame to abort to. */
static inline bool arch_run_is_live(const struct arch_run *run, uint64_t sp)
{
	return sp <= run->saved_sp ||
	       (run->saved_sp != 0 && sp >= run->memory &&
		sp <= run->memory_end);
}

/* The frozen measuring routine, one per clock: saves the callee-saved state,
 * loads the register image, serialises, reads the counter, calls the code,
 * serialises, reads again, restores.  Returns 0, or 1 when a fault handler
 * resumed at arch_measure_abort.  Nothing else reads the counter. */
int arch_measure_core(struct arch_run *run);
int arch_measure_ref(struct arch_run *run);

/* Registers as a kernel leaves them; 0: those that this core does not have, and
 * x86's MMX and x87.  The layout of struct pack_image. */
struct arch_registers {
	uint64_t gpr[32]; /* but the stack pointer and the link register */
	uint8_t vector[32][16];
	uint64_t fp[32];
};
extern struct arch_registers arch_registers;

/* Code for arch_run.code: calls arch_observed and stores the registers behind it.
 * The ticks of such a run mean nothing. */
extern char arch_observe[] __attribute__((visibility("hidden")));
extern const void *arch_observed;

/* Target of a fault handler for a faulting kernel: enter with the arch_run
 * pointer in the first argument register; any stack, any register contents.
 * Restores the state that arch_measure_*() saved and makes it return 1. */
extern char arch_measure_abort[] __attribute__((visibility("hidden")));

/* The ISA of this folder: only packs for it run. */
enum pack_isa arch_isa(void);

/* Make n bytes of freshly written code at p visible to instruction fetch. */
void arch_sync_code(void *p, size_t n);

/* Prepare this core for kernels at the runtime's privilege: enable FP/vector
 * units and counters.  A process has no privileges; the boot folder reports
 * what is allowed.  Called once, by runtime_main(). */
void arch_init(void);

/* The best usable clock, found by trying it. */
enum arch_clock arch_best_clock(void);

/* Rate of the REF clock in ticks per second, 0 if unknown. */
uint64_t arch_ref_hz(void);

/* The REF clock; for watchdogs and waits, never for measurements. */
uint64_t arch_ref_now(void);

/* A fault seen while a kernel ran, filled by the boot folder's handler. */
struct arch_fault {
	const char
		*cause; /* illegal access align fpe hang ... (common/wire.md) */
	uint64_t code;  /* the architecture's own number for it */
	uint64_t pc;
	uint64_t address;
};

/* Identification for the INFO record: calls add(key, value) for each fact
 * (cpu, vlenb, el, features); values are short words. */
struct wire_line;
void arch_describe(struct wire_line *w);

#endif
