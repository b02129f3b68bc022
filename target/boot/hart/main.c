/* A RISC-V hart without an operating system, in S-mode or in M-mode: MMU off,
 * interrupts off.
 *
 * The watchdog is the mode's timer, the only interrupt ever enabled, and only
 * while a kernel runs.  Arming it may be a call of the firmware, so a deadline
 * serves several kernels: it is set two limits ahead and moved only when less
 * than one limit is left.  A kernel that hangs is stopped after between one and
 * two limits. */
#include "target/boot.h"

#include <string.h>

#include "common/slot.h"
#include "csr.h"
#include "target/arch/riscv64/units.h"
#include "target/boot/bare/about.h"
#include "target/boot/bare/fix.h"
#include "target/boot/bare/tree.h"
#include "target/boot/die.h"
#include "target/boot/hart/env.h"
#include "target/boot/hart/platform.h"
#include "target/boot/hart/power.h"
#include "target/boot/relocate.h"
#include "target/core/options.h"

enum { CODE_ALIGN = 64 };

#define TEXT_OF(word) #word
#define TEXT(word)    TEXT_OF(word)

#define INTERRUPT     (UINT64_C(1) << 63)
#define CAUSE_TIMER   (INTERRUPT | TIMER_CAUSE)
#define NEVER         UINT64_MAX

extern IMAGE_SYMBOL char trap_entry[];
void boot_start(uint64_t hart, const void *tree) __attribute__((noreturn));
struct arch_run *boot_trap(uint64_t cause, uint64_t pc, uint64_t address);

static struct {
	struct arch_run *volatile running;
	struct arch_fault *fault;
	uint64_t deadline;
	uintptr_t room; /* next free byte after the pack */
} boot;

void boot_start(uint64_t hart, const void *tree)
{
	boot_relocate();
	__asm__ volatile("csrw " TEXT(CSR_TVEC) ", %0" : : "r"(trap_entry));
	hart = env_hart(hart);
	tree = env_tree(tree);
	fix_start(tree_check(tree) ? tree : NULL);
	platform_read(tree, hart);
	if (platform_tree() && !tree_is_whole(platform_tree()))
		boot_refuse(TREE_DAMAGED);

	const char *text = platform_arguments();

	options_take(__slot.options, sizeof(__slot.options));
	if (text)
		options_take(text, strlen(text));
	fix_board(platform_tree());
	boot_exit(runtime_main());
}

/* Exception codes: Privileged ISA, tables "Supervisor" and "Machine cause register
 * values after trap". */
static const char *cause_word(uint64_t cause)
{
	static const char *const words[] = {
		[0] = "align",   [1] = "access",  [2] = "illegal",
		[3] = "trap",    [4] = "align",   [5] = "access",
		[6] = "align",   [7] = "access",  [8] = "trap",
		[9] = "trap",    [11] = "trap",   [12] = "access",
		[13] = "access", [15] = "access",
	};

	if (cause == CAUSE_TIMER)
		return "hang";
	if (cause < ARRAY_LEN(words) && words[cause])
		return words[cause];
	return "other";
}

struct arch_run *boot_trap(uint64_t cause, uint64_t pc, uint64_t address)
{
	struct arch_run *run = boot.running;

	boot.running = NULL;
	power_trapped();
	if (!run)
		boot_die(cause, pc, address);
	*boot.fault = (struct arch_fault){
		.cause = cause_word(cause),
		.code = cause,
		.pc = pc,
		.address = cause == CAUSE_TIMER ? 0 : address,
	};
	return run;
}

static void arm(uint64_t when)
{
	boot.deadline = when;
	env_set_timer(when);
}

void boot_quiet_end(void)
{
	__asm__ volatile("csrw " TEXT(CSR_IE) ", zero");
	arm(NEVER);
}

/* Without `time`, the host must detect a kernel that hangs. */
static void watch(uint64_t limit_ticks)
{
	uint64_t now;

	if (!units_time(&now)) {
		if (boot.deadline != NEVER)
			arm(NEVER);
	} else if (boot.deadline < now + limit_ticks) {
		arm(now + 2 * limit_ticks);
	}
}

static inline void interrupts_on(void)
{
	__asm__ volatile("csrsi " TEXT(CSR_STATUS) ", %0"
			 :
			 : "i"(STATUS_IE)
			 : "memory");
}

/* A core predicts branches by those before them, and keeps the last targets.  After
 * the same taken branches, more than a small core remembers, equal runs take
 * equal cycles, whatever the runtime did between them.  XuanTie's C906, whose
 * RTL is public, knows 14 outcomes and 16 targets. */
static inline void same_branches(void)
{
	__asm__ volatile(".rept 20\n\t"
			 "beq zero, zero, 1f\n"
			 "1:\n\t"
			 ".endr");
}

/* A branch that is not taken and many that are: so a kernel begins.  The predictor
 * has learned other things meanwhile, such as the length of a label; without this
 * the first row is slower than the second. */
static void learn_branches(void)
{
	enum { TIMES = 2 }; /* as many as a counter of two bits needs */

	for (unsigned i = 0; i < TIMES; i++) {
		same_branches();
		__asm__ volatile("bne zero, zero, 1f\n"
				 "1:"
				 : "+r"(i));
	}
}

void boot_quiet_begin(void)
{
	boot.deadline = 0;
	if (env_has_timer())
		__asm__ volatile("csrw " TEXT(CSR_IE) ", %0"
				 :
				 : "r"(UINT64_C(1) << TIMER_CAUSE));
	learn_branches();
}

int boot_run(struct arch_run *run, enum arch_clock clock, uint64_t limit_ticks,
	     struct arch_fault *ret_fault)
{
	int ret;

	watch(limit_ticks);
	boot.fault = ret_fault;
	boot.running = run;
	if (clock == ARCH_CLOCK_CORE) {
		interrupts_on();
		same_branches();
		ret = arch_measure_core(run);
	} else {
		interrupts_on();
		ret = arch_measure_ref(run);
	}
	__asm__ volatile("csrci " TEXT(CSR_STATUS) ", %0"
			 :
			 : "i"(STATUS_IE)
			 : "memory");
	boot.running = NULL;
	/* A deadline that has fired is pending until it is moved. */
	if (ret)
		boot.deadline = 0;
	return ret;
}

const void *boot_pack(size_t *ret_bytes)
{
	*ret_bytes = __slot.pack_bytes;
	return __slot.pack_bytes ? _start + __slot.runtime_bytes : NULL;
}

/* The code is placed after pack and tree: with the MMU off all memory is executable,
 * and the size in the Image header reserves this memory.  If a loader ignores
 * the size, the position of the tree shows it. */
void *boot_code_alloc(size_t n)
{
	const void *tree = platform_tree();
	uintptr_t from = (uintptr_t)tree;
	uintptr_t file = (uintptr_t)_start + slot_file_bytes(&__slot);
	uintptr_t end = file + __slot.room_bytes;

	if (!boot.room)
		boot.room = file;
	boot.room = (boot.room + CODE_ALIGN - 1) & ~(uintptr_t)(CODE_ALIGN - 1);
	if (boot.room > end || n > end - boot.room)
		return NULL;
	if (tree && from < boot.room + n && boot.room < from + tree_bytes(tree))
		return NULL;

	void *p = (void *)boot.room;

	boot.room += n;
	return p;
}

int boot_code_seal(void *p, size_t n)
{
	arch_sync_code(p, n);
	return 0;
}

void boot_describe(struct wire_line *w)
{
	wire_word(w, "boot", env_boot);
	platform_describe(w);
	fix_describe(w);
}

void boot_describe_image(struct wire_line *w)
{
	about_describe(w, __slot.about, sizeof(__slot.about));
}

bool boot_is_shared(void)
{
	return false;
}

void boot_exit(int status)
{
	power_off(status != 0);
}
