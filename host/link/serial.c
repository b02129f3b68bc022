/* Transport "serial": a tty in raw mode without flow control.  The tty may
 * disappear and return (adapter unplugged, console server restarted).  The
 * board is independent of the line; the command of --reset-cmd restarts it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "host/link/console.h"
#include "host/link/link.h"
#include "host/link/serial.h"

enum {
	DEFAULT_BAUD = 115200,
	WRITE_MS = 5000,
	RESET_MS = 120 * 1000, /* power switches wait for capacitors to
				* discharge */
	RESET_STEP_MS = 20,
	/* A host that was killed in --reset-cmd leaves a child that holds the
	 * line until it runs the command. */
	BUSY_MS = 3000,
	BUSY_STEP_MS = 50,
};

struct serial {
	const char *path;
	const char *reset_command; /* or NULL */
	speed_t speed;
	struct console *console; /* or NULL */
	int fd;                  /* -1 while the line is down */
	char reason[512];
};

static const struct {
	uint32_t baud;
	speed_t speed;
} speeds[] = {
	{ 9600, B9600 },       { 19200, B19200 },     { 38400, B38400 },
	{ 57600, B57600 },     { 115200, B115200 },   { 230400, B230400 },
	{ 460800, B460800 },   { 500000, B500000 },   { 576000, B576000 },
	{ 921600, B921600 },   { 1000000, B1000000 }, { 1152000, B1152000 },
	{ 1500000, B1500000 }, { 2000000, B2000000 }, { 3000000, B3000000 },
	{ 4000000, B4000000 },
};

static int find_speed(uint32_t baud, speed_t *ret, struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(speeds); i++) {
		if (speeds[i].baud != baud)
			continue;
		*ret = speeds[i].speed;
		return ERR_OK;
	}
	return err_set(e, ERR_USAGE,
		       "--baud: unsupported rate %u; use for example "
		       "9600, 115200 or 1500000",
		       baud);
}

uint32_t serial_baud(uint32_t baud)
{
	return baud ? baud : DEFAULT_BAUD;
}

/* ---- resetting the board ---------------------------------------------- */

static int reset_failed(const char *command, int status, struct err *e)
{
	if (WIFEXITED(status))
		return err_set(e, ERR_FAILED,
			       "--reset-cmd '%s' failed with exit status %d",
			       command, WEXITSTATUS(status));
	return err_set(e, ERR_FAILED,
		       "--reset-cmd '%s' was killed or did not end "
		       "within %d s",
		       command, RESET_MS / 1000);
}

/* In the child: standard output is reserved for results, so the command's
 * output goes to standard error. */
static void exec_command(const char *command)
{
	(void)setpgid(0, 0);
	(void)dup2(STDERR_FILENO, STDOUT_FILENO);
	(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static int reset_board(const char *command, struct err *e)
{
	pid_t pid = fork();
	int status = 0;
	pid_t ended = 0;

	if (pid == 0)
		exec_command(command);
	if (pid < 0)
		return err_set(e, ERR_SYSTEM,
			       "--reset-cmd: cannot create a process: %s",
			       strerror(errno));
	for (int ms = 0; ms < RESET_MS && ended == 0; ms += RESET_STEP_MS) {
		ended = waitpid(pid, &status, WNOHANG);
		if (ended == 0)
			(void)poll(NULL, 0, RESET_STEP_MS);
	}
	if (ended == 0) {
		(void)kill(-pid, SIGKILL);
		(void)waitpid(pid, &status, 0);
	}
	if (ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return ERR_OK;
	return reset_failed(command, status, e);
}

/* ---- the line --------------------------------------------------------- */

/* Raw mode: no echo, signals, translation or flow control; modem lines are
 * ignored.  Discards what a device received before; a console's command was
 * started by this program, so all that it printed counts. */
static bool set_raw(int fd, const struct serial *s)
{
	struct termios t;

	if (tcgetattr(fd, &t) != 0)
		return false;
	cfmakeraw(&t);
	t.c_cflag |= CLOCAL | CREAD;
	t.c_cflag &= ~(tcflag_t)(CRTSCTS | CSTOPB | HUPCL);
	t.c_iflag &= ~(tcflag_t)(IXON | IXOFF | IXANY);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	return cfsetispeed(&t, s->speed) == 0 &&
	       cfsetospeed(&t, s->speed) == 0 &&
	       tcsetattr(fd, TCSANOW, &t) == 0 &&
	       (s->console || tcflush(fd, TCIFLUSH) == 0);
}

/* Open and configure the line; -1 with errno on failure. */
static int open_line(const struct serial *s)
{
	int fd = open(s->path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	int error;

	if (fd < 0)
		return -1;
	/* The lock prevents two programs from each reading half of the
	 * records. */
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && set_raw(fd, s))
		return fd;
	error = errno == EWOULDBLOCK ? EBUSY : errno;
	(void)close(fd);
	errno = error;
	return -1;
}

/* Open the line; wait for another holder to let it go. */
static int open_free_line(const struct serial *s)
{
	int fd = open_line(s);

	for (int ms = 0; fd < 0 && errno == EBUSY && ms < BUSY_MS;
	     ms += BUSY_STEP_MS) {
		(void)poll(NULL, 0, BUSY_STEP_MS);
		fd = open_line(s);
	}
	return fd;
}

static void drop_line(struct serial *s, const char *why)
{
	(void)snprintf(s->reason, sizeof(s->reason), "%s: %s", s->path, why);
	(void)close(s->fd);
	s->fd = -1;
}

/* Reopen the line if it is down; true if it is up. */
static bool is_up(struct serial *s, int timeout_ms)
{
	if (s->fd >= 0)
		return true;
	s->fd = open_line(s);
	if (s->fd >= 0)
		return true;
	(void)snprintf(s->reason, sizeof(s->reason), "%s: %s", s->path,
		       strerror(errno));
	(void)poll(NULL, 0, timeout_ms);
	return false;
}

/* Nothing was received: what is with the command of the line's console? */
static int look_at_console(struct serial *s)
{
	static const int results[] = {
		[CONSOLE_RUNS] = 0,
		[CONSOLE_WAITS] = STREAM_AWAY,
		[CONSOLE_FAILED] = STREAM_FAILED,
	};

	return s->console ? results[console_look(s->console, s->reason,
						 sizeof(s->reason))]
			  : 0;
}

static int serial_read(void *state, char *bytes, size_t n, int timeout_ms)
{
	struct serial *s = state;

	if (!is_up(s, timeout_ms))
		return STREAM_AWAY;

	struct pollfd fd = { .fd = s->fd, .events = POLLIN };

	if (poll(&fd, 1, timeout_ms) <= 0)
		return look_at_console(s);

	ssize_t got = read(s->fd, bytes, n);

	if (got > 0)
		return (int)got;
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	drop_line(s, got == 0 ? "hung up" : strerror(errno));
	return STREAM_AWAY;
}

static int serial_write(void *state, const char *bytes, size_t n)
{
	struct serial *s = state;

	while (n > 0 && s->fd >= 0) {
		struct pollfd fd = { .fd = s->fd, .events = POLLOUT };
		ssize_t put = write(s->fd, bytes, n);

		if (put > 0) {
			bytes += put;
			n -= (size_t)put;
		} else if (put < 0 && errno == EAGAIN) {
			if (poll(&fd, 1, WRITE_MS) == 0)
				drop_line(s, "writing timed out");
		} else if (put == 0 || errno != EINTR) {
			drop_line(s, strerror(errno));
		}
	}
	return 0;
}

static const char *serial_end_reason(void *state)
{
	const struct serial *s = state;

	return *s->reason ? s->reason : "the line is up";
}

static int serial_restart(void *state, struct err *e)
{
	struct serial *s = state;

	return s->reset_command ? reset_board(s->reset_command, e) : ERR_OK;
}

static void serial_close(void *state)
{
	struct serial *s = state;

	if (s->fd >= 0)
		(void)close(s->fd);
	free(s);
}

/* ---- opening ---------------------------------------------------------- */

static int cannot_open(const struct serial *s, struct err *e)
{
	const char *advice = "";

	if (errno == EACCES)
		advice = "; is this user in the group that owns it?";
	else if (errno == EBUSY)
		advice = "; another program uses it";
	else if (errno == ENOENT)
		advice = "; is the adapter plugged in? `anechoic doctor "
			 "--board B` lists the lines";
	else if (errno == ENOTTY)
		advice = "; it is not a tty";
	return err_set(e, ERR_FAILED, "cannot open the serial line %s: %s%s",
		       s->path, strerror(errno), advice);
}

static int open_serial(struct arena *a, const struct link_request *q,
		       struct stream *ret_stream, struct err *e)
{
	struct serial line = {
		.path = q->tty,
		.reset_command = q->reset_command,
		.console = q->console,
		.fd = -1,
	};
	struct serial *s;

	(void)a;
	if (!q->tty)
		return err_set(e, ERR_USAGE, "board '%s' needs --tty DEV",
			       q->board->name);
	if (find_speed(serial_baud(q->baud), &line.speed, e) != ERR_OK)
		return e->code;
	line.fd = open_free_line(&line);
	if (line.fd < 0)
		return cannot_open(&line, e);
	s = xrealloc(NULL, 1, sizeof(*s));
	*s = line;
	*ret_stream = (struct stream){
		.state = s,
		.read = serial_read,
		.write = serial_write,
		.end_reason = serial_end_reason,
		.restart = serial_restart,
		.close = serial_close,
	};
	return ERR_OK;
}

const struct transport transport_serial = {
	.name = "serial",
	.can_restart = true,
	.open = open_serial,
};
