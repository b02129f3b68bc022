/* Messages of a boot folder that cannot go on: plain text. Inline, because
 * it is part of the linked boot folder. */
#ifndef BOOT_DIE_H
#define BOOT_DIE_H

#include "target/boot.h"
#include "target/boot/relocate.h"
#include "target/console.h"

static inline void die_say(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	for (size_t i = 0; consoles[i]; i++) {
		if (!consoles[i]->init())
			continue;
		consoles[i]->write(text, n);
		return;
	}
}

static inline void die_say_hex(const char *name, uint64_t value)
{
	static const char digits[] = "0123456789abcdef";
	char text[19] = "0x";

	for (int i = 0; i < 16; i++)
		text[2 + i] = digits[value >> (60 - 4 * i) & 0xf];
	die_say(name);
	die_say(text);
}

/* Say why nothing is measured, and exit. */
__attribute__((noreturn)) static inline void boot_refuse(const char *why)
{
	die_say("\r\nanechoic: ");
	die_say(why);
	die_say("\r\n");
	boot_exit(1);
}

/* Report the trap, with the pc relative to the runtime, and exit. */
__attribute__((noreturn)) static inline void boot_die(uint64_t cause,
						      uint64_t pc,
						      uint64_t address)
{
	die_say("\r\nanechoic: trap in the runtime:");
	die_say_hex(" cause ", cause);
	die_say_hex(" pc ", pc - (uintptr_t)_start);
	die_say_hex(" address ", address);
	die_say("\r\n");
	boot_exit(1);
}

#endif
