/* One loop of each instruction set, and its answer. */
#ifndef TESTS_LIBRARY_CORES_H
#define TESTS_LIBRARY_CORES_H

struct known_core {
	const char *cpu, *isa, *text;
	double carried;
};

static const struct known_core known_cores[] = {
	{ "znver3", "x86_64", "L1:\n\timulq %rbx, %r8\n\tjne L1\n", 3 },
	{ "neoverse-v2", "aarch64", "L1:\n\tfmul d0, d0, d1\n\tb.ne L1\n", 3 },
	{ "sifive-x280", "riscv64", "L1:\n\tmul a0, a0, a1\n\tbnez a0, L1\n",
	  3 },
};

enum { N_CORES = sizeof(known_cores) / sizeof(known_cores[0]) };

#endif
