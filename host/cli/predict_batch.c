/* Predicts blocks of a CSV, some lines at a time; each block has its own
 * arena. */
#include "host/cli/predict_command.h"
#include "host/cli/scored.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/base/csv.h"
#include "host/base/file.h"
#include "host/base/hex.h"
#include "host/base/monotonic.h"
#include "host/base/workers.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"

enum {
	MAX_FILE = 1 << 30,
	MAX_BLOCK = 1 << 16, /* bytes of code */
	TASK_LINES = 64,
	/* Fewer are not worth a process. */
	WORKER_TASKS = 4,
};

struct batch_count {
	size_t blocks, insns; /* with a prediction */
	size_t wrong;         /* blocks without one */
	size_t pairs;         /* bytes of struct batch_pair behind it */
	struct err first;     /* why the first of them has none */
};

/* A block with a prediction. */
struct batch_pair {
	double predicted, given; /* given: 0: none */
	uint32_t category;       /* enum scored_category */
	size_t at, n;            /* its digits in the file */
	const char *key;         /* the same, of all tasks */
};

/* Lines that one process predicts: from the byte `at` of the file on. */
struct batch_task {
	size_t at, end;
	size_t line; /* lines before them */
};

struct batch {
	const struct predict_model *m;
	const struct predict_options *how;
	unsigned mode; /* enum predict_mode */
	size_t n_workers;
	struct batch_count count;
	struct buffer file;  /* the rows for -o */
	struct buffer pairs; /* struct batch_pair, of all tasks or of this
			      * one */
	struct arena a;      /* of the keys of all pairs */
	bool to_file;
	bool keeps_keys; /* --against */
	/* The file that is read. */
	const char *path;
	char *text;
	struct batch_task *tasks;
	/* The line that is predicted, and where its result goes. */
	size_t line;
	size_t n_insns; /* of the block */
	enum scored_category category;
	struct buffer *out;
	struct err *e; /* of the batch; that of a block is in its row */
};

/* Convert hexadecimal digits to bytes; an error names the column. */
static int read_code(const struct batch *b, const char *text, size_t n,
		     unsigned char *code, size_t *ret_n, struct err *e)
{
	if (n % 2 != 0 || n == 0 || n / 2 > MAX_BLOCK)
		return err_set(e, ERR_INPUT,
			       "%s:%zu:%zu: expected an even number of "
			       "hexadecimal digits, at most %d",
			       b->path, b->line, n + 1, 2 * MAX_BLOCK);
	for (size_t i = 0; i < n; i++) {
		int d = hex_digit(text[i]);

		if (d < 0)
			return err_set(e, ERR_INPUT,
				       "%s:%zu:%zu: expected a hexadecimal "
				       "digit",
				       b->path, b->line, i + 1);
		code[i / 2] = (unsigned char)(i % 2 ? code[i / 2] | d : d << 4);
	}
	*ret_n = n / 2;
	return ERR_OK;
}

/* Does the last instruction jump to the first? */
static bool jumps_back(const struct program *p)
{
	const struct isa_loop *rules = p->c->isa->loop;
	const struct insn *last = &p->insns[p->n - 1];
	int64_t offset;

	return last->instance.form &&
	       rules->jump(p->c, &last->instance, last->n_code, &offset) &&
	       (int64_t)(last->address - p->insns[0].address) + offset == 0;
}

static int predict_block(struct batch *b, struct arena *a, const char *text,
			 size_t n, struct prediction *ret, struct err *e)
{
	struct program p = { .c = b->m->c, .textless = true };
	struct loop loop = { .label = "" };
	unsigned char *code = arena_alloc(a, n / 2 + 1, 1);
	const char *name = arena_printf(a, "%s:%zu", b->path, b->line);
	size_t n_code = 0;

	if (read_code(b, text, n, code, &n_code, e) != ERR_OK ||
	    program_add_bytes(a, &p, &(struct code){ name, code, n_code }, 0,
			      DATA_REFUSED, e) != ERR_OK)
		return e->code;
	loop.last = p.n - 1;
	loop.straight = b->mode == PREDICT_UNROLL ||
			(b->mode == PREDICT_AUTO && !jumps_back(&p));
	b->n_insns = p.n;
	/* The jump back is no branch inside. */
	b->category =
		scored_category(&p, &(struct loop){ .last = p.n - 1,
						    .closed = !loop.straight });
	return predict(a, &(struct loop_on){ &p, &loop, b->m->m }, b->how, ret,
		       e);
}

/* A column behind the block that is a number is what was measured. */
static void add_pair(struct batch *b, const char *line, size_t n,
		     double predicted)
{
	struct batch_pair p = { .predicted = predicted,
				.category = b->category,
				.at = (size_t)(line - b->text),
				.n = n };
	const char *rest = line + n;
	char *end;

	if (*rest == ',') {
		p.given = strtod(rest + 1, &end);
		if (end == rest + 1 || (*end != '\0' && *end != ',') ||
		    !(p.given > 0) || !isfinite(p.given))
			p.given = 0;
	}
	if (predicted > 0)
		buffer_add(&b->pairs, &p, sizeof(p));
}

/* The row of a line: its block of n characters, the values or the reason why
 * there are none, and the rest of the line. */
static void predict_line(struct batch *b, struct batch_count *count,
			 const char *line, size_t n)
{
	struct arena a = { 0 };
	struct err e = { .code = ERR_OK, .message = "" };
	struct prediction x;

	buffer_add(b->out, line, n);
	if (predict_block(b, &a, line, n, &x, &e) == ERR_OK) {
		buffer_printf(b->out, ",%.4g,%.4g,%.4g,", x.cycles,
			      x.throughput, x.carried.cycles);
		if (x.simulation.simulated > 0)
			buffer_printf(b->out, "%.4g", x.simulation.cycles);
		buffer_printf(b->out, ",");
		add_pair(b, line, n, x.cycles);
		count->blocks++;
		count->insns += b->n_insns;
	} else {
		buffer_printf(b->out, ",,,,,");
		csv_add(b->out, e.message);
		if (count->wrong++ == 0)
			count->first = e;
	}
	buffer_printf(b->out, "%s\n", line + n);
	arena_free(&a);
}

static void predict_lines(struct batch *b, struct batch_count *count,
			  char *text)
{
	for (char *line; (line = text_take_line(&text)) != NULL;) {
		b->line++;
		if (*line != '\0')
			predict_line(b, count, line, strcspn(line, ","));
	}
}

/* A worker's task; its result is the count, what was measured of each block with
 * its prediction, and the text of the lines. */
static int batch_work(void *data, size_t i, struct buffer *out, struct err *e)
{
	struct batch b = *(const struct batch *)data;
	const struct batch_task *t = &b.tasks[i];
	struct batch_count count = { 0 };
	char next = b.text[t->end]; /* of the next task */
	struct buffer rows = { 0 };

	b.line = t->line;
	b.out = &rows;
	b.pairs = (struct buffer){ 0 };
	b.e = e;
	b.text[t->end] = '\0';
	predict_lines(&b, &count, b.text + t->at);
	b.text[t->end] = next;
	count.pairs = b.pairs.n;
	buffer_add(out, &count, sizeof(count));
	buffer_add(out, b.pairs.bytes, b.pairs.n);
	buffer_add(out, rows.bytes, rows.n);
	buffer_free(&b.pairs);
	buffer_free(&rows);
	return e->code;
}

static void write_rows(struct batch *b, const void *bytes, size_t n)
{
	if (b->to_file)
		buffer_add(&b->file, bytes, n);
	else
		(void)fwrite(bytes, 1, n, stdout);
}

/* Stands before the first row, so that a file that cannot be read prints
 * nothing. */
static void write_header(struct batch *b)
{
	static const char names[] =
		"block,cycles,throughput,carried,simulated,error\n";

	if (b->count.blocks + b->count.wrong == 0)
		write_rows(b, names, sizeof(names) - 1);
}

static int batch_take(void *data, size_t i, const unsigned char *result,
		      size_t n, struct err *e)
{
	struct batch *b = data;
	struct batch_count count;
	struct batch_pair pair;
	size_t head;

	(void)i;
	memcpy(&count, result, sizeof(count));
	head = sizeof(count) + count.pairs;
	for (size_t at = sizeof(count); at < head; at += sizeof(pair)) {
		memcpy(&pair, result + at, sizeof(pair));
		if (b->keeps_keys)
			pair.key = arena_printf(&b->a, "%.*s", (int)pair.n,
						b->text + pair.at);
		buffer_add(&b->pairs, &pair, sizeof(pair));
	}
	if (count.blocks + count.wrong > 0)
		write_header(b);
	write_rows(b, result + head, n - head);
	if (b->count.wrong == 0)
		b->count.first = count.first;
	b->count.blocks += count.blocks;
	b->count.insns += count.insns;
	b->count.wrong += count.wrong;
	return e->code;
}

/* Does a line end with this byte, as predict_lines() sees it?  A newline
 * behind returns belongs to them, and so do further returns. */
static bool ends_line(const char *text, size_t i)
{
	return (text[i] == '\n' || text[i] == '\r') &&
	       (i == 0 || text[i - 1] != '\r');
}

/* Divide the lines of the file into tasks. */
static size_t find_tasks(struct batch *b, struct arena *a, size_t n)
{
	size_t n_lines = 0, n_tasks = 0, most = 1;

	for (size_t i = 0; i < n; i++)
		n_lines += ends_line(b->text, i);
	most += n_lines / TASK_LINES;
	b->tasks = ARENA_ARRAY(a, struct batch_task, most);
	n_lines = 0;
	for (size_t i = 0; i < n; i++) {
		if (n_tasks == 0 ||
		    (b->text[i - 1] == '\n' &&
		     n_lines - b->tasks[n_tasks - 1].line >= TASK_LINES))
			b->tasks[n_tasks++] =
				(struct batch_task){ .at = i, .line = n_lines };
		n_lines += ends_line(b->text, i);
		b->tasks[n_tasks - 1].end = i + 1;
	}
	return n_tasks;
}

static int batch_run(struct batch *b, const struct workers_job *j,
		     size_t n_tasks)
{
	size_t most = n_tasks / WORKER_TASKS;

	return workers_run(j, n_tasks,
			   b->n_workers < most ? b->n_workers : most, b->e);
}

static int predict_file(struct batch *b, const char *path)
{
	struct arena a = { 0 };
	size_t n;

	b->path = path;
	if (file_read_text(&a, path, MAX_FILE, &b->text, &n, b->e) == ERR_OK) {
		struct workers_job j = { batch_work, batch_take, b };

		(void)batch_run(b, &j, find_tasks(b, &a, n));
	}
	arena_free(&a);
	return b->e->code;
}

static int is_csv(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 4 && strcmp(d->d_name + n - 4, ".csv") == 0;
}

/* Every .csv of a folder, by name. */
static int predict_folder(struct batch *b, const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, is_csv, alphasort);
	struct arena a = { 0 };

	if (n < 0)
		return err_set(b->e, ERR_INPUT, "cannot read the folder %s: %s",
			       path, strerror(errno));
	for (int i = 0; i < n; i++) {
		if (b->e->code == ERR_OK)
			(void)predict_file(b, arena_printf(&a, "%s/%s", path,
							   names[i]->d_name));
		free(names[i]);
	}
	free(names);
	arena_free(&a);
	if (n == 0)
		return err_set(b->e, ERR_INPUT,
			       "the folder %s has no .csv files", path);
	return b->e->code;
}

/* How well what was predicted here and by others agrees with what was measured,
 * where that is given. */
static int print_score(struct batch *b, const struct predict_args *o)
{
	size_t n = b->pairs.n / sizeof(struct batch_pair);
	const struct batch_pair *pairs = (const void *)b->pairs.bytes;
	struct scored w = { .a = &b->a, .n = n };

	w.blocks = ARENA_ARRAY(&b->a, struct scored_block, n + 1);
	for (size_t i = 0; i < n; i++)
		w.blocks[i] = (struct scored_block){
			.key = pairs[i].key ? pairs[i].key : "",
			.predicted = pairs[i].predicted,
			.given = pairs[i].given,
			.category = (enum scored_category)pairs[i].category,
		};
	if (scored_against(&w, &o->against, 0, b->e) == ERR_OK)
		scored_print(&w);
	return b->e->code;
}

/* All files are read: write the rows for -o, and say what they are. */
static int finish(struct batch *b, const struct predict_args *o, double seconds)
{
	const struct batch_count *n = &b->count;

	write_header(b);
	if (b->to_file &&
	    file_write(o->output, b->file.bytes, b->file.n, b->e) != ERR_OK)
		return b->e->code;
	(void)fprintf(stderr,
		      "%zu blocks, %zu instructions, %.0f blocks per "
		      "second, model read in %.0f ms\n",
		      n->blocks, n->insns, (double)n->blocks / seconds,
		      1000 * b->m->seconds);
	if (print_score(b, o) != ERR_OK)
		return b->e->code;
	/* The rows go before the message. */
	if (n->wrong > 0 && output_flush(b->e) == ERR_OK)
		(void)err_set(
			b->e, n->first.code,
			"%zu of %zu blocks have no prediction; the first: "
			"%s",
			n->wrong, n->blocks + n->wrong, n->first.message);
	return b->e->code;
}

int predict_batch(const struct predict_args *o, const struct predict_model *m,
		  const struct predict_options *how, struct err *e)
{
	struct batch b = { .m = m,
			   .how = how,
			   .mode = (unsigned)option_chosen(o->mode),
			   .n_workers = o->jobs ? o->jobs : workers_cpus(),
			   .to_file = o->output != NULL,
			   .keeps_keys = o->against.n > 0,
			   .e = e };
	double start = monotonic_s();
	struct stat st;

	if (stat(o->batch, &st) == 0 && S_ISDIR(st.st_mode))
		(void)predict_folder(&b, o->batch);
	else
		(void)predict_file(&b, o->batch);
	if (e->code == ERR_OK)
		(void)finish(&b, o, monotonic_s() - start);
	buffer_free(&b.file);
	buffer_free(&b.pairs);
	arena_free(&b.a);
	return e->code;
}
