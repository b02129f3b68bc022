/* The quiet section on x86-64: the runtime's descriptor tables while kernels
 * run, the firmware's otherwise.
 *
 * Every vector runs on a stack of its own (IST): a kernel with a corrupt stack
 * pointer ends in a record, not in a triple fault.
 *
 * The watchdog is the local APIC's timer, periodic, at the only priority that
 * the task priority register admits.  The old interrupt controllers ignore that
 * register and are masked.  SDM vol. 3, chapters 6 to 8. */
#include "target/boot.h"

#include <string.h>

#include "target/boot/die.h"
#include "target/boot/efi/cores.h"
#include "target/boot/efi/machine.h"
#include "target/boot/efi/x86_64/apic.h"
#include "target/boot/efi/x86_64/quiet.h"

enum {
	N_VECTORS = 256,
	N_EXCEPTIONS = 32,
	STUB_TIMER = 32,
	STUB_SPURIOUS = 33,
	STUB_BYTES = 16,
	GATE_INTERRUPT = 0x8e, /* present, ring 0, 64-bit interrupt gate */
	TSS_AVAILABLE = 0x89,  /* present, ring 0, available 64-bit TSS */
	STACK_BYTES = 16 * 1024,
	GDT_ENTRIES = 64, /* firmware's, and the two of a TSS */
	PIC_MASTER = 0x21,
	PIC_SLAVE = 0xa1,
	PIC_ALL = 0xff,
	/* TF, DF, NT and AC: the runtime expects them clear. */
	UNWANTED_FLAGS = 0x100 | 0x400 | 0x4000 | 0x40000,
	FLAG_IF = 0x200,
};

enum ist { IST_NONE, IST_FAULT, IST_TIMER, N_IST };

/* The layout that the CPU and vectors.S push. */
struct trap_frame {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8;
	uint64_t rdi, rsi, rbp, rbx, rdx, rcx, rax;
	uint64_t vector, error;
	uint64_t rip, cs, rflags, rsp, ss;
};

_Static_assert(sizeof(struct trap_frame) == 22 * 8, "shared with vectors.S");

struct gate {
	uint16_t offset_0, selector;
	uint8_t ist, type;
	uint16_t offset_16;
	uint32_t offset_32, reserved;
};

struct tss {
	uint32_t reserved_0;
	uint32_t rsp[6];
	uint32_t reserved_1[2];
	uint32_t ist[14];
	uint32_t reserved_2[2];
	uint16_t reserved_3, io_map;
};

struct table {
	uint16_t limit;
	uint64_t base;
} __attribute__((packed));

_Static_assert(sizeof(struct gate) == 16, "SDM vol. 3, 6.14.1");
_Static_assert(sizeof(struct tss) == 104, "SDM vol. 3, 8.7");
_Static_assert(sizeof(struct table) == 10, "SDM vol. 3, 2.4");

extern IMAGE_SYMBOL char boot_vectors[];
void boot_trap(struct trap_frame *f);

static struct {
	bool ready, watchdog;
	struct arch_run *volatile run; /* the kernel being run, or NULL */
	volatile uint64_t deadline;
	struct arch_fault fault;
	bool asked; /* boot_time_ns() has started */
	uint64_t waited_us;
	/* The firmware's, to be restored. */
	struct table old_gdt, old_idt;
	uint64_t old_priority, old_flags;
	uint8_t old_master, old_slave;
	/* The runtime's. */
	struct table gdt, idt;
	uint64_t descriptors[GDT_ENTRIES];
	struct gate gates[N_VECTORS];
	struct tss tss;
	unsigned char stacks[N_IST][STACK_BYTES] __attribute__((aligned(16)));
} trap;

static uint8_t get_port(uint16_t port)
{
	uint8_t value;

	__asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
	return value;
}

static void put_port(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static void set_gate(unsigned vector, unsigned stub, enum ist ist)
{
	uint64_t at = (uintptr_t)boot_vectors + (uintptr_t)stub * STUB_BYTES;
	uint16_t cs;

	__asm__("mov %%cs, %0" : "=r"(cs));
	trap.gates[vector] = (struct gate){
		.offset_0 = (uint16_t)at,
		.selector = cs,
		.ist = (uint8_t)ist,
		.type = GATE_INTERRUPT,
		.offset_16 = (uint16_t)(at >> 16),
		.offset_32 = (uint32_t)(at >> 32),
	};
}

/* The firmware's segments, so that selectors in use stay valid, followed by the
 * runtime's TSS; returns its selector. */
static uint16_t copy_segments(void)
{
	struct table old;
	uint64_t base = (uintptr_t)&trap.tss;
	uint64_t limit = sizeof(trap.tss) - 1;

	__asm__ volatile("sgdt %0" : "=m"(old));

	size_t n = ((size_t)old.limit + 1) / sizeof(uint64_t);

	if (n > GDT_ENTRIES - 2)
		n = GDT_ENTRIES - 2;
	memcpy(trap.descriptors, (const void *)old.base, n * sizeof(uint64_t));
	trap.descriptors[n] = limit | (base & 0xffffff) << 16 |
			      (uint64_t)TSS_AVAILABLE << 40 |
			      (base >> 24 & 0xff) << 56;
	trap.descriptors[n + 1] = base >> 32;
	trap.gdt.base = (uintptr_t)trap.descriptors;
	trap.gdt.limit = (uint16_t)((n + 2) * sizeof(uint64_t) - 1);
	return (uint16_t)(n * sizeof(uint64_t));
}

static void prepare(void)
{
	struct table old;
	uint16_t tss = copy_segments();

	for (size_t i = IST_FAULT; i < N_IST; i++) {
		uint64_t top = (uintptr_t)trap.stacks[i] + STACK_BYTES;

		trap.tss.ist[2 * (i - 1)] = (uint32_t)top;
		trap.tss.ist[2 * (i - 1) + 1] = (uint32_t)(top >> 32);
	}
	trap.tss.io_map = sizeof(trap.tss);
	for (unsigned i = 0; i < N_EXCEPTIONS; i++)
		set_gate(i, i, IST_FAULT);
	set_gate(APIC_TIMER_VECTOR, STUB_TIMER, IST_TIMER);
	set_gate(APIC_SPURIOUS_VECTOR, STUB_SPURIOUS, IST_TIMER);
	trap.idt.base = (uintptr_t)trap.gates;
	trap.idt.limit = sizeof(trap.gates) - 1;

	/* The task register keeps its value when the table changes. */
	__asm__ volatile("sgdt %0" : "=m"(old));
	__asm__ volatile("lgdt %0" : : "m"(trap.gdt));
	__asm__ volatile("ltr %0" : : "r"(tss));
	__asm__ volatile("lgdt %0" : : "m"(old));
	trap.watchdog = apic_init();
	trap.ready = true;
}

void quiet_restart(void)
{
	trap.ready = false;
}

/* The old interrupt controllers interrupt the first core alone. */
static void mask_old(void)
{
	if (!cores_are_first())
		return;
	trap.old_master = get_port(PIC_MASTER);
	trap.old_slave = get_port(PIC_SLAVE);
	put_port(PIC_MASTER, PIC_ALL);
	put_port(PIC_SLAVE, PIC_ALL);
}

static void unmask_old(void)
{
	if (!cores_are_first())
		return;
	put_port(PIC_MASTER, trap.old_master);
	put_port(PIC_SLAVE, trap.old_slave);
}

void boot_quiet_begin(void)
{
	__asm__ volatile("pushfq; popq %0; cli" : "=r"(trap.old_flags));
	if (!trap.ready)
		prepare();
	__asm__ volatile("sgdt %0" : "=m"(trap.old_gdt));
	__asm__ volatile("sidt %0" : "=m"(trap.old_idt));
	__asm__ volatile("mov %%cr8, %0" : "=r"(trap.old_priority));
	mask_old();
	__asm__ volatile("mov %0, %%cr8" : : "r"((uint64_t)APIC_PRIORITY));
	__asm__ volatile("lgdt %0" : : "m"(trap.gdt));
	__asm__ volatile("lidt %0" : : "m"(trap.idt));
	if (trap.watchdog)
		apic_take();
}

void boot_quiet_end(void)
{
	if (trap.watchdog)
		apic_give();
	__asm__ volatile("lidt %0" : : "m"(trap.old_idt));
	__asm__ volatile("lgdt %0" : : "m"(trap.old_gdt));
	__asm__ volatile("mov %0, %%cr8" : : "r"(trap.old_priority));
	unmask_old();
	if (trap.old_flags & FLAG_IF)
		__asm__ volatile("sti");
}

/* SDM vol. 3, table 6-1. */
static const char *cause_of(uint64_t vector)
{
	static const char *const causes[N_EXCEPTIONS] = {
		[0] = "fpe",     [1] = "trap",    [3] = "trap",
		[4] = "trap",    [5] = "trap",    [6] = "illegal",
		[7] = "illegal", [12] = "access", [13] = "access",
		[14] = "access", [16] = "fpe",    [17] = "align",
		[19] = "fpe",
	};

	if (vector == STUB_TIMER)
		return "hang";
	if (vector < N_EXCEPTIONS && causes[vector])
		return causes[vector];
	return "other";
}

void boot_trap(struct trap_frame *f)
{
	enum { PAGE_FAULT = 14 };
	struct arch_run *run = trap.run;
	uint64_t address;

	__asm__ volatile("mov %%cr2, %0" : "=r"(address));
	if (f->vector == STUB_SPURIOUS)
		return;
	if (f->vector == STUB_TIMER) {
		apic_end_of_interrupt();
		if (!run || arch_ref_now() < trap.deadline ||
		    !arch_run_is_live(run, f->rsp))
			return;
	}
	if (!run)
		boot_die(f->vector, f->rip, address);
	trap.run = NULL;
	trap.fault = (struct arch_fault){
		.cause = cause_of(f->vector),
		.pc = f->rip,
	};
	if (f->vector < N_EXCEPTIONS)
		trap.fault.code = f->vector;
	if (f->vector == PAGE_FAULT)
		trap.fault.address = address;
	f->rip = (uintptr_t)arch_measure_abort;
	f->rdi = (uintptr_t)run;
	f->rsp = run->saved_sp;
	f->rflags &= ~(uint64_t)UNWANTED_FLAGS;
}

int boot_run(struct arch_run *run, enum arch_clock clock, uint64_t limit_ticks,
	     struct arch_fault *ret_fault)
{
	static int (*const measure[ARCH_N_CLOCKS])(struct arch_run *) = {
		[ARCH_CLOCK_CORE] = arch_measure_core,
		[ARCH_CLOCK_REF] = arch_measure_ref,
	};
	int faulted;

	run->saved_sp = 0;
	trap.deadline = arch_ref_now() + limit_ticks;
	trap.run = run;
	__asm__ volatile("sti" : : : "memory");
	faulted = measure[clock](run);
	__asm__ volatile("cli" : : : "memory");
	trap.run = NULL;
	if (faulted)
		*ret_fault = trap.fault;
	return faulted;
}

/* Boot services have no clock, but can wait: each call waits, and adds the
 * time. */
uint64_t boot_time_ns(void)
{
	enum { STEP_US = 25 * 1000, NS_PER_US = 1000 };

	if (trap.asked) {
		(void)machine_system()->boot->stall(STEP_US);
		trap.waited_us += STEP_US;
	}
	trap.asked = true;
	return trap.waited_us * NS_PER_US;
}

/* Not checked: EDK2 maps the addresses of devices one to one here. */
bool machine_map(uint64_t address)
{
	(void)address;
	return true;
}

void machine_describe(struct wire_line *w)
{
	wire_word(w, "watchdog", apic_present() ? "apic" : "none");
}
