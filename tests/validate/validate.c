/* How far predictions are from what this machine does:
 *
 *	validate SOURCE VALUE LLVM_MCA CPU BASE...
 *
 * measures the kernel of each BASE.o and BASE.so, predicts its loop with the
 * model of a database, a file or LLVM's tables (SOURCE db, model, cpu), has
 * LLVM_MCA say the same for CPU ("-": not asked), and prints the statistics of
 * the errors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/file.h"
#include "host/import/import.h"
#include "host/predict/predict.h"
#include "tests/validate/subject.h"

struct statistics {
	const char *name;
	size_t n, close, not_slower, twice;
	double sum;
};

static void count(struct statistics *s, double predicted, double measured)
{
	double error = (predicted - measured) / measured;

	s->n++;
	s->sum += fabs(error);
	s->close += fabs(error) <= 0.2;
	s->not_slower += predicted <= 1.01 * measured;
	s->twice += predicted > 2 * measured || 2 * predicted < measured;
}

static void print_statistics(const struct statistics *s)
{
	double n = (double)(s->n ? s->n : 1);

	printf("%-12s %4zu loops: mean absolute error %5.1f %%, within 20 %%: "
	       "%3.0f %%, not slower than measured: %3.0f %%, off by more than "
	       "2x: %zu\n",
	       s->name, s->n, 100 * s->sum / n, 100 * (double)s->close / n,
	       100 * (double)s->not_slower / n, s->twice);
}

/* ---- llvm-mca ---------------------------------------------------------- */

/* Cycles per iteration, or -1. */
static double ask_mca(const char *mca, const char *cpu, const struct subject *s)
{
	enum { ITERATIONS = 200 };
	char path[] = "/tmp/anechoic-validate-XXXXXX";
	int fd = mkstemp(path);
	FILE *in = fd >= 0 ? fdopen(fd, "w") : NULL;
	double cycles = -1, total;
	char command[512], line[256];
	FILE *out;

	if (!in)
		return -1;
	for (size_t i = s->loop.first; i <= s->loop.last; i++)
		(void)fprintf(in, "\t%s\n", s->program.insns[i].text);
	(void)fclose(in);
	(void)snprintf(command, sizeof(command),
		       "%s -mcpu=%s -iterations=%d %s 2>/dev/null", mca, cpu,
		       ITERATIONS, path);
	out = popen(command, "r");
	while (out && fgets(line, sizeof(line), out))
		if (sscanf(line, "Total Cycles: %lf", &total) == 1)
			cycles = total / ITERATIONS;
	if (out)
		(void)pclose(out);
	(void)unlink(path);
	return cycles;
}

/* ---- one kernel -------------------------------------------------------- */

struct validation {
	struct catalogue *c;
	struct model *m;
	const char *mca, *cpu;
	struct statistics ours, theirs;
	size_t n_failed;
};

static void validate(struct validation *v, const char *base)
{
	struct predict_options how = { .equal_split = false };
	struct arena a = { 0 };
	struct err e = { 0 };
	struct subject s;
	struct prediction p;

	if (subject_measure(&a, v->c, base, &s, &e) != ERR_OK ||
	    predict(&a, &s.program, &s.loop, v->m, &how, &p, &e) != ERR_OK) {
		printf("%-34s not measured: %s\n", strrchr(base, '/') + 1,
		       e.message);
		v->n_failed++;
	} else {
		double theirs = -1;

		count(&v->ours, p.cycles, s.measured);
		if (strcmp(v->mca, "-") != 0)
			theirs = ask_mca(v->mca, v->cpu, &s);
		if (theirs > 0)
			count(&v->theirs, theirs, s.measured);
		printf("%-34s %8.2f %8.2f %+6.0f%% %8.2f  %6.2f %6.2f  %s\n",
		       s.name, s.measured, p.cycles,
		       100 * (p.cycles / s.measured - 1), theirs, p.throughput,
		       p.carried.cycles, p.why);
	}
	(void)fflush(stdout);
	arena_free(&a);
}

int main(int argc, char **argv)
{
	struct validation v = { .ours = { .name = "anechoic" },
				.theirs = { .name = "llvm-mca" } };
	struct model_source source = { 0 };
	struct arena a = { 0 };
	struct err e = { 0 };
	const struct isa *isa;

	if (argc < 5)
		return 2;
	if (strcmp(argv[1], "db") == 0)
		source.db = argv[2];
	else if (strcmp(argv[1], "model") == 0)
		source.file = argv[2];
	else
		source.cpu = argv[2];
	v.mca = argv[3];
	v.cpu = argv[4];
	if (model_source_isa(&a, &source, &isa, &e) != ERR_OK ||
	    catalogue_load(&a, isa, NULL, &v.c, &e) != ERR_OK ||
	    model_load(&a, v.c, &source, &v.m, &e) != ERR_OK) {
		(void)fprintf(stderr, "validate: %s\n", e.message);
		return 2;
	}
	printf("model: %s, %s\n%-34s %8s %8s %7s %8s  %6s %6s\n", v.m->cpu,
	       v.m->source, "loop", "measured", "ours", "error", "llvm-mca",
	       "tp", "lcd");
	for (int i = 5; i < argc; i++)
		validate(&v, argv[i]);
	print_statistics(&v.ours);
	if (v.theirs.n > 0)
		print_statistics(&v.theirs);
	if (v.n_failed > 0)
		printf("%zu loops were not measured\n", v.n_failed);
	catalogue_free(v.c);
	arena_free(&a);
	return v.ours.n > 0 ? 0 : 1;
}
