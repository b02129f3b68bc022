/* From the initial stack to runtime_main(). */
#include "target/boot/linux/linux.h"

enum { STATUS_USAGE = 2 };

void linux_main(uint64_t *stack)
{
	struct linux_options o = { .pack = NULL };

	linux_relocate(stack);

	uint64_t argc = stack[0];
	char **argv = (char **)(stack + 1);

	if (argc == 0 || !linux_parse(argv + 1, &o) || !linux_settle(&o))
		boot_exit(STATUS_USAGE);
	if (linux_catch_signals() < 0) {
		linux_complain("signals", "", "handlers the system accepts");
		boot_exit(1);
	}
	linux_use_pages(linux_page_bytes(stack));
	/* If it fails, runtime_main() reports it on the console, too. */
	(void)linux_map_pack(o.pack);
	boot_exit(runtime_main());
}
