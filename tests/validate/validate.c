/* How far predictions are from what this machine does:
 *
 *	validate SOURCE VALUE LLVM_MCA CPU OSACA ARCH TIMES CSV BASE...
 *
 * measures the kernel of each BASE.so, predicts its loop with the
 * model of a database, a file or LLVM's tables (SOURCE db, model, cpu), has
 * LLVM_MCA say the same for CPU and OSACA for ARCH ("-": not asked; ARCH "-":
 * this machine's), and prints the statistics of the errors.  TIMES is a file of
 * measurements that is read and written ("-": none): kernels that are in it are
 * neither traced nor measured again.  CSV ("-": none) is written: a file for
 * `anechoic site --loops`. */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/csv.h"
#include "host/base/file.h"
#include "host/codec/source.h"
#include "host/link/cores.h"
#include "host/link/link.h"
#include "host/predict/predict.h"
#include "tests/validate/peers.h"

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

/* ---- measurements ------------------------------------------------------ */

struct validation {
	struct arena a;
	struct catalogue *c;
	struct completion *m;
	struct peer peers[PEERS_N];
	const char *times; /* a file of measurements, NULL: there is none */
	const char *file;  /* of the model; "": LLVM's tables */
	struct buffer csv;
	struct subject **subjects;
	size_t n_subjects;
	struct statistics ours, theirs[PEERS_N];
	size_t n_failed, n_paths;
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

/* Lines "name crc first iterations cycles path": where the loop of this very code
 * begins, how many iterations an element is, what they were measured to take, 0:
 * not yet, and the loop's path. */
static void recall(struct validation *v)
{
	FILE *in = v->times ? fopen(v->times, "r") : NULL;
	static char line[1 << 14], path[1 << 14];
	char name[128];

	while (in && fgets(line, sizeof(line), in)) {
		double per_element, cycles;
		unsigned crc;
		size_t first;

		if (sscanf(line, "%127s %x %zu %lf %lf %16383s", name, &crc,
			   &first, &per_element, &cycles, path) != 6)
			continue;
		for (size_t i = 0; i < v->n_subjects; i++) {
			struct subject *s = v->subjects[i];

			if (strcmp(s->name, name) == 0 && s->crc == crc &&
			    subject_recall(&v->a, s, first, per_element, path))
				s->measured = cycles;
		}
	}
	if (in)
		(void)fclose(in);
}

static void remember(struct validation *v)
{
	FILE *out = v->times ? fopen(v->times, "w") : NULL;

	for (size_t i = 0; out && i < v->n_subjects; i++) {
		const struct subject *s = v->subjects[i];

		if (s->loop.closed)
			(void)fprintf(out, "%s %x %zu %.17g %.17g %s\n",
				      s->name, s->crc, s->loop.first,
				      s->per_element, s->measured,
				      executed_text(&v->a, &s->path));
	}
	if (out)
		(void)fclose(out);
}

/* Trace all subjects; those that cannot be traced are left out. */
static void trace_all(struct validation *v)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->n_subjects; i++) {
		struct subject *s = v->subjects[i];
		struct err e = { 0 };

		if (s->loop.closed || subject_trace(&v->a, s, &e) == ERR_OK)
			v->subjects[kept++] = s;
		else
			fail(v, s->name, e.message);
	}
	v->n_subjects = kept;
	remember(v);
}

static double learn(const struct validation *v, enum clock_probe probe)
{
	size_t room = v->n_subjects * SUBJECT_MAX_ROWS + 1, n = 0;
	double *list = xrealloc(NULL, room, sizeof(*list)), cycles;

	for (size_t i = 0; i < v->n_subjects; i++)
		for (size_t k = 0; k < v->subjects[i]->n_rows; k++)
			if (v->subjects[i]->rows[k].probes[probe] > 0)
				list[n++] =
					v->subjects[i]->rows[k].probes[probe];
	cycles = clock_learn(list, n);
	free(list);
	return cycles;
}

enum { MIN_PASSES = 6, ROWS = 16, WANTED = 48 };

/* A pass over few loops takes seconds; a disturbance may last longer. */
static const double least_seconds = 60;

/* One pass over all that need more rows; returns how many those are.  early: over all that
 * have room for more, even if they have enough quiet ones. */
static size_t pass_over(struct validation *v, bool early,
			struct clock_silence *silence)
{
	size_t n_left = 0;

	for (size_t i = 0; i < v->n_subjects; i++) {
		struct subject *s = v->subjects[i];

		if (s->measured <= 0 && s->n_rows < SUBJECT_MAX_ROWS &&
		    (early || subject_n_quiet(s, silence) < WANTED)) {
			subject_visit(s, ROWS, silence);
			n_left++;
		}
	}
	for (int k = 0; k < CLOCK_N_PROBES; k++)
		silence->probes[k] = learn(v, k);
	return n_left;
}

static void report_silence(const struct validation *v,
			   const struct clock_silence *silence, double seconds)
{
	size_t n = 0, n_quiet = 0;

	for (size_t i = 0; i < v->n_subjects; i++) {
		n += v->subjects[i]->n_rows;
		n_quiet += subject_n_quiet(v->subjects[i], silence);
	}
	if (n > 0)
		printf("%zu rows in %.0f s, of which %zu undisturbed: there "
		       "the probe takes %.0f cycles\n",
		       n, seconds, n_quiet, silence->probes[CLOCK_FRONT]);
}

/* One CPU after the other: neighbours are not the same everywhere. */
static void move_on(int pass)
{
	static uint32_t cpus[LINK_MAX_CORES];
	static size_t n_cpus;
	cpu_set_t here;

	if (pass == 0)
		n_cpus = cores_choose(LINK_MAX_CORES, cpus);
	if (n_cpus == 0)
		return;
	CPU_ZERO(&here);
	CPU_SET(cpus[(size_t)pass % n_cpus], &here);
	(void)sched_setaffinity(0, sizeof(here), &here);
}

/* In passes over all of them, so that an episode of disturbance meets each of
 * them once; as many as it takes. */
static void measure_all(struct validation *v)
{
	const char *seconds = getenv("VALIDATE_SECONDS");
	double most_seconds = seconds ? strtod(seconds, NULL) : 300;
	struct clock_silence silence = { 0 };
	double start = clock_now();
	size_t n_left = v->n_subjects;

	for (int pass = 0; n_left > 0 && clock_now() - start < most_seconds;
	     pass++) {
		move_on(pass);
		n_left = pass_over(v,
				   pass < MIN_PASSES ||
					   clock_now() - start < least_seconds,
				   &silence);
		if (isatty(STDERR_FILENO))
			(void)fprintf(stderr, "\rpass %d, %zu loops left \b",
				      pass + 1, n_left);
	}
	if (isatty(STDERR_FILENO))
		(void)fputc('\n', stderr);
	report_silence(v, &silence, clock_now() - start);
	for (size_t i = 0; i < v->n_subjects; i++) {
		struct subject *s = v->subjects[i];

		if (s->measured > 0)
			continue;
		if (subject_n_quiet(s, &silence) < WANTED) {
			fail(v, s->name, "a quiet machine expected");
			continue;
		}
		subject_finish(s, &silence);
		if (s->measured <= 0)
			fail(v, s->name, "its rows do not agree");
	}
}

/* ---- predictions ------------------------------------------------------- */

/* A column for each peer that there is. */
static void ask_all(struct validation *v, const struct subject *s,
		    const struct program *program, const struct loop *loop)
{
	double n = s->path.n > 0 ? (double)s->path.n_iterations : 1;

	for (size_t i = 0; i < PEERS_N; i++) {
		double cycles;

		if (!v->peers[i].program)
			continue;
		cycles = peers_ask(&v->peers[i], program, loop) / n;
		buffer_printf(&v->csv, cycles > 0 ? ",%.6g" : ",", cycles);
		if (cycles > 0)
			count(&v->theirs[i], cycles, s->measured);
		printf(" %8.2f", cycles);
	}
}

static void validate(struct validation *v, const struct subject *s)
{
	struct predict_options how = { .equal_split = false };
	struct arena a = { 0 };
	struct err e = { 0 };
	struct prediction p;
	struct program program = s->program;
	struct loop loop = s->loop;
	double cycles;

	if (s->measured <= 0)
		return;
	if (s->path.n > 0)
		executed_program(&a, &s->program, &s->path, &program, &loop);
	if (predict(&a, &(struct loop_on){ &program, &loop, v->m }, &how, &p,
		    &e) != ERR_OK) {
		fail(v, s->name, e.message);
		arena_free(&a);
		return;
	}
	cycles = p.cycles / (s->path.n > 0 ? (double)s->path.n_iterations : 1);
	count(&v->ours, cycles, s->measured);
	v->n_paths += s->path.n > 0;
	printf("%-34s %8.2f %8.2f %+6.0f%%", s->name, s->measured, cycles,
	       100 * (cycles / s->measured - 1));
	csv_add(&v->csv, v->file);
	buffer_printf(&v->csv, ",");
	csv_add(&v->csv, completed_model(v->m)->cpu);
	buffer_printf(&v->csv, ",%s,%.6g,%.6g,", s->name, s->measured, cycles);
	csv_add(&v->csv, p.why);
	ask_all(v, s, &program, &loop);
	buffer_printf(&v->csv, "\n");
	printf("  %6.2f %6.2f  %s\n", p.throughput, p.carried.cycles, p.why);
	(void)fflush(stdout);
	arena_free(&a);
}

static void print_heading(struct validation *v)
{
	const struct model *m = completed_model(v->m);

	printf("model: %s, %s\n%-34s %8s %8s %7s", m->cpu, m->source, "loop",
	       "measured", "ours", "error");
	buffer_printf(&v->csv, "file,cpu,loop,measured,predicted,limit");
	for (size_t i = 0; i < PEERS_N; i++) {
		if (!v->peers[i].program)
			continue;
		printf(" %8s", v->peers[i].name);
		buffer_printf(&v->csv, ",%s", v->peers[i].name);
	}
	printf("  %6s %6s\n", "tp", "lcd");
	buffer_printf(&v->csv, "\n");
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
	v->file = source.cpu ? "" : value;
	if (model_source_isa(&v->a, &source, &isa, e) == ERR_OK &&
	    catalogue_load(&v->a, isa, NULL, &v->c, e) == ERR_OK)
		(void)model_load_completed(&v->a, v->c, &source, &v->m, e);
	return e->code;
}

static const char *given(const char *argument)
{
	return strcmp(argument, "-") != 0 ? argument : NULL;
}

/* ---- the whole --------------------------------------------------------- */

static void open_peers(struct validation *v, char **argv)
{
	for (size_t i = 0; i < PEERS_N; i++) {
		v->peers[i] = peers[i];
		v->peers[i].program = given(argv[2 * i]);
		v->peers[i].cpu = given(argv[2 * i + 1]);
		v->theirs[i].name = peers[i].name;
	}
	if (!v->peers[PEERS_OSACA].cpu)
		v->peers[PEERS_OSACA].cpu = peers_osaca_arch(v->c->cpu);
	for (size_t i = 0; i < PEERS_N; i++)
		if (v->peers[i].program && !v->peers[i].cpu) {
			printf("%s is not asked: it has no name for %s\n",
			       v->peers[i].name, v->c->cpu);
			v->peers[i].program = NULL;
		}
}

int main(int argc, char **argv)
{
	enum {
		SOURCE = 1,
		VALUE,
		FIRST_PEER,
		TIMES = FIRST_PEER + 2 * PEERS_N,
		CSV,
		BASES
	};
	struct validation v = { .ours = { .name = "anechoic" } };
	struct err e = { 0 };

	if (argc < BASES)
		return 2;
	v.times = given(argv[TIMES]);
	if (load(&v, argv[SOURCE], argv[VALUE], &e) != ERR_OK) {
		(void)fprintf(stderr, "validate: %s\n", e.message);
		return 2;
	}
	open_peers(&v, argv + FIRST_PEER);
	open_all(&v, argv + BASES, argc - BASES);
	recall(&v);
	trace_all(&v);
	measure_all(&v);
	remember(&v);
	print_heading(&v);
	for (size_t i = 0; i < v.n_subjects; i++)
		validate(&v, v.subjects[i]);
	if (given(argv[CSV]) &&
	    file_write(argv[CSV], v.csv.bytes, v.csv.n, &e) != ERR_OK)
		(void)fprintf(stderr, "validate: %s\n", e.message);
	print_statistics(&v.ours);
	if (v.n_paths > 0)
		printf("%zu loops do not execute their code from the first "
		       "instruction to the last: of these the path that they "
		       "execute was predicted\n",
		       v.n_paths);
	for (size_t i = 0; i < PEERS_N; i++)
		if (v.theirs[i].n > 0)
			print_statistics(&v.theirs[i]);
	if (v.n_failed > 0)
		printf("%zu loops were not measured\n", v.n_failed);
	catalogue_free(v.c);
	arena_free(&v.a);
	buffer_free(&v.csv);
	return v.ours.n > 0 && e.code == ERR_OK ? 0 : 1;
}
