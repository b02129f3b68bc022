/* SpacemiT K1: stop the watchdog if the firmware left it running, because the
 * runtime does not feed it.  If the clock of the block is off, the watchdog
 * cannot run, and a write could hang the bus: then nothing is written.
 *
 * Addresses and keys, from SpacemiT's sources:
 *  - the watchdog at 0xd4080000: the node watchdog@d4080000, compatible
 *    "spacemit,soc-wdt", of k1-x.dtsi in their Linux 6.6, and K1X_WDT_REG of
 *    spacemit_sysreset in their U-Boot 2022.10;
 *  - its registers and the two keys before every write: the same driver, and
 *    drivers/watchdog/k1x_wdt.c of that Linux, which stops it by a 1 to WCR
 *    and a 0 to WMER;
 *  - its clock and reset, 0xd4050200 in the MPMU: K1X_WDT_CLK_RESET_REG of that
 *    U-Boot, where bits 0 and 1 are the clocks and bit 2 holds the reset. */
#include "target/fixup.h"

#define WATCHDOG    UINT64_C(0xd4080000)
#define CLOCK_RESET UINT64_C(0xd4050200)

enum {
	CLOCKS_ON = 3,
	IN_RESET = 1 << 2,
	FIRST_KEY_AT = 0xb0, /* WFAR */
	FIRST_KEY = 0xbaba,
	SECOND_KEY_AT = 0xb4, /* WSAR */
	SECOND_KEY = 0xeb10,
	MODE = 0xb8, /* WMER: bit 0 counts, bit 1 resets */
	COUNTS = 1,
	RESTART = 0xc8, /* WCR */
};

static uint32_t get(uint64_t address)
{
	return *(volatile uint32_t *)(uintptr_t)address;
}

static void put(uint64_t address, uint32_t value)
{
	*(volatile uint32_t *)(uintptr_t)address = value;
}

static void put_watchdog(uint32_t at, uint32_t value)
{
	put(WATCHDOG + FIRST_KEY_AT, FIRST_KEY);
	put(WATCHDOG + SECOND_KEY_AT, SECOND_KEY);
	put(WATCHDOG + at, value);
}

static const char *stop_watchdog(void)
{
	uint32_t clock = get(CLOCK_RESET);

	if ((clock & CLOCKS_ON) != CLOCKS_ON || (clock & IN_RESET))
		return "watchdog-off";
	if (!(get(WATCHDOG + MODE) & COUNTS))
		return "watchdog-idle";
	put_watchdog(RESTART, 1);
	put_watchdog(MODE, 0);
	return "watchdog-stopped";
}

/* The root of published trees: "spacemit,k1" in Linux; "spacemit,k1-x" in
 * k1-x.dtsi of SpacemiT's Linux 6.1 and 6.6, which the boards with an M1 include,
 * too; "spacemit,k1x" in their U-Boot 2022.10; "ky,x1" in Orange Pi's, who sell
 * the chip by this name. */
static const char *const chips[] = { "spacemit,k1", "spacemit,m1", "ky,x1",
				     NULL };

extern const struct fixup fixup_banana_pi_f3;
const struct fixup fixup_banana_pi_f3 = {
	.chips = chips,
	.unread = "pmic-watchdog",
	.apply = stop_watchdog,
};
