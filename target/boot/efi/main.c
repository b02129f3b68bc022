/* An EFI application, any ISA.  Boot services stay active: memory, console and
 * power-off use them.  While kernels run the ISA's folder keeps the firmware
 * off the core (boot_quiet_begin).  Between kernels the task priority stays at
 * NOTIFY, so that the firmware's poll of the serial line does not consume the
 * host's bytes. */
#include "target/boot.h"

#include "target/boot/bare/about.h"
#include "target/boot/bare/fix.h"
#include "target/boot/bare/tree.h"
#include "target/boot/die.h"
#include "target/boot/efi/cores.h"
#include "target/boot/efi/machine.h"
#include "target/boot/efi/volume.h"
#include "target/boot/relocate.h"
#include "target/core/options.h"
#include "target/core/report.h"

efi_status EFIAPI efi_entry(efi_handle image, struct efi_system_table *st);

enum {
	VENDOR_MAX = 40,
};

static struct {
	struct efi_system_table *st;
	efi_handle image;
	uint64_t tpl;
	bool log_failed;
	/* Of a call of the firmware by its own core. */
	uint64_t n_pages, pages;
	void *sealed;
	size_t n_sealed;
	int seal_result;
} boot;

/* The file system works only at the priority of applications.  At this priority
 * the firmware polls its serial line and may consume the host's bytes, so the
 * file ends when a host sends (core/main.c). */
static void write_now(const char *bytes, size_t n)
{
	boot.st->boot->restore_tpl(boot.tpl);
	boot.log_failed |= !volume_log(bytes, n);
	boot.tpl = boot.st->boot->raise_tpl(EFI_TPL_NOTIFY);
}

static bool write_log(const char *bytes, size_t n)
{
	if (cores_are_first())
		write_now(bytes, n);
	else
		cores_keep(SINK_LOG, write_now, bytes, n);
	return !boot.log_failed;
}

static const void *checked_tree(const struct efi_system_table *st)
{
	const void *tree = efi_device_tree(st);

	if (!tree_check(tree))
		return NULL;
	if (!tree_is_whole(tree))
		boot_refuse(TREE_DAMAGED);
	return tree;
}

efi_status EFIAPI efi_entry(efi_handle image, struct efi_system_table *st)
{
	boot_relocate();
	boot.st = st;
	boot.image = image;
	/* Firmware resets the machine five minutes after it started a boot
	 * option, unless an option forbids it (UEFI 2.10, 7.5). */
	(void)st->boot->set_watchdog(0, 0, 0, NULL);
	options_take(__slot.options, sizeof(__slot.options));
	volume_options(st, image);
	if (options()->log && volume_log_open())
		report_tee(write_log);
	boot.tpl = st->boot->raise_tpl(EFI_TPL_NOTIFY);
	fix_board(checked_tree(st));
	boot_exit(runtime_main());
}

void machine_idle(uint64_t us)
{
	boot.st->boot->restore_tpl(boot.tpl);
	(void)boot.st->boot->stall(us);
	boot.tpl = boot.st->boot->raise_tpl(EFI_TPL_NOTIFY);
}

const struct efi_system_table *machine_system(void)
{
	return boot.st;
}

const void *boot_pack(size_t *ret_bytes)
{
	*ret_bytes = __slot.pack_bytes;
	return __slot.pack_bytes ? _start + __slot.runtime_bytes : NULL;
}

static void allocate(void)
{
	boot.pages = 0;
	if (boot.st->boot->allocate_pages(EFI_ALLOCATE_ANY, EFI_LOADER_CODE,
					  boot.n_pages, &boot.pages))
		boot.pages = 0;
}

void *boot_code_alloc(size_t n)
{
	boot.n_pages = (n + EFI_PAGE - 1) / EFI_PAGE;
	cores_on_first(allocate);
	return (void *)(uintptr_t)boot.pages;
}

/* Firmware that keeps pages either writable or executable has this protocol; on
 * other firmware they are both. */
static int make_executable(void *p, size_t n)
{
	/* EFI_MEMORY_ATTRIBUTE_PROTOCOL_GUID, UEFI 2.10, 37.7. */
	static const struct efi_guid guid = { 0xf4560cf6,
					      0x40ec,
					      0x4b4a,
					      { 0xa1, 0x92, 0xbf, 0x1d, 0x57,
						0xd0, 0xb1, 0x89 } };
	uint64_t from = (uintptr_t)p;
	uint64_t bytes = (n + EFI_PAGE - 1) / EFI_PAGE * EFI_PAGE;
	struct efi_memory_attribute *a;
	void *protocol = NULL;

	if (boot.st->boot->locate_protocol(&guid, NULL, &protocol))
		return 0;
	a = protocol;
	/* Never both at once. */
	if (a->set(a, from, bytes, EFI_MEMORY_RO) ||
	    a->clear(a, from, bytes, EFI_MEMORY_XP))
		return -1;
	return 0;
}

static void seal(void)
{
	boot.seal_result = make_executable(boot.sealed, boot.n_sealed);
}

int boot_code_seal(void *p, size_t n)
{
	boot.sealed = p;
	boot.n_sealed = n;
	cores_on_first(seal);
	arch_sync_code(p, n);
	return boot.seal_result;
}

void boot_describe(struct wire_line *w)
{
	char vendor[VENDOR_MAX];
	size_t n = 0;

	for (; n < sizeof(vendor) - 1 && boot.st->vendor[n]; n++)
		vendor[n] = boot.st->vendor[n] < 0x7f ? (char)boot.st->vendor[n]
						      : '?';
	vendor[n] = '\0';
	wire_word(w, "boot", "efi");
	wire_word(w, "firmware", vendor);
	wire_hex(w, "firmware_revision", boot.st->revision);
	machine_describe(w);
	volume_describe(w);
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
	efi_status result = status ? EFI_ERROR_BIT | 1 : 0;

	boot.st->boot->restore_tpl(boot.tpl);
	volume_log_close();
	/* Return to the caller: a shell or the boot manager. */
	if (!options()->poweroff)
		(void)boot.st->boot->exit(boot.image, result, 0, NULL);
	boot.st->runtime->reset(EFI_RESET_SHUTDOWN, result, 0, NULL);
	for (;;)
		;
}
