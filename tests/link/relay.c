/* The line; see relay.h. */
#include "tests/link/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum {
	CHUNK = 256,
	ROOM = 4 * CHUNK,
	IDLE_MS = 20,
	BITS_PER_BYTE = 10, /* start, eight, stop */
	BURST_MS = 20,      /* a late relay sends what a UART would have sent */
	STEP_MS = 1,        /* of a throttled line */
	PER = 10000,
	LOST_MAX = 64,
};

static const char *const names[RELAY_N_FAULTS] = {
	[RELAY_FLIP] = "flip",
	[RELAY_LOSE] = "lose",
	[RELAY_DUPLICATE] = "duplicate",
	[RELAY_REORDER] = "reorder",
	[RELAY_CHATTER] = "chatter",
	[RELAY_SILENCE] = "silence",
	[RELAY_DISCONNECT] = "disconnect",
	[RELAY_RESET] = "reset",
};

/* Signals are noted here and acted on by the loop. */
static volatile sig_atomic_t asked_to_reset, asked_to_end;

struct direction {
	uint64_t sent_bytes; /* since started_ms, for the rate */
	uint64_t started_ms;
};

struct line {
	const struct relay *r;
	int master; /* -1 while disconnected */
	int board;
	pid_t pid;
	bool ended;  /* the board: silent from now on */
	bool hidden; /* the records with which it starts do not arrive */
	uint64_t random;
	uint32_t count[RELAY_N_FAULTS];
	struct direction up, down; /* from the board, to it */
	uint64_t quiet_until_ms, back_at_ms;
	size_t n_held; /* a chunk that will follow the next one */
	char held[ROOM];
	FILE *trace;
};

static uint64_t now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* xorshift64* */
static uint64_t random_below(struct line *l, uint64_t n)
{
	l->random ^= l->random >> 12;
	l->random ^= l->random << 25;
	l->random ^= l->random >> 27;
	return (l->random * UINT64_C(2685821657736338717) >> 16) % n;
}

static void on_signal(int signal)
{
	if (signal == SIGHUP)
		asked_to_reset = 1;
	else
		asked_to_end = 1;
}

/* ---- both ends -------------------------------------------------------- */

static void start_board(struct line *l)
{
	int pair[2];
	pid_t self = getpid();

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		abort();
	l->pid = fork();
	if (l->pid < 0)
		abort();
	if (l->pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)signal(SIGHUP, SIG_DFL);
		(void)signal(SIGTERM, SIG_DFL);
		/* A board that is no program of its own would keep the line
		 * up when it is disconnected. */
		if (l->master >= 0)
			(void)close(l->master);
		if (getppid() == self && dup2(pair[1], STDIN_FILENO) >= 0 &&
		    dup2(pair[1], STDOUT_FILENO) >= 0)
			l->r->board(l->r->context);
		_exit(127);
	}
	(void)close(pair[1]);
	l->board = pair[0];
	l->ended = false;
	(void)fcntl(l->board, F_SETFL, O_NONBLOCK);
}

static void stop_board(struct line *l)
{
	(void)kill(l->pid, SIGKILL);
	(void)waitpid(l->pid, NULL, 0);
	(void)close(l->board);
	l->board = -1;
	l->n_held = 0;
}

/* A new pty under the same name. */
static void connect_line(struct line *l)
{
	char temporary[4096];
	struct termios t;

	l->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (l->master < 0 || grantpt(l->master) != 0 ||
	    unlockpt(l->master) != 0 || tcgetattr(l->master, &t) != 0)
		abort();
	/* Do not echo before the host has made its end raw. */
	cfmakeraw(&t);
	if (tcsetattr(l->master, TCSANOW, &t) != 0)
		abort();
	(void)snprintf(temporary, sizeof(temporary), "%s.new", l->r->link);
	(void)unlink(temporary);
	if (symlink(ptsname(l->master), temporary) != 0 ||
	    rename(temporary, l->r->link) != 0)
		abort();
}

static void disconnect_line(struct line *l)
{
	(void)unlink(l->r->link);
	(void)close(l->master);
	l->master = -1;
	l->back_at_ms = now_ms() + l->r->gap_ms;
}

/* Is a host at the other end? */
static bool has_host(const struct line *l)
{
	struct pollfd p = { .fd = l->master, .events = 0 };

	return l->master >= 0 && poll(&p, 1, 0) >= 0 && !(p.revents & POLLHUP);
}

/* ---- moving bytes ----------------------------------------------------- */

/* How many bytes the rate allows now, at most n. */
static size_t allowed(const struct line *l, struct direction *d, size_t n)
{
	uint64_t now = now_ms();
	uint64_t room;

	if (l->r->baud == 0)
		return n;
	/* An idle line does not accumulate capacity. */
	if (d->sent_bytes * 1000 * BITS_PER_BYTE / l->r->baud + d->started_ms +
		    BURST_MS <
	    now) {
		d->started_ms = now - BURST_MS;
		d->sent_bytes = 0;
	}
	room = (now - d->started_ms) * l->r->baud / BITS_PER_BYTE / 1000;
	room = room > d->sent_bytes ? room - d->sent_bytes : 0;
	return n < room ? n : (size_t)room;
}

/* Send all of it to the host; without a host, discard it. */
static void put_host(struct line *l, const char *bytes, size_t n)
{
	while (n > 0 && has_host(l) && !asked_to_end) {
		struct pollfd p = { .fd = l->master, .events = POLLOUT };
		ssize_t put = write(l->master, bytes, n);

		if (put > 0) {
			bytes += put;
			n -= (size_t)put;
		} else if (errno == EAGAIN) {
			(void)poll(&p, 1, IDLE_MS);
		} else {
			return;
		}
	}
}

static void put_board(struct line *l, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t put = send(l->board, bytes, n, MSG_NOSIGNAL);

		if (put <= 0)
			return; /* it accepts no more: an overrun */
		bytes += put;
		n -= (size_t)put;
	}
}

/* ---- faults ----------------------------------------------------------- */

static bool strikes(struct line *l, enum relay_fault f)
{
	if (l->count[f] >= l->r->limit[f] ||
	    random_below(l, PER) >= l->r->rate[f])
		return false;
	l->count[f]++;
	if (l->trace)
		(void)fprintf(l->trace, "%s\n", names[f]);
	return true;
}

static size_t flip(struct line *l, char *bytes, size_t n)
{
	size_t at = random_below(l, n);

	bytes[at] = (char)(bytes[at] ^ 1 << random_below(l, 8));
	return n;
}

static size_t lose(struct line *l, char *bytes, size_t n)
{
	size_t from = random_below(l, n);
	size_t lost = 1 + random_below(l, LOST_MAX);

	if (lost > n - from)
		lost = n - from;
	memmove(bytes + from, bytes + from + lost, n - from - lost);
	return n - lost;
}

static size_t duplicate(struct line *l, char *bytes, size_t n)
{
	(void)l;
	memcpy(bytes + n, bytes, n);
	return 2 * n;
}

static size_t chatter(struct line *l, char *bytes, size_t n)
{
	static const char text[] =
		"\r\nU-Boot SPL 2022.10 (DDR 2400) @board *up\r\n"
		"Hit any key to stop autoboot:  3 \b\b\b 2 \b\b\b 1 ";
	size_t at = random_below(l, n);
	size_t add = sizeof(text) - 1;

	memmove(bytes + at + add, bytes + at, n - at);
	memcpy(bytes + at, text, add);
	return n + add;
}

/* Damage a chunk in its buffer of ROOM bytes; returns its new length. */
static size_t spoil(struct line *l, char *bytes, size_t n)
{
	static size_t (*const how[])(struct line *, char *, size_t) = {
		[RELAY_FLIP] = flip,
		[RELAY_LOSE] = lose,
		[RELAY_DUPLICATE] = duplicate,
		[RELAY_CHATTER] = chatter,
	};

	for (size_t i = 0; i < sizeof(how) / sizeof(how[0]); i++)
		if (how[i] && n > 0 && n <= CHUNK &&
		    strikes(l, (enum relay_fault)i))
			n = how[i](l, bytes, n);
	return n;
}

static void reset(struct line *l)
{
	static const char banner[] = "\r\n\r\nOpenSBI v1.1\r\nbooting @0 ";

	stop_board(l);
	put_host(l, banner, sizeof(banner) - 1);
	start_board(l);
	l->hidden = l->r->hides_start;
}

/* Faults that do not change bytes. */
static void misfortune(struct line *l)
{
	if (strikes(l, RELAY_SILENCE))
		l->quiet_until_ms = now_ms() + l->r->silence_ms;
	if (l->master >= 0 && strikes(l, RELAY_DISCONNECT))
		disconnect_line(l);
	if (strikes(l, RELAY_RESET))
		reset(l);
}

/* ---- the loop --------------------------------------------------------- */

/* Discard what comes before the first `ready`; returns how much is left. */
static size_t hide_start(struct line *l, char *bytes, size_t n)
{
	char *ready = memmem(bytes, n, " ready ", 7);

	if (!ready)
		return 0;
	l->hidden = false;
	while (ready > bytes && ready[-1] != '\n')
		ready--;
	n -= (size_t)(ready - bytes);
	memmove(bytes, ready, n);
	return n;
}

static void from_board(struct line *l)
{
	char bytes[ROOM];
	size_t room = allowed(l, &l->up, CHUNK);
	ssize_t got = room ? recv(l->board, bytes, room, MSG_DONTWAIT) : 0;
	size_t n;

	if (room && got == 0)
		l->ended = true;
	if (got <= 0)
		return;
	l->up.sent_bytes += (size_t)got;
	if (!has_host(l))
		return;
	n = (size_t)got;
	if (l->hidden)
		n = hide_start(l, bytes, n);
	if (n == 0)
		return;
	n = spoil(l, bytes, n);
	if (l->n_held == 0 && strikes(l, RELAY_REORDER)) {
		memcpy(l->held, bytes, n);
		l->n_held = n;
	} else {
		put_host(l, bytes, n);
		put_host(l, l->held, l->n_held);
		l->n_held = 0;
	}
	misfortune(l);
}

static void from_host(struct line *l)
{
	char bytes[ROOM];
	size_t room = allowed(l, &l->down, CHUNK);
	ssize_t got = room ? read(l->master, bytes, room) : 0;

	if (got <= 0)
		return;
	l->down.sent_bytes += (size_t)got;
	put_board(l, bytes, spoil(l, bytes, (size_t)got));
}

static void step(struct line *l)
{
	bool quiet = now_ms() < l->quiet_until_ms;
	struct pollfd p[] = {
		{ .fd = quiet || l->ended ? -1 : l->board, .events = POLLIN },
		{ .fd = quiet ? -1 : l->master, .events = POLLIN },
	};

	(void)poll(p, 2, IDLE_MS);
	if (p[0].revents & POLLIN)
		from_board(l);
	else if (l->n_held > 0) {
		put_host(l, l->held, l->n_held);
		l->n_held = 0;
	}
	if (p[1].revents & POLLIN)
		from_host(l);
	/* A pty without a host reports hang-up permanently. */
	if ((p[1].revents & POLLHUP) || l->r->baud)
		(void)poll(NULL, 0, STEP_MS);
	if (l->master < 0 && now_ms() >= l->back_at_ms)
		connect_line(l);
	if (asked_to_reset) {
		asked_to_reset = 0;
		reset(l);
	}
}

int relay_run(const struct relay *r)
{
	struct line *l = calloc(1, sizeof(*l));
	struct sigaction act = { .sa_handler = on_signal };

	if (!l)
		return 1;
	*l = (struct line){
		.r = r,
		.master = -1,
		.random = r->seed * 2 + 88172645463325252u,
		.trace = r->trace ? fopen(r->trace, "a") : NULL,
	};
	(void)sigaction(SIGHUP, &act, NULL);
	(void)sigaction(SIGTERM, &act, NULL);
	(void)sigaction(SIGINT, &act, NULL);
	start_board(l);
	connect_line(l);
	while (!asked_to_end)
		step(l);
	stop_board(l);
	if (l->trace)
		(void)fclose(l->trace);
	free(l);
	return 0;
}
