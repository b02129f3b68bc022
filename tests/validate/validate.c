/* How far predictions are from what this machine does:
 *
 *	validate SOURCE VALUE LLVM_MCA CPU TIMES BASE...
 *
 * measures the kernel of each BASE.so, predicts its loop with the
 * model of a database, a file or LLVM's tables (SOURCE db, model, cpu), has
 * LLVM_MCA say the same for CPU ("-": not asked), and prints the statistics of
 * the errors.  TIMES is a file of measurements that is read and written ("-":
 * none): loops that are in it are not measured again. */
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

/* Cycles of so many iterations, or -1. */
static double run_mca(const char *mca, const char *cpu, int iterations,
		      const char *path)
{
	double cycles = -1;
	char command[512], line[256];
	FILE *out;

	(void)snprintf(command, sizeof(command),
		       "%s -mcpu=%s -iterations=%d %s 2>/dev/null", mca, cpu,
		       iterations, path);
	out = popen(command, "r");
	while (out && fgets(line, sizeof(line), out))
		(void)sscanf(line, "Total Cycles: %lf", &cycles);
	if (out)
		(void)pclose(out);
	return cycles;
}

/* Cycles per iteration, or -1: a slope, as what is measured is. */
static double ask_mca(const char *mca, const char *cpu, const struct subject *s)
{
	enum { FEW = 100, MANY = 300 };
	char path[] = "/tmp/anechoic-validate-XXXXXX";
	int fd = mkstemp(path);
	FILE *in = fd >= 0 ? fdopen(fd, "w") : NULL;
	double few, many;

	if (!in)
		return -1;
	for (size_t i = s->loop.first; i <= s->loop.last; i++)
		(void)fprintf(in, "\t%s\n", s->program.insns[i].text);
	(void)fclose(in);
	few = run_mca(mca, cpu, FEW, path);
	many = run_mca(mca, cpu, MANY, path);
	(void)unlink(path);
	return few > 0 && many > 0 ? (many - few) / (MANY - FEW) : -1;
}

/* ---- measurements ------------------------------------------------------ */

struct validation {
	struct arena a;
	struct catalogue *c;
	struct model *m;
	const char *mca, *cpu;
	const char *times; /* a file of measurements, NULL: there is none */
	struct subject **subjects;
	size_t n_subjects;
	struct statistics ours, theirs;
	size_t n_failed;
};

static void fail(struct validation *v, const char *name, const char *why)
{
	printf("%-34s not measured: %s\n", name, why);
	v->n_failed++;
}

static void open_all(struct validation *v, char **bases, int n)
{
	v->subjects = ARENA_ARRAY(&v->a, struct subject *, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		struct err e = { 0 };
		struct subject *s;

		if (subject_open(&v->a, v->c, bases[i], &s, &e) == ERR_OK)
			v->subjects[v->n_subjects++] = s;
		else
			fail(v, strrchr(bases[i], '/') + 1, e.message);
	}
}

/* Lines "name crc cycles": what was measured of these very loops before. */
static void recall(struct validation *v)
{
	FILE *in = v->times ? fopen(v->times, "r") : NULL;
	char name[128];
	unsigned crc;
	double cycles;

	while (in && fscanf(in, "%127s %x %lf", name, &crc, &cycles) == 3)
		for (size_t i = 0; i < v->n_subjects; i++)
			if (strcmp(v->subjects[i]->name, name) == 0 &&
			    v->subjects[i]->crc == crc)
				v->subjects[i]->measured = cycles;
	if (in)
		(void)fclose(in);
}

static void remember(const struct validation *v)
{
	FILE *out = v->times ? fopen(v->times, "w") : NULL;

	for (size_t i = 0; out && i < v->n_subjects; i++)
		if (v->subjects[i]->measured > 0)
			(void)fprintf(out, "%s %x %.4f\n", v->subjects[i]->name,
				      v->subjects[i]->crc,
				      v->subjects[i]->measured);
	if (out)
		(void)fclose(out);
}

static double quiet_probe(const struct validation *v)
{
	size_t room = v->n_subjects * SUBJECT_MAX_ROWS + 1, n = 0;
	double *probes = xrealloc(NULL, room, sizeof(*probes)), quiet;

	for (size_t i = 0; i < v->n_subjects; i++)
		for (size_t k = 0; k < v->subjects[i]->n_rows; k++)
			probes[n++] = v->subjects[i]->rows[k].probe;
	quiet = clock_quiet(probes, n);
	free(probes);
	return quiet;
}

/* In passes over all of them, so that an episode of disturbance meets each of
 * them once; as many as it takes. */
static void measure_all(struct validation *v)
{
	enum { MIN_PASSES = 6, MAX_PASSES = 60, ROWS = 16, WANTED = 48 };
	double quiet = 0;

	for (int pass = 0; pass < MAX_PASSES; pass++) {
		for (size_t i = 0; i < v->n_subjects; i++) {
			struct subject *s = v->subjects[i];

			if (s->measured <= 0 &&
			    (pass < MIN_PASSES ||
			     subject_n_quiet(s, quiet) < WANTED))
				subject_visit(s, ROWS);
		}
		quiet = quiet_probe(v);
	}
	for (size_t i = 0; i < v->n_subjects; i++) {
		struct subject *s = v->subjects[i];

		if (s->measured <= 0 && subject_n_quiet(s, quiet) > ROWS)
			subject_finish(s, quiet);
		if (s->measured <= 0)
			fail(v, s->name, "a quiet machine expected");
	}
}

/* ---- predictions ------------------------------------------------------- */

static void validate(struct validation *v, const struct subject *s)
{
	struct predict_options how = { .equal_split = false };
	struct arena a = { 0 };
	struct err e = { 0 };
	struct prediction p;
	double theirs = -1;

	if (s->measured <= 0)
		return;
	if (predict(&a, &s->program, &s->loop, v->m, &how, &p, &e) != ERR_OK) {
		fail(v, s->name, e.message);
		arena_free(&a);
		return;
	}
	count(&v->ours, p.cycles, s->measured);
	if (strcmp(v->mca, "-") != 0)
		theirs = ask_mca(v->mca, v->cpu, s);
	if (theirs > 0)
		count(&v->theirs, theirs, s->measured);
	printf("%-34s %8.2f %8.2f %+6.0f%% %8.2f  %6.2f %6.2f  %s\n", s->name,
	       s->measured, p.cycles, 100 * (p.cycles / s->measured - 1),
	       theirs, p.throughput, p.carried.cycles, p.why);
	(void)fflush(stdout);
	arena_free(&a);
}

static int load(struct validation *v, const char *kind, const char *value,
		struct err *e)
{
	struct model_source source = { 0 };
	const struct isa *isa;

	if (strcmp(kind, "db") == 0)
		source.db = value;
	else if (strcmp(kind, "model") == 0)
		source.file = value;
	else
		source.cpu = value;
	if (model_source_isa(&v->a, &source, &isa, e) == ERR_OK &&
	    catalogue_load(&v->a, isa, NULL, &v->c, e) == ERR_OK)
		(void)model_load(&v->a, v->c, &source, &v->m, e);
	return e->code;
}

int main(int argc, char **argv)
{
	struct validation v = { .ours = { .name = "anechoic" },
				.theirs = { .name = "llvm-mca" } };
	struct err e = { 0 };

	if (argc < 6)
		return 2;
	v.mca = argv[3];
	v.cpu = argv[4];
	v.times = strcmp(argv[5], "-") == 0 ? NULL : argv[5];
	if (load(&v, argv[1], argv[2], &e) != ERR_OK) {
		(void)fprintf(stderr, "validate: %s\n", e.message);
		return 2;
	}
	open_all(&v, argv + 6, argc - 6);
	recall(&v);
	measure_all(&v);
	remember(&v);
	printf("model: %s, %s\n%-34s %8s %8s %7s %8s  %6s %6s\n", v.m->cpu,
	       v.m->source, "loop", "measured", "ours", "error", "llvm-mca",
	       "tp", "lcd");
	for (size_t i = 0; i < v.n_subjects; i++)
		validate(&v, v.subjects[i]);
	print_statistics(&v.ours);
	if (v.theirs.n > 0)
		print_statistics(&v.theirs);
	if (v.n_failed > 0)
		printf("%zu loops were not measured\n", v.n_failed);
	catalogue_free(v.c);
	arena_free(&v.a);
	return v.ours.n > 0 ? 0 : 1;
}
