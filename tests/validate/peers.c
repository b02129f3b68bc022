/* llvm-mca and OSACA, through files of assembly and what they print. */
#include "tests/validate/peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1024 }; /* of a line, and of a command */

/* ---- llvm-mca ---------------------------------------------------------- */

/* Cycles of so many iterations, or -1.  llvm-mca 19 does not end for some mixes. */
static double run_mca(const struct peer *p, int iterations, const char *path)
{
	double cycles = -1;
	char command[ROOM], line[ROOM];
	FILE *out;

	(void)snprintf(command, sizeof(command),
		       "timeout 20 %s -mcpu=%s -iterations=%d %s 2>/dev/null",
		       p->program, p->cpu, iterations, path);
	out = popen(command, "r");
	while (out && fgets(line, sizeof(line), out))
		(void)sscanf(line, "Total Cycles: %lf", &cycles);
	if (out)
		(void)pclose(out);
	return cycles;
}

/* A slope, as what is measured is. */
static double ask_mca(const struct peer *p, const char *path)
{
	enum { FEW = 100, MANY = 300 };
	double few = run_mca(p, FEW, path);
	double many = few > 0 ? run_mca(p, MANY, path) : -1;

	return few > 0 && many > 0 ? (many - few) / (MANY - FEW) : -1;
}

/* ---- OSACA ------------------------------------------------------------- */

const char *peers_osaca_arch(const char *cpu)
{
	/* Of osaca --help (0.7). */
	static const struct {
		const char *cpu, *arch;
	} names[] = {
		{ "sandybridge", "SNB" },    { "ivybridge", "IVB" },
		{ "haswell", "HSW" },        { "broadwell", "BDW" },
		{ "skylake-avx512", "SKX" }, { "cascadelake", "CSX" },
		{ "icelake-client", "ICL" }, { "icelake-server", "ICX" },
		{ "sapphirerapids", "SPR" }, { "znver1", "ZEN1" },
		{ "znver2", "ZEN2" },        { "znver3", "ZEN3" },
		{ "znver4", "ZEN4" },        { "znver5", "ZEN5" },
		{ "cortex-a72", "A72" },     { "neoverse-n1", "N1" },
		{ "neoverse-v2", "V2" },     { "a64fx", "A64FX" },
		{ "thunderx2t99", "TX2" },   { "apple-m1", "M1" },
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i].cpu, cpu) == 0)
			return names[i].arch;
	return NULL;
}

/* The row of sums below the table holds numbers and nothing else: the cycles of
 * each port that has any, the critical path, the loop-carried dependency.
 * Returns the larger of the busiest port and the last, or -1. */
static double read_sums(const char *line)
{
	double before[2] = { -1, -1 }, most = -1;
	size_t n = 0;

	for (;; n++) {
		char *end;
		double x = strtod(line, &end);

		if (end == line)
			break;
		line = end;
		if (n > 1)
			most = fmax(most, before[n % 2]);
		before[n % 2] = x;
	}
	line += strspn(line, " \t\r\n");
	return *line == '\0' && n >= 2 ? fmax(most, before[(n - 1) % 2]) : -1;
}

static double ask_osaca(const struct peer *p, const char *path)
{
	double cycles = -1;
	bool table = false;
	char command[ROOM], line[ROOM];
	FILE *out;

	(void)snprintf(command, sizeof(command),
		       "timeout 60 %s --arch %s --ignore-unknown %s "
		       "2>/dev/null",
		       p->program, p->cpu, path);
	out = popen(command, "r");
	while (out && fgets(line, sizeof(line), out)) {
		if (strstr(line, "Combined Analysis Report"))
			table = true;
		if (strstr(line, "Loop-Carried Dependencies"))
			table = false;
		if (table)
			cycles = fmax(cycles, read_sums(line));
	}
	if (out)
		(void)pclose(out);
	return cycles;
}

/* ---- both -------------------------------------------------------------- */

const struct peer peers[PEERS_N] = {
	[PEERS_MCA] = { .name = "llvm-mca", .ask = ask_mca },
	[PEERS_OSACA] = { .name = "OSACA", .ask = ask_osaca },
};

/* The jump back goes to a label: not every program takes a distance. */
static void write_loop(FILE *out, const struct program *p,
		       const struct loop *loop)
{
	static const char label[] = ".Lloop";
	const struct insn *insns = p->insns;

	(void)fprintf(out, "%s:\n", label);
	for (size_t i = loop->first; i < loop->last; i++)
		(void)fprintf(out, "\t%s\n", insns[i].text);
	const char *jump = insns[loop->last].text;
	const char *target = strrchr(jump, ' ');
	int n = target ? (int)(target - jump) : (int)strlen(jump);

	(void)fprintf(out, "\t%.*s %s\n", n, jump, label);
}

double peers_ask(const struct peer *p, const struct program *program,
		 const struct loop *loop)
{
	char path[] = "/tmp/anechoic-validate-XXXXXX";
	int fd = mkstemp(path);
	FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
	double cycles;

	if (!out)
		return -1;
	write_loop(out, program, loop);
	(void)fclose(out);
	cycles = p->ask(p, path);
	(void)unlink(path);
	return cycles;
}
