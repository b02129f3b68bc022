/* HTIF comes before the firmware: OpenSBI (1.1 was seen, the source of 1.9 has
 * the same lines) does nothing and does not return when it is asked to switch
 * off a machine whose HTIF has an address in the tree.  The stores in the
 * endless loop of htif_system_reset() are not volatile, and the compiler drops
 * them.  The test device comes after the firmware, which usually knows it and
 * more. */
#include "target/boot/hart/power.h"

#include "common/types.h"
#include "target/boot/bare/tree.h"
#include "target/boot/die.h"
#include "target/boot/hart/env.h"
#include "target/boot/hart/platform.h"

enum {
	/* fesvr of riscv-isa-sim: device 0, command 0, and bit 0 set: an exit, the
	 * bits above it are its status. */
	HTIF_EXIT = 1,
	HTIF_STATUS = 1,
	HTIF_TRIES = 100 * 1000,
	/* include/hw/misc/sifive_test.h of QEMU; the status is above 16 bits. */
	TEST_PASS = 0x5555,
	TEST_FAIL = 0x3333,
	TEST_STATUS = 16,
};

/* An access to a device may trap, so each way is counted before it is tried. */
static struct {
	bool going, failed;
	unsigned tried;
} power;

static void by_htif(bool failed)
{
	uint64_t from, address = platform_htif(&from);

	if (!address)
		return;

	volatile uint64_t *tohost = (volatile uint64_t *)(uintptr_t)address;

	/* What the console wrote last is taken first. */
	for (int i = 0; i < HTIF_TRIES && *tohost; i++)
		continue;
	*tohost = (uint64_t)failed << HTIF_STATUS | HTIF_EXIT;
}

static void by_test_device(bool failed)
{
	const void *t = platform_tree();
	int node = t ? tree_with(t, "sifive,test0") : TREE_NONE;
	uint64_t address = tree_address(t, node, 0);

	if (address)
		*(volatile uint32_t *)(uintptr_t)address =
			failed ? 1u << TEST_STATUS | TEST_FAIL : TEST_PASS;
}

__attribute__((noreturn)) static void go_on(void)
{
	static void (*const ways[])(bool failed) = {
		by_htif,
		env_power_off,
		by_test_device,
		env_power_off_last,
	};

	while (power.tried < ARRAY_LEN(ways))
		ways[power.tried++](power.failed);
	for (;;)
		__asm__ volatile("wfi");
}

void power_off(bool failed)
{
	power.going = true;
	power.failed = failed;
	go_on();
}

void power_trapped(void)
{
	if (power.going)
		go_on();
}
