/* The records that a runtime begins with: what it runs on, and which pack. */
#include "target/core/introduce.h"

#include "common/wire.h"
#include "target/boot.h"
#include "target/core/clock.h"
#include "target/core/cores.h"
#include "target/core/options.h"
#include "target/core/report.h"

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
	boot_describe(w);
	arch_describe(w);
	options_describe(w);
	boot_describe_image(w);
	if (!report_send())
		report_message("error", "the info record does not fit a line");
}

static void say_calib_unroll(struct wire_line *w, const void *pack,
			     enum pack_calib calib)
{
	static const char *const keys[PACK_N_CALIB] = {
		[PACK_CALIB_CHAIN_A] = "au",
		[PACK_CALIB_CHAIN_B] = "bu",
		[PACK_CALIB_PROBE] = "pu",
	};
	uint32_t index = pack_header(pack)->calib[calib];

	if (index == PACK_NO_KERNEL)
		wire_word(w, keys[calib], "");
	else
		report_unroll(w, keys[calib], &pack_kernels(pack)[index]);
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

	const struct pack_header *h = pack_header(pack);
	uint64_t n = pack_n_measured(pack);
	struct wire_line *w = report_begin("pack");

	wire_hex(w, "id", h->id);
	wire_u64(w, "kernels", h->n_kernels);
	wire_u64(w, "calib", h->n_kernels - n);
	wire_u64(w, "visits", visits);
	wire_u64(w, "budget", h->kernel_cycles);
	for (int i = 0; i < PACK_N_CALIB; i++)
		say_calib_unroll(w, pack, (enum pack_calib)i);
	wire_u64(w, "cycles",
		 clock == ARCH_CLOCK_CORE ? n * h->kernel_cycles : 0);
	(void)report_send();
}
