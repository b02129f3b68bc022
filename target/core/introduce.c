/* The records that a runtime begins with: what it runs on, and which pack. */
#include "target/core/introduce.h"

#include "common/say.h"
#include "target/boot.h"
#include "target/core/clock.h"
#include "target/core/cores.h"
#include "target/core/options.h"
#include "target/core/report.h"

/* What is there for packs.  It is found once, before the first of them has memory. */
static void describe_memory(struct wire_line *w)
{
	static struct {
		bool is_known;
		uint64_t data_bytes, page_bytes;
	} memory;

	if (!memory.is_known) {
		memory.is_known = true;
		memory.data_bytes = boot_memory_most();
		memory.page_bytes = boot_page_bytes();
	}
	wire_u64(w, "data_bytes", memory.data_bytes);
	wire_u64(w, "page_bytes", memory.page_bytes);
}

void introduce_core(enum arch_clock clock)
{
	static const char *const isas[] = {
		[PACK_ISA_X86_64] = "x86_64",
		[PACK_ISA_AARCH64] = "aarch64",
		[PACK_ISA_RISCV64] = "riscv64",
	};
	static const char *const clocks[ARCH_N_CLOCKS] = {
		[ARCH_CLOCK_CORE] = "core",
		[ARCH_CLOCK_REF] = "ref",
	};
	struct wire_line *w = report_begin("info");

	wire_u64(w, "proto", WIRE_VERSION);
	wire_word(w, "isa", isas[arch_isa()]);
	wire_word(w, "clock", clocks[clock]);
	wire_u64(w, "hz", clock_hz());
	wire_word(w, "console", report_console());
	cores_describe(w);
	if (boot_is_shared())
		wire_u64(w, "work", 1); /* it understands the command */
	describe_memory(w);
	boot_describe(w);
	arch_describe(w);
	options_describe(w);
	boot_describe_image(w);
	if (!report_send())
		report_message("error", "the info record does not fit a line");
}

static void say_no_pack(void)
{
	struct wire_line *w = report_begin("pack");

	wire_hex(w, "id", 0);
	wire_u64(w, "kernels", 0);
	(void)report_send();
}

void introduce_pack(const void *pack, enum arch_clock clock, uint32_t visits)
{
	if (!pack) {
		say_no_pack();
		return;
	}
	say_pack(report_begin("pack"), pack, visits, clock == ARCH_CLOCK_CORE);
	(void)report_send();
}
