/* See farm.h. */
#include "host/farm/farm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/base/conf.h"
#include "host/base/duration.h"
#include "host/base/file.h"
#include "host/base/json.h"
#include "host/base/monotonic.h"
#include "host/base/process.h"

enum {
	MAX_BOARDS = 256,
	MAX_WORDS = 48,
	STEP_MS = 200,
	USUAL_TRIES = 3,
	GRACE_MS = 10 * 1000, /* from SIGTERM to SIGKILL */
};

/* Keys of a board, and the options of collect that they become. */
static const struct {
	const char *key, *option;
	bool is_console;
} keys[] = {
	{ "board", "--board", false },
	{ "isa", "--isa", false },
	{ "cpu", "--cpu", false },
	{ "forms", "--forms", false },
	{ "variants", "--variants", false },
	{ "what", "--what", false },
	{ "tty", "--tty", true },
	{ "baud", "--baud", false },
	{ "console", "--console-cmd", true },
	{ "power", "--power-cmd", false },
	{ "reset", "--reset-cmd", false },
	{ "labgrid", "--labgrid", true },
	{ "place", "--labgrid-place", true },
};

enum board_state { WAITING, RUNNING, ENDING, DONE, FAILED };

static const char *const state_names[] = { "waiting", "running", "ending",
					   "done", "failed" };

struct farm_board {
	const char *name;
	const char *values[ARRAY_LEN(keys)]; /* NULL: not given */
	int line;
	enum board_state state, shown;
	unsigned tries;
	pid_t pid;
	bool is_stopped; /* ended by the user, not by its limit */
	uint64_t began_ms, end_ms, took_ms;
	const char *db, *log;
	char why[200];
};

struct farm {
	const struct farm_request *q;
	struct arena a;
	const char *self; /* this program */
	double limit_s;   /* of one try; 0: none */
	unsigned tries;
	size_t n;
	struct farm_board boards[MAX_BOARDS];
};

static uint64_t now_ms(void)
{
	return monotonic_ns() / (1000 * 1000);
}

/* ---- the file
 * ------------------------------------------------------------- */

static struct farm_board *board_of(struct farm *f, const char *name, size_t n,
				   int line)
{
	for (size_t i = 0; i < f->n; i++)
		if (strlen(f->boards[i].name) == n &&
		    memcmp(f->boards[i].name, name, n) == 0)
			return &f->boards[i];
	if (f->n == MAX_BOARDS)
		return NULL;
	f->boards[f->n] = (struct farm_board){
		.name = arena_printf(&f->a, "%.*s", (int)n, name),
		.line = line,
	};
	return &f->boards[f->n++];
}

static int take_global(struct farm *f, const struct conf_entry *x,
		       struct err *e)
{
	char *end;
	unsigned long n = strtoul(x->value, &end, 10);

	if (strcmp(x->key, "tries") == 0 && n > 0 && n < 100 && !*end)
		f->tries = (unsigned)n;
	else if (strcmp(x->key, "limit") == 0 &&
		 duration_parse(x->value, &f->limit_s))
		return ERR_OK;
	else
		return err_set(e, ERR_INPUT,
			       "%s:%d: expected NAME.KEY = value, tries = N or "
			       "limit = a time such as 10m",
			       f->q->path, x->line);
	return ERR_OK;
}

static int take_entry(struct farm *f, const struct conf_entry *x, struct err *e)
{
	const char *dot = strrchr(x->key, '.');
	struct farm_board *b;

	if (!dot)
		return take_global(f, x, e);
	if (strspn(x->key,
		   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		   "0123456789_-") != (size_t)(dot - x->key) ||
	    dot == x->key)
		return err_set(e, ERR_INPUT,
			       "%s:%d: the name of a board has letters, "
			       "digits, '-' and '_'",
			       f->q->path, x->line);
	if (strncmp(x->key, "all.", 4) == 0)
		return err_set(e, ERR_INPUT,
			       "%s:%d: a board cannot be named 'all': all.db "
			       "is the merged database",
			       f->q->path, x->line);
	b = board_of(f, x->key, (size_t)(dot - x->key), x->line);
	for (size_t i = 0; b && i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i].key, dot + 1) == 0) {
			b->values[i] = x->value;
			return ERR_OK;
		}
	return err_set(e, ERR_INPUT, "%s:%d: unknown key '%s'%s", f->q->path,
		       x->line, dot + 1, b ? "" : ", or too many boards");
}

static int read_farm(struct farm *f, struct err *e)
{
	struct conf c;

	if (conf_read(&f->a, f->q->path, &c, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < c.n; i++)
		if (take_entry(f, &c.entries[i], e) != ERR_OK)
			return e->code;
	for (size_t i = 0; i < f->n; i++)
		if (!f->boards[i].values[0])
			return err_set(
				e, ERR_INPUT,
				"%s:%d: board '%s' has no key '%s.board'",
				f->q->path, f->boards[i].line,
				f->boards[i].name, f->boards[i].name);
	if (f->n == 0)
		return err_set(e, ERR_INPUT, "%s: no boards", f->q->path);
	return ERR_OK;
}

/* ---- processes
 * ------------------------------------------------------------ */

/* A board without a console is one that `measure` starts on this machine, as
 * those of QEMU; it says what a board lacks that it cannot start. */
static const char *command_of(const struct farm_board *b)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].is_console && b->values[i])
			return "collect";
	return "measure";
}

static void exec_board(const struct farm *f, const struct farm_board *b,
		       pid_t parent)
{
	const char *words[MAX_WORDS] = { f->self, command_of(b), "--db",
					 b->db };
	size_t n = 4;
	int log = open(b->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (access(b->db, F_OK) == 0)
		words[n++] = "--resume";
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (b->values[i]) {
			words[n++] = keys[i].option;
			words[n++] = b->values[i];
		}
	/* The farm ends its boards by this signal, also where it ignores it. */
	(void)signal(SIGTERM, SIG_DFL);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	(void)setpgid(0, 0);
	if (getppid() == parent && log >= 0 && null >= 0 &&
	    dup2(null, STDIN_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0 &&
	    dup2(log, STDERR_FILENO) >= 0)
		/* exec does not change the words. */
		(void)execv(f->self, (char *const *)(uintptr_t)words);
	_exit(127);
}

static void start_board(struct farm *f, struct farm_board *b)
{
	pid_t parent = getpid();

	b->began_ms = now_ms();
	b->tries++;
	b->pid = fork();
	if (b->pid == 0)
		exec_board(f, b, parent);
	b->state = b->pid > 0 ? RUNNING : FAILED;
	if (b->pid < 0)
		(void)snprintf(b->why, sizeof(b->why), "%s", strerror(errno));
}

/* The last message of the board's process. */
static void read_why(struct farm *f, struct farm_board *b)
{
	enum { MAX_LOG = 1 << 26 };
	static const char mark[] = "anechoic: ";
	struct err ignored = { .code = ERR_OK, .message = "" };
	unsigned char *bytes;
	const char *last = NULL;
	size_t n;

	if (file_read(&f->a, b->log, MAX_LOG, &bytes, &n, &ignored) != ERR_OK)
		return;
	for (const char *p = (const char *)bytes; (p = strstr(p, mark)) != NULL;
	     p++)
		if (p == (const char *)bytes || p[-1] == '\n')
			last = p + sizeof(mark) - 1;
	if (last)
		(void)snprintf(b->why, sizeof(b->why), "%.*s",
			       (int)strcspn(last, "\n"), last);
}

static void end_board(struct farm *f, struct farm_board *b, int status)
{
	bool late = b->state == ENDING;

	b->took_ms += now_ms() - b->began_ms;
	b->pid = 0;
	b->why[0] = '\0';
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !late) {
		b->state = DONE;
		return;
	}
	read_why(f, b);
	if (late)
		(void)snprintf(b->why, sizeof(b->why), "%s",
			       b->is_stopped ? "stopped"
					     : "not finished within its limit");
	else if (!b->why[0])
		(void)snprintf(b->why, sizeof(b->why),
			       WIFEXITED(status)
				       ? "its process ended with status %d"
				       : "its process ended by signal %d",
			       WIFEXITED(status) ? WEXITSTATUS(status)
						 : WTERMSIG(status));
	/* A mistake in the file stays one. */
	b->state = b->tries < f->tries && !(WIFEXITED(status) &&
					    WEXITSTATUS(status) == 2)
			   ? WAITING
			   : FAILED;
}

/* SIGTERM lets it release its place; SIGKILL follows. */
static void check_time(const struct farm *f, struct farm_board *b, bool stop)
{
	uint64_t now = now_ms();
	bool late = f->limit_s > 0 &&
		    (double)(now - b->began_ms) > 1000 * f->limit_s;

	if (b->state == RUNNING && (late || stop)) {
		(void)kill(b->pid, SIGTERM);
		b->state = ENDING;
		b->is_stopped = !late;
		b->end_ms = now;
	} else if (b->state == ENDING && now - b->end_ms > GRACE_MS) {
		(void)kill(-b->pid, SIGKILL);
	}
}

static void show(const struct farm *f, struct farm_board *b)
{
	const struct farm_state s = { .name = b->name,
				      .state = state_names[b->state],
				      .seconds = 1e-3 * (double)b->took_ms,
				      .tries = b->tries,
				      .why = b->why };

	if (b->state == b->shown && b->state != WAITING)
		return;
	b->shown = b->state;
	f->q->show(&s);
}

/* Serve the boards once; false when all have ended. */
static bool farm_step(struct farm *f)
{
	bool busy = false, stop = *f->q->stop;

	for (size_t i = 0; i < f->n; i++) {
		struct farm_board *b = &f->boards[i];
		int status;

		if (b->state == WAITING && stop)
			b->state = FAILED;
		if (b->state == WAITING)
			start_board(f, b);
		if (b->pid > 0 && waitpid(b->pid, &status, WNOHANG) == b->pid)
			end_board(f, b, status);
		else if (b->pid > 0)
			check_time(f, b, stop);
		if (b->state == WAITING || b->state != b->shown)
			show(f, b);
		busy |= b->state < DONE;
	}
	return busy;
}

/* ---- results
 * -------------------------------------------------------------- */

static int write_summary(const struct farm *f, const char *path, struct err *e)
{
	struct buffer b = { 0 };

	buffer_printf(&b, "[\n");
	for (size_t i = 0; i < f->n; i++) {
		const struct farm_board *x = &f->boards[i];

		buffer_printf(&b,
			      "{\"name\":\"%s\",\"state\":\"%s\","
			      "\"tries\":%u,\"seconds\":%.1f,\"db\":",
			      x->name, state_names[x->state], x->tries,
			      1e-3 * (double)x->took_ms);
		json_add_string(&b, x->db);
		buffer_printf(&b, ",\"log\":");
		json_add_string(&b, x->log);
		buffer_printf(&b, ",\"why\":");
		json_add_string(&b, x->why);
		buffer_printf(&b, "}%s\n", i + 1 < f->n ? "," : "");
	}
	buffer_printf(&b, "]\n");
	(void)file_write(path, b.bytes, b.n, e);
	buffer_free(&b);
	return e->code;
}

/* Merge what there is, also of boards that failed. */
static int merge(struct farm *f, struct err *e)
{
	const char *words[MAX_BOARDS + 5] = { f->self, "merge", "-o",
					      arena_printf(&f->a, "%s/all.db",
							   f->q->folder) };
	size_t n = 4;
	int status = -1;
	pid_t pid;

	for (size_t i = 0; i < f->n; i++)
		if (access(f->boards[i].db, R_OK) == 0)
			words[n++] = f->boards[i].db;
	if (n == 4)
		return ERR_OK;
	pid = fork();
	if (pid == 0) {
		/* exec does not change the words. */
		(void)execv(f->self, (char *const *)(uintptr_t)words);
		_exit(127);
	}
	if (pid > 0)
		(void)waitpid(pid, &status, 0);
	if (status != 0)
		return err_set(e, ERR_FAILED,
			       "merging failed; the databases of the boards "
			       "are in %s",
			       f->q->folder);
	return ERR_OK;
}

static int prepare(struct farm *f, struct err *e)
{
	f->self = process_program(&f->a);
	if (!f->self)
		return err_set(e, ERR_SYSTEM,
			       "cannot find this program's own file: %s; run "
			       "it by its path, or mount /proc",
			       strerror(errno));
	if (mkdir(f->q->folder, 0777) != 0 && errno != EEXIST)
		return err_set(e, ERR_SYSTEM, "cannot create folder %s: %s",
			       f->q->folder, strerror(errno));
	for (size_t i = 0; i < f->n; i++) {
		struct farm_board *b = &f->boards[i];

		b->shown = DONE;
		b->db = arena_printf(&f->a, "%s/%s.db", f->q->folder, b->name);
		b->log =
			arena_printf(&f->a, "%s/%s.log", f->q->folder, b->name);
	}
	return ERR_OK;
}

static int finish(struct farm *f, struct err *e)
{
	size_t n_failed = 0;

	for (size_t i = 0; i < f->n; i++)
		n_failed += f->boards[i].state != DONE;
	if (write_summary(f,
			  arena_printf(&f->a, "%s/summary.json", f->q->folder),
			  e) != ERR_OK)
		return e->code;
	if (merge(f, e) != ERR_OK)
		return e->code;
	if (n_failed > 0)
		return err_set(e, ERR_FAILED,
			       "%zu of %zu boards failed; see "
			       "%s/summary.json",
			       n_failed, f->n, f->q->folder);
	return ERR_OK;
}

int farm_measure(const struct farm_request *q, struct err *e)
{
	struct farm *f = xrealloc(NULL, 1, sizeof(*f));

	*f = (struct farm){ .q = q, .tries = USUAL_TRIES };
	if (read_farm(f, e) == ERR_OK && prepare(f, e) == ERR_OK) {
		while (farm_step(f))
			(void)poll(NULL, 0, STEP_MS);
		(void)finish(f, e);
	}
	arena_free(&f->a);
	free(f);
	return e->code;
}
