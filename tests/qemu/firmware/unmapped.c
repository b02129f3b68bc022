/* A firmware that maps the registers of its UART only while it uses them: when
 * the application raises the priority, so that no poll of the firmware is due,
 * the page disappears. */
#include "tests/qemu/firmware/shim.h"

#define UART UINT64_C(0x09000000) /* of QEMU's machine virt */

enum { VALID = 1 << 0 };

typedef uint64_t raise_fn(uint64_t tpl);

static raise_fn *firmware_raise;
static allocate_fn *firmware_allocate;
static bool gone;

static uint64_t raise(uint64_t tpl)
{
	uint64_t before = firmware_raise(tpl);

	if (!gone && shim_is_application(__builtin_return_address(0)))
		gone = tables_change(firmware_allocate, UART, EFI_PAGE, 0,
				     VALID) == 0;
	return before;
}

efi_status shim_install(struct efi_system_table *st)
{
	firmware_raise = st->boot->raise_tpl;
	firmware_allocate = st->boot->allocate_pages;
	st->boot->raise_tpl = raise;
	return 0;
}
