/* Firmware with interrupts that have nothing to do with the runtime.
 *
 *	foreign.efi	the physical timer of EL1 fires each 20 microseconds,
 *			also while kernels run
 *	hidden.efi	the same, and the firmware hides its driver of the
 *			interrupt controller
 *	masked.efi	the firmware does not tick: its timer is off, and another
 *			one runs with its interrupt masked */
#include "target/boot/efi/aarch64/registers.h"
#include "tests/qemu/firmware/shim.h"

enum {
	SOURCE = 30, /* the physical timer of EL1: Arm BSA, PPI assignment */
	ENABLE = 1 << 0,
	MASK = 1 << 1,
	PER_S = 50000,
	NOT_FOUND = 14, /* UEFI 2.10, appendix D */
};

typedef efi_status add_fn(void *driver, uint64_t source,
			  void (*handler)(uint64_t source, void *context));
typedef efi_status end_fn(void *driver, uint64_t source);
typedef efi_status locate_fn(const struct efi_guid *, void *registration,
			     void **ret);

/* EFI_HARDWARE_INTERRUPT_PROTOCOL of EDK2 (EmbeddedPkg). */
struct driver {
	add_fn *add;
	void *enable, *disable, *state;
	end_fn *end;
};

static const struct efi_guid guid = { 0x2890b3ea,
				      0x053d,
				      0x1643,
				      { 0xad, 0x0c, 0xd6, 0x48, 0x08, 0xda,
					0x3f, 0xf1 } };
static struct driver *driver;
static locate_fn *firmware_locate;

static void arm(void)
{
	WRITE("cntp_cval_el0", READ("cntpct_el0") + READ("cntfrq_el0") / PER_S);
	WRITE("cntp_ctl_el0", ENABLE);
}

static void handle(uint64_t source, void *context)
{
	(void)context;
	arm();
	(void)driver->end(driver, source);
}

static efi_status locate(const struct efi_guid *what, void *registration,
			 void **ret)
{
	if (efi_guid_is(what, &guid))
		return EFI_ERROR_BIT | NOT_FOUND;
	return firmware_locate(what, registration, ret);
}

efi_status shim_install(struct efi_system_table *st)
{
	void *p = NULL;
	efi_status status = st->boot->locate_protocol(&guid, NULL, &p);

	if (status)
		return status;
	driver = p;
	if (MASKED) {
		WRITE("cntv_ctl_el0", 0);
		WRITE("cntp_ctl_el0", ENABLE | MASK);
		return 0;
	}
	/* EDK2 has its own handler for all timers. */
	(void)driver->add(driver, SOURCE, NULL);
	status = driver->add(driver, SOURCE, handle);
	if (status)
		return status;
	arm();
	if (HIDDEN) {
		firmware_locate = st->boot->locate_protocol;
		st->boot->locate_protocol = locate;
	}
	return 0;
}
