/* Transports of child programs, whose standard input and output are the
 * console: "qemu" boots an image, "process" runs the runtime as a process of
 * this machine with its pack in a file.  A kernel that kills the process counts
 * as a death of the board. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/base/arena.h"
#include "host/base/qemu.h"
#include "host/link/link.h"

enum {
	MAX_WORDS = 128,
	ERRORS_ROOM = 1 << 16, /* buffered stderr, until a line is complete */
	WRITE_MS = 5000,
	REAP_MS = 1000, /* time for a program to end after it closed its
			 * console */
	REAP_STEP_MS = 10,
	LINE_NS = 500 * 1000, /* QEMU prints a line of 200 characters in 1 ms */
	EXEC_FAILED = 127,
};

struct spawn {
	pid_t pid;
	int in, out, err;   /* this end of the child's streams; -1 if closed */
	bool at_line_start; /* stdout is at the start of a line */
	size_t n_errors;
	char errors[ERRORS_ROOM];
	char reason[128];
};

/* ---- the command ------------------------------------------------------ */

struct spawn_command {
	char *words[MAX_WORDS + 1]; /* NULL-terminated, for exec */
	size_t n;
};

static bool is_qemu(const char *program)
{
	const char *slash = strrchr(program, '/');

	return strncmp(slash ? slash + 1 : program, "qemu-", 5) == 0;
}

/* Replace each @NAME@ of a word by a file name, which is a value in a list if
 * the word is one of QEMU's and has more. */
static int expand_word(struct arena *a, const struct link_request *q, bool qemu,
		       const char *word, char **ret, struct err *e)
{
	const struct {
		const char *mark, *file;
	} files[] = {
		{ "@IMAGE@", q->image },
		{ "@PACK@", q->pack },
		{ "@RUNTIME@", q->runtime },
	};
	char *text = arena_strdup(a, word);

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char *at = strstr(text, files[i].mark);

		if (!at)
			continue;
		if (!files[i].file)
			return err_set(
				e, ERR_FAILED,
				"%s: there is no file for %s of the command",
				q->board->path, files[i].mark);
		text = arena_printf(a, "%.*s%s%s", (int)(at - text), text,
				    qemu && strcmp(text, files[i].mark) != 0
					    ? qemu_value(a, files[i].file)
					    : files[i].file,
				    at + strlen(files[i].mark));
	}
	*ret = text;
	return ERR_OK;
}

static int split_command(struct arena *a, const struct link_request *q,
			 struct spawn_command *c, struct err *e)
{
	char *save = NULL;

	for (char *word =
		     strtok_r(arena_strdup(a, q->board->command), " \t", &save);
	     word; word = strtok_r(NULL, " \t", &save)) {
		if (c->n == MAX_WORDS)
			return err_set(e, ERR_INPUT,
				       "%s: the command has more than %d words",
				       q->board->path, MAX_WORDS);
		if (expand_word(a, q, is_qemu(c->n ? c->words[0] : word), word,
				&c->words[c->n], e) != ERR_OK)
			return e->code;
		c->n++;
	}
	if (c->n == 0)
		return err_set(e, ERR_INPUT, "%s: missing key 'command'",
			       q->board->path);
	return ERR_OK;
}

/* ---- starting --------------------------------------------------------- */

/* Descriptors: [0] is this program's end, [1] the child's. */
struct pipes {
	int in[2], out[2], err[2], failed[2];
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

static void close_pipes(struct pipes *p)
{
	int *const pairs[] = { p->in, p->out, p->err, p->failed };

	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		close_fd(&pairs[i][0]);
		close_fd(&pairs[i][1]);
	}
}

static bool open_pipes(struct pipes *p)
{
	*p = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };
	/* A socket, because MSG_NOSIGNAL avoids SIGPIPE on writes. */
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, p->in) == 0 &&
	       pipe2(p->out, O_CLOEXEC) == 0 && pipe2(p->err, O_CLOEXEC) == 0 &&
	       pipe2(p->failed, O_CLOEXEC) == 0;
}

/* Failure is ignored: the CPU may have been taken offline, and the program can
 * still run. */
static void pin_to_cpu(int cpu)
{
	cpu_set_t set;

	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}

/* In the child, between vfork and exec: it shares the memory of the parent, so
 * async-signal-safe calls only. */
static void exec_child(struct pipes *p, char *const *words, int cpu,
		       pid_t parent)
{
	int error;

	pin_to_cpu(cpu);
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent && dup2(p->in[1], STDIN_FILENO) >= 0 &&
	    dup2(p->out[1], STDOUT_FILENO) >= 0 &&
	    dup2(p->err[1], STDERR_FILENO) >= 0)
		/* NOLINTNEXTLINE(*NonNull*): split_command() finds a word. */
		(void)execvp(words[0], words);
	error = errno;
	if (write(p->failed[1], &error, sizeof(error)) < 0)
		_exit(EXEC_FAILED);
	_exit(EXEC_FAILED);
}

/* Wait until exec has happened: end of file, or the errno of its failure. */
static int exec_error(int fd)
{
	int error = 0;
	ssize_t n;

	do
		n = read(fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(error) ? error : 0;
}

static int not_started(const struct link_request *q, const char *program,
		       int error, struct err *e)
{
	const char *package = q->board->package;

	if (error == ENOENT && *package)
		return err_set(e, ERR_FAILED,
			       "%s: the program '%s' is not installed; it is "
			       "in the Debian package %s",
			       q->board->name, program, package);
	return err_set(e, ERR_FAILED, "%s: cannot start the program '%s': %s",
		       q->board->name, program, strerror(error));
}

/* vfork(), because a port search starts a thousand programs and holds a
 * gigabyte: fork() copies its page tables, which took a fifth of the host's
 * time.  A function of its own, as the variables of its caller would be
 * clobbered.  posix_spawn() can neither choose the CPU nor end the child with
 * its parent. */
static pid_t spawn_process(struct pipes *p, char *const *words, int cpu)
{
	pid_t self = getpid(), pid;

	/* NOLINTNEXTLINE(*unsafe-functions,*vfork): see above. */
	pid = vfork();
	if (pid == 0)
		exec_child(p, words, cpu, self);
	return pid;
}

static int start_child(const struct link_request *q, char *const *words,
		       struct spawn *s, struct err *e)
{
	struct pipes p;

	if (!open_pipes(&p)) {
		close_pipes(&p);
		return err_set(e, ERR_SYSTEM, "%s: cannot create pipes: %s",
			       q->board->name, strerror(errno));
	}
	s->pid = spawn_process(&p, words, q->cpu);
	if (s->pid < 0) {
		close_pipes(&p);
		return err_set(e, ERR_SYSTEM, "%s: cannot create a process: %s",
			       q->board->name, strerror(errno));
	}
	/* Parent and child both call setpgid(), because either may run
	 * first. */
	(void)setpgid(s->pid, s->pid);
	close_fd(&p.failed[1]);

	int error = exec_error(p.failed[0]);

	if (error) {
		(void)waitpid(s->pid, NULL, 0);
		close_pipes(&p);
		return not_started(q, words[0], error, e);
	}
	s->in = p.in[0];
	s->out = p.out[0];
	s->err = p.err[0];
	p.in[0] = p.out[0] = p.err[0] = -1;
	close_pipes(&p);
	/* A grandchild may keep them open, so reading must not block. */
	(void)fcntl(s->out, F_SETFL, O_NONBLOCK);
	(void)fcntl(s->err, F_SETFL, O_NONBLOCK);
	return ERR_OK;
}

/* ---- the stream ------------------------------------------------------- */

/* Deliver stderr up to its last newline.  At its end, or if the buffer is full,
 * deliver all of it and end it with a newline. */
static int deliver_errors(struct spawn *s, char *bytes, size_t n)
{
	size_t give = s->n_errors;

	while (give > 0 && s->errors[give - 1] != '\n')
		give--;
	if (give == 0 && s->n_errors > 0 &&
	    (s->err < 0 || s->n_errors == sizeof(s->errors))) {
		s->errors[s->n_errors - 1] = '\n';
		give = s->n_errors;
	}
	/* Deliver complete lines only: a partial line would merge with stdout's
	 * next line. */
	while (give > n || (give > 0 && s->errors[give - 1] != '\n'))
		give--;
	memcpy(bytes, s->errors, give);
	memmove(s->errors, s->errors + give, s->n_errors - give);
	s->n_errors -= give;
	return (int)give;
}

static void read_errors(struct spawn *s)
{
	ssize_t n = read(s->err, s->errors + s->n_errors,
			 sizeof(s->errors) - s->n_errors);

	if (n > 0)
		s->n_errors += (size_t)n;
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		close_fd(&s->err);
}

static int read_out(struct spawn *s, char *bytes, size_t n)
{
	ssize_t got = read(s->out, bytes, n);

	if (got > 0) {
		s->at_line_start = bytes[got - 1] == '\n';
		return (int)got;
	}
	if (got == 0 || (errno != EINTR && errno != EAGAIN))
		close_fd(&s->out);
	return 0;
}

/* Deliver the rest of stderr after stdout has ended; 0 if there is none. */
static int deliver_rest(struct spawn *s, char *bytes, size_t n)
{
	if (!s->at_line_start) {
		s->at_line_start = true;
		bytes[0] = '\n';
		return 1;
	}
	if (s->err >= 0 && s->n_errors < sizeof(s->errors))
		read_errors(s);
	return deliver_errors(s, bytes, n);
}

static int spawn_read(void *state, char *bytes, size_t n, int timeout_ms)
{
	struct spawn *s = state;
	struct pollfd fds[] = {
		{ .fd = s->out, .events = POLLIN },
		{ .fd = s->n_errors < sizeof(s->errors) ? s->err : -1,
		  .events = POLLIN },
	};

	if (s->out < 0) {
		int given = deliver_rest(s, bytes, n);

		return given > 0 ? given : -1;
	}
	if (s->at_line_start && s->n_errors > 0) {
		int given = deliver_errors(s, bytes, n);

		if (given > 0)
			return given;
	}
	/* An emulated UART delivers its line character by character, and waking
	 * for each costs more than the line takes.  A runtime in a process
	 * writes whole lines and is not delayed. */
	if (!s->at_line_start)
		(void)nanosleep(&(struct timespec){ .tv_nsec = LINE_NS }, NULL);
	if (poll(fds, ARRAY_LEN(fds), timeout_ms) <= 0)
		return 0;
	if (fds[1].revents)
		read_errors(s);
	if (!fds[0].revents)
		return 0;

	int got = read_out(s, bytes, n);

	return got > 0 || s->out >= 0 ? got : spawn_read(state, bytes, n, 0);
}

static int spawn_write(void *state, const char *bytes, size_t n)
{
	struct spawn *s = state;

	while (n > 0) {
		struct pollfd fd = { .fd = s->in, .events = POLLOUT };
		ssize_t put =
			send(s->in, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (put > 0) {
			bytes += put;
			n -= (size_t)put;
		} else if (errno == EAGAIN) {
			if (poll(&fd, 1, WRITE_MS) == 0)
				return -1;
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return 0;
}

static void describe_end(struct spawn *s, const siginfo_t *info)
{
	if (info->si_code == CLD_EXITED)
		(void)snprintf(s->reason, sizeof(s->reason), "exit status %d",
			       info->si_status);
	else
		(void)snprintf(s->reason, sizeof(s->reason), "signal %d (%s)",
			       info->si_status, strsignal(info->si_status));
}

static const char *spawn_end_reason(void *state)
{
	struct spawn *s = state;

	for (int ms = 0; ms < REAP_MS; ms += REAP_STEP_MS) {
		siginfo_t info = { .si_pid = 0 };

		/* Does not reap the child: its process group id must stay
		 * reserved until spawn_close() has killed the group. */
		if (waitid(P_PID, (id_t)s->pid, &info,
			   WEXITED | WNOHANG | WNOWAIT) == 0 &&
		    info.si_pid == s->pid) {
			describe_end(s, &info);
			return s->reason;
		}
		(void)poll(NULL, 0, REAP_STEP_MS);
	}
	return "it closed its console";
}

static void spawn_close(void *state)
{
	struct spawn *s = state;

	close_fd(&s->in);
	(void)kill(-s->pid, SIGKILL);
	while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	close_fd(&s->out);
	close_fd(&s->err);
	free(s);
}

/* Start the board's command, split at blanks (no shell), with @IMAGE@, @PACK@
 * and @RUNTIME@ replaced by the request's file names.  The child leads its own
 * process group, which close() kills, and is killed when this program ends.
 * Its stderr is delivered as whole lines between those of stdout.  ERR_FAILED
 * if the program cannot be started or the request lacks a file name. */
static int spawn_open(struct arena *a, const struct link_request *q,
		      struct stream *ret_stream, struct err *e)
{
	struct arena words = { 0 };
	struct spawn_command command = { .n = 0 };
	int ret = split_command(&words, q, &command, e);
	struct spawn *s = xrealloc(NULL, 1, sizeof(*s));

	(void)a;
	*s = (struct spawn){ .at_line_start = true };
	if (ret == ERR_OK)
		ret = start_child(q, command.words, s, e);
	arena_free(&words);
	if (ret != ERR_OK) {
		free(s);
		return ret;
	}
	*ret_stream = (struct stream){
		.state = s,
		.read = spawn_read,
		.write = spawn_write,
		.end_reason = spawn_end_reason,
		.close = spawn_close,
	};
	return ERR_OK;
}

static pid_t spawned(void *state)
{
	return ((const struct spawn *)state)->pid;
}

static int open_process(struct arena *a, const struct link_request *q,
			struct stream *ret_stream, struct err *e)
{
	if (spawn_open(a, q, ret_stream, e) == ERR_OK) {
		ret_stream->queues = true;
		ret_stream->process = spawned;
	}
	return e->code;
}

const struct transport transport_process = {
	.name = "process",
	.can_restart = true,
	.open = open_process,
};

const struct transport transport_qemu = {
	.name = "qemu",
	.can_restart = true,
	.open = spawn_open,
};
