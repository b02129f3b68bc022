#include "host/link/console.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "host/link/keeper.h"

enum {
	PATH_ROOM = 64,
	WORDS_BYTES = 240, /* of standard error, kept for messages */
	NOTICE_BYTES = 640,
	/* Ends in a row, each within KEEPER_LIVED_MS of its start, after which
	 * the command does not work: half a minute if it never lived longer,
	 * else two minutes, as a line that is unplugged. */
	SHORT_FIRST = 5,
	SHORT_LATER = 8,
	NOT_EXECUTABLE = 126, /* statuses of a shell that cannot run it */
	MS_PER_S = 1000,
};

struct console {
	const struct console_request *q;
	int master, slave;
	char path[PATH_ROOM];
	pid_t keeper;
	int life;           /* closing it ends the keeper */
	int report, errors; /* what the keeper and the command write */
	pthread_t thread;
	bool has_thread;

	/* ---- under the lock ---- */
	pthread_mutex_t lock;
	bool is_closing;
	bool has_lived; /* once for KEEPER_LIVED_MS */
	unsigned n_short;
	struct keeper_report last;
	size_t n_words;
	char words[WORDS_BYTES]; /* end of the standard error */
};

/* ---- what the keeper reports ------------------------------------------- */

static void describe_status(int status, char *text, size_t room)
{
	if (WIFSIGNALED(status))
		(void)snprintf(text, room, "signal %d (%s)", WTERMSIG(status),
			       strsignal(WTERMSIG(status)));
	else
		(void)snprintf(text, room, "exit status %d",
			       WEXITSTATUS(status));
}

/* The lines of `words` without empty ones, joined by " | ". */
static void join_words(const struct console *c, char text[2 * WORDS_BYTES])
{
	size_t n = 0;
	bool gap = false;

	for (size_t i = 0; i < c->n_words && n + 4 < 2 * WORDS_BYTES; i++) {
		char b = c->words[i];

		if ((unsigned char)b < ' ') {
			gap = gap || (b == '\n' && n > 0);
			continue;
		}
		if (gap) {
			memcpy(text + n, " | ", 3);
			n += 3;
		}
		gap = false;
		text[n++] = b;
	}
	text[n] = '\0';
}

/* How it ended.  The lock is held. */
static void describe_end(const struct console *c, char *text, size_t room)
{
	char status[64], words[2 * WORDS_BYTES];

	describe_status(c->last.status, status, sizeof(status));
	join_words(c, words);
	(void)snprintf(text, room, "%s ended after %.1f s: %s%s%s", c->q->name,
		       (double)c->last.lived_ms / MS_PER_S, status,
		       *words ? "; standard error: " : "", words);
}

static bool has_failed(const struct console *c)
{
	int status = c->last.status;

	if (!c->has_lived && c->n_short > 0 && WIFEXITED(status) &&
	    (WEXITSTATUS(status) == NOT_EXECUTABLE ||
	     WEXITSTATUS(status) == KEEPER_EXEC_FAILED))
		return true;
	return c->n_short >= (c->has_lived ? SHORT_LATER : SHORT_FIRST);
}

static void take_report(struct console *c, const struct keeper_report *r)
{
	char text[NOTICE_BYTES], end[NOTICE_BYTES - 64];
	bool is_told;

	(void)pthread_mutex_lock(&c->lock);
	c->last = *r;
	if (!r->ended) {
		c->n_words = 0;
	} else if (r->lived_ms >= KEEPER_LIVED_MS) {
		c->has_lived = true;
		c->n_short = 0;
	} else {
		c->n_short++;
	}
	is_told = r->ended && !c->is_closing && !has_failed(c);
	describe_end(c, end, sizeof(end));
	(void)pthread_mutex_unlock(&c->lock);
	if (!is_told || !c->q->notice)
		return;
	(void)snprintf(text, sizeof(text), "%s; it is started again in %u s",
		       end, r->again_ms / MS_PER_S);
	c->q->notice(text);
}

/* Keep the end of what the command complains of, and pass it on. */
static void take_errors(struct console *c)
{
	char bytes[WORDS_BYTES];
	ssize_t n = read(c->errors, bytes, sizeof(bytes));
	size_t keep;

	if (n <= 0)
		return;
	(void)!write(STDERR_FILENO, bytes, (size_t)n);
	(void)pthread_mutex_lock(&c->lock);
	keep = WORDS_BYTES - (size_t)n;
	if (c->n_words > keep) {
		memmove(c->words, c->words + c->n_words - keep, keep);
		c->n_words = keep;
	}
	memcpy(c->words + c->n_words, bytes, (size_t)n);
	c->n_words += (size_t)n;
	(void)pthread_mutex_unlock(&c->lock);
}

/* Take what the command has written. */
static void drain_errors(struct console *c)
{
	struct pollfd fd = { .fd = c->errors, .events = POLLIN };

	while (poll(&fd, 1, 0) > 0 && (fd.revents & POLLIN))
		take_errors(c);
}

/* Read what keeper and command write until the keeper has ended.  The report of
 * a start comes before the words of the command, that of its end behind
 * them. */
static void *watch(void *context)
{
	struct console *c = context;
	struct keeper_report r;

	for (;;) {
		struct pollfd fds[] = {
			{ .fd = c->report, .events = POLLIN },
			{ .fd = c->errors, .events = POLLIN },
		};

		if (poll(fds, ARRAY_LEN(fds), -1) < 0)
			continue;
		if (!fds[0].revents) {
			take_errors(c);
			continue;
		}
		if (read(c->report, &r, sizeof(r)) != sizeof(r))
			return NULL;
		if (r.ended)
			drain_errors(c);
		take_report(c, &r);
	}
}

enum console_state console_look(struct console *c, char *why, size_t room)
{
	enum console_state state = CONSOLE_RUNS;

	(void)pthread_mutex_lock(&c->lock);
	if (c->last.ended) {
		state = has_failed(c) ? CONSOLE_FAILED : CONSOLE_WAITS;
		describe_end(c, why, room);
	}
	(void)pthread_mutex_unlock(&c->lock);
	return state;
}

/* ---- opening ------------------------------------------------------------ */

static bool open_terminal(struct console *c)
{
	struct termios t;

	c->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (c->master < 0 || grantpt(c->master) != 0 ||
	    unlockpt(c->master) != 0 ||
	    ptsname_r(c->master, c->path, sizeof(c->path)) != 0)
		return false;
	/* Open as long as the console: the line does not hang up when its
	 * other user closes it. */
	c->slave = open(c->path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (c->slave < 0 || tcgetattr(c->slave, &t) != 0)
		return false;
	cfmakeraw(&t);
	return tcsetattr(c->slave, TCSANOW, &t) == 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

static bool start_keeper(struct console *c)
{
	int life[2] = { -1, -1 }, report[2] = { -1, -1 };
	int errors[2] = { -1, -1 };
	bool piped = pipe2(life, O_CLOEXEC) == 0 &&
		     pipe2(report, O_CLOEXEC) == 0 &&
		     pipe2(errors, O_CLOEXEC) == 0;

	c->keeper = piped ? fork() : -1;
	if (c->keeper == 0) {
		const struct keeper_job job = {
			.command = c->q->command,
			.at_end = c->q->at_end,
			.terminal = c->master,
			.errors = errors[1],
			.life = life[0],
			.report = report[1],
		};

		(void)close(life[1]);
		(void)close(report[0]);
		(void)close(errors[0]);
		(void)close(c->slave);
		keeper_main(&job);
	}
	close_fd(&life[0]);
	close_fd(&report[1]);
	close_fd(&errors[1]);
	c->life = life[1];
	c->report = report[0];
	c->errors = errors[0];
	return c->keeper > 0;
}

int console_open(const struct console_request *q, struct console **ret,
		 struct err *e)
{
	struct console *c = xrealloc(NULL, 1, sizeof(*c));

	*c = (struct console){ .q = q,
			       .master = -1,
			       .slave = -1,
			       .life = -1,
			       .report = -1,
			       .errors = -1 };
	(void)pthread_mutex_init(&c->lock, NULL);
	if (open_terminal(c) && start_keeper(c)) {
		c->has_thread = pthread_create(&c->thread, NULL, watch, c) == 0;
		if (c->has_thread) {
			*ret = c;
			return ERR_OK;
		}
	}
	(void)err_set(e, ERR_SYSTEM, "cannot make a terminal for %s: %s",
		      q->name, strerror(errno));
	console_close(c);
	return e->code;
}

const char *console_path(const struct console *c)
{
	return c->path;
}

void console_close(struct console *c)
{
	if (!c)
		return;
	(void)pthread_mutex_lock(&c->lock);
	c->is_closing = true;
	(void)pthread_mutex_unlock(&c->lock);
	close_fd(&c->life);
	if (c->keeper > 0)
		(void)waitpid(c->keeper, NULL, 0);
	if (c->has_thread)
		(void)pthread_join(c->thread, NULL);
	close_fd(&c->report);
	close_fd(&c->errors);
	close_fd(&c->slave);
	close_fd(&c->master);
	(void)pthread_mutex_destroy(&c->lock);
	free(c);
}
