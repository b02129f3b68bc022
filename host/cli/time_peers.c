/* anechoic time --peer: llvm-mca and OSACA on the same code, through files of
 * assembly and what they print. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/cli/time_blocks.h"

enum { ROOM = 1024 }; /* of a line, and of a command */

/* Another program that predicts cycles. */
struct peer {
	const char *name;
	const char *programs[3]; /* names of it, the first that is there */
	/* Cycles of one iteration of the loop in a file; below 0: it has no
	 * answer. */
	double (*ask)(const struct peer *p, const char *path);
	/* Its name for one of LLVM's CPUs; NULL: it knows no such. */
	const char *(*cpu_of)(const char *cpu);
	/* Set by time_peers(). */
	const char *program, *cpu;
};

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

static const char *osaca_arch(const char *cpu)
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

static const char *same_name(const char *cpu)
{
	return cpu;
}

static const struct peer programs[] = {
	{ .name = "llvm-mca",
	  .programs = { "llvm-mca-19", "llvm-mca" },
	  .ask = ask_mca,
	  .cpu_of = same_name },
	{ .name = "osaca",
	  .programs = { "osaca" },
	  .ask = ask_osaca,
	  .cpu_of = osaca_arch },
};

/* The jump back goes to a label: not every program takes a distance. */
static void write_loop(FILE *out, const struct program *p,
		       const struct loop *loop)
{
	static const char label[] = ".Lloop";
	const struct insn *insns = p->insns;

	(void)fprintf(out, "%s:\n", label);
	for (size_t i = loop->first; i < loop->last + !loop->closed; i++)
		(void)fprintf(out, "\t%s\n", insns[i].text);
	if (!loop->closed)
		return;
	const char *jump = insns[loop->last].text;
	const char *target = strrchr(jump, ' ');
	int n = target ? (int)(target - jump) : (int)strlen(jump);

	(void)fprintf(out, "\t%.*s %s\n", n, jump, label);
}

static double ask(const struct peer *p, const struct time_predicted *x)
{
	char path[] = "/tmp/anechoic-peer-XXXXXX";
	int fd = mkstemp(path);
	FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
	double cycles;

	if (!out)
		return -1;
	write_loop(out, &x->program, &x->loop);
	(void)fclose(out);
	cycles = p->ask(p, path);
	(void)unlink(path);
	return cycles / (double)x->n_iterations;
}

/* ---- the option ---------------------------------------------------------- */

/* NAME or NAME:CPU. */
static int parse(struct arena *a, const char *word, const char *cpu,
		 struct peer *ret, struct err *e)
{
	size_t n = strcspn(word, ":"), k = 0;

	for (; k < ARRAY_LEN(programs); k++)
		if (strlen(programs[k].name) == n &&
		    memcmp(programs[k].name, word, n) == 0)
			break;
	if (k == ARRAY_LEN(programs) ||
	    (word[n] == ':' && !scored_is_name(word + n + 1)))
		return err_set(e, ERR_USAGE,
			       "--peer must be llvm-mca or osaca, or one of "
			       "these with :CPU, not '%s'",
			       word);
	*ret = programs[k];
	for (size_t i = 0; ret->programs[i] && !ret->program; i++)
		if (program_find(a, ret->programs[i]))
			ret->program = ret->programs[i];
	if (!ret->program)
		return err_set(e, ERR_INPUT,
			       "--peer %s: there is no program '%s' on the "
			       "path",
			       word, ret->programs[0]);
	ret->cpu = word[n] == ':' ? word + n + 1 : ret->cpu_of(cpu);
	if (!ret->cpu)
		return err_set(e, ERR_INPUT,
			       "--peer %s: it has no name for the CPU %s; "
			       "give one as %s:CPU",
			       word, cpu, ret->name);
	return ERR_OK;
}

int time_peers(struct corpus *w, struct err *e)
{
	const struct option_words *words = &w->j->o->peers;
	const char *cpu = w->j->c.catalogue->cpu;
	const char *const *known = w->scored.against;
	const char **names = ARENA_ARRAY(w->a, const char *,
					 w->scored.n_against + words->n + 1);

	w->peers = ARENA_ARRAY(w->a, struct peer, words->n + 1);
	for (size_t i = 0; i < words->n; i++)
		if (parse(w->a, words->words[i], cpu ? cpu : "native",
			  &w->peers[i], e) != ERR_OK)
			return e->code;
	for (size_t i = 0; i < w->scored.n_against; i++)
		names[i] = known[i];
	for (size_t i = 0; i < words->n; i++)
		names[w->scored.n_against + i] = w->peers[i].name;
	w->scored.against = names;
	w->first_peer = w->scored.n_against;
	w->scored.n_against += words->n;
	return ERR_OK;
}

void time_ask_peers(struct corpus *w, struct block *b,
		    const struct time_predicted *x)
{
	for (size_t i = w->first_peer; i < w->scored.n_against; i++) {
		double cycles = ask(&w->peers[i - w->first_peer], x);

		b->scored->against[i] = cycles > 0 ? cycles : 0;
	}
}
