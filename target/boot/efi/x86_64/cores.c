/* Other cores, by the firmware's MP services (PI specification, volume 2, 13.4).
 * A core's number is the one that they give it.  They start a core in 64-bit mode
 * with the first core's page tables, and a stack of its own. */
#include "target/boot/efi/cores.h"

#include "target/arch/x86_64/cpu.h"
#include "target/boot/efi/machine.h"
#include "target/boot/efi/x86_64/quiet.h"

enum {
	IS_FIRST = 1 << 0, /* of struct efi_processor.flags */
	IS_ENABLED = 1 << 1,
	IS_HEALTHY = 1 << 2,
	STALL_US = 1000,
	STALLS = 500, /* the firmware looks after its cores each 100 ms */
	FLAG_IF = 0x200,
	PAUSES = 1000,
};

struct efi_processor {
	uint64_t id;
	uint32_t flags;
	uint32_t package, core, thread;
	uint32_t extended[6];
};

struct efi_mp {
	efi_status(EFIAPI *count)(struct efi_mp *, uint64_t *ret_n,
				  uint64_t *ret_enabled);
	efi_status(EFIAPI *info)(struct efi_mp *, uint64_t number,
				 struct efi_processor *ret);
	void *start_all;
	efi_status(EFIAPI *start)(struct efi_mp *, void(EFIAPI *f)(void *),
				  uint64_t number, efi_handle event,
				  uint64_t timeout_us, void *context,
				  uint8_t *ret_finished);
};

_Static_assert(sizeof(struct efi_processor) == 48, "PI, vol. 2, 13.4.3");

static struct {
	struct efi_mp *services; /* NULL: the firmware has none */
	efi_handle event;
	uint64_t number, *called; /* of the core that is started */
} mp;

size_t machine_cores(uint64_t numbers[CORES_MAX], uint64_t *ret_first)
{
	/* EFI_MP_SERVICES_PROTOCOL_GUID */
	static const struct efi_guid guid = { 0x3fdda605,
					      0xa76e,
					      0x4f46,
					      { 0xad, 0x29, 0x12, 0xf4, 0x53,
						0x1b, 0x3d, 0x08 } };
	uint64_t count = 0, enabled;
	void *p = NULL;
	size_t n = 0;

	if (machine_system()->boot->locate_protocol(&guid, NULL, &p) || !p)
		return 0;
	mp.services = p;
	if (mp.services->count(mp.services, &count, &enabled))
		return 0;
	for (uint64_t i = 0; i < count && n < CORES_MAX; i++) {
		struct efi_processor core;

		if (mp.services->info(mp.services, i, &core) ||
		    !(core.flags & IS_ENABLED) || !(core.flags & IS_HEALTHY))
			continue;
		if (core.flags & IS_FIRST)
			*ret_first = i;
		numbers[n++] = i;
	}
	return n;
}

bool machine_core_prepare(uint64_t core)
{
	(void)core;
	if (mp.services && !mp.event &&
	    machine_system()->boot->create_event(0, 0, NULL, NULL, &mp.event))
		mp.event = NULL;
	return mp.event != NULL;
}

/* Where the firmware's procedure begins on the other core. */
static void EFIAPI enter(void *context)
{
	uint64_t expected = mp.number + 1;

	(void)context;
	if (__atomic_compare_exchange_n(mp.called, &expected, 0, false,
					__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		cores_enter();
}

/* A core that has just ended is free as soon as the firmware has noticed. */
bool machine_core_start(uint64_t core, uintptr_t called)
{
	struct efi_mp *s = mp.services;
	efi_status status = EFI_ERROR_BIT;

	mp.number = core;
	mp.called = (uint64_t *)called;
	for (int i = 0; i < STALLS; i++) {
		status = s->start(s, enter, core, mp.event, 0, NULL, NULL);
		if (status != EFI_NOT_READY)
			break;
		machine_idle(STALL_US);
	}
	return status == 0;
}

/* Interrupts of the firmware's timer end it. */
void machine_rest(void)
{
	uint64_t flags;

	__asm__ volatile("pushfq; popq %0" : "=r"(flags));
	if (flags & FLAG_IF)
		__asm__ volatile("hlt" : : : "memory");
	for (int i = 0; i < PAUSES && !(flags & FLAG_IF); i++)
		__asm__ volatile("pause" : : : "memory");
}

/* The descriptors and the local APIC of quiet.c are those of the core that
 * runs. */
void machine_wait_begin(void)
{
	quiet_restart();
}

void machine_wait_end(void)
{
	quiet_restart();
}

void machine_core_begin(void)
{
}

uint64_t machine_kind(void)
{
	return cpu_kind();
}
