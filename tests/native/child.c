#include "tests/native/child.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/load.h"
#include "tests/unit/unit.h"

void child_start(struct child *c, const char *emulator, const char *runtime,
		 const char *pack)
{
	const char *argv[] = { emulator, runtime, pack, NULL };
	const char **from = *emulator ? argv : argv + 1;
	int in[2], out[2];

	memset(c, 0, sizeof(*c));
	(void)signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	c->pid = fork();
	assert_true(c->pid >= 0);
	if (c->pid == 0) {
		(void)dup2(in[0], STDIN_FILENO);
		(void)dup2(out[1], STDOUT_FILENO);
		(void)close(in[0]);
		(void)close(in[1]);
		(void)close(out[0]);
		(void)close(out[1]);
		(void)execv(from[0], (char *const *)(uintptr_t)from);
		_exit(127);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	c->in = in[1];
	c->out = out[0];
}

void child_send(struct child *c, const char *bytes, size_t n)
{
	assert_int_equal(write(c->in, bytes, n), n);
}

void child_close_input(struct child *c)
{
	if (c->in >= 0)
		(void)close(c->in);
	c->in = -1;
}

/* One line without its newline; false at the end of the stream. */
static bool read_byte(struct child *c, char *ret)
{
	if (c->at == c->n_bytes) {
		struct pollfd p = { .fd = c->out, .events = POLLIN };
		ssize_t n;

		if (poll(&p, 1, CHILD_TIMEOUT_MS) <= 0) {
			(void)kill(c->pid, SIGKILL);
			fail_msg("the runtime is silent");
		}
		n = read(c->out, c->bytes, sizeof(c->bytes));
		c->n_bytes = n > 0 ? (size_t)n : 0;
		c->at = 0;
		if (n <= 0)
			return false;
	}
	*ret = c->bytes[c->at++];
	return true;
}

static bool read_line(struct child *c, char *line, size_t room)
{
	size_t n = 0;

	for (;;) {
		char byte;

		if (!read_byte(c, &byte)) {
			assert_int_equal(n, 0); /* no half line */
			return false;
		}
		if (byte == '\n')
			break;
		assert_true(n + 1 < room);
		line[n++] = byte;
	}
	line[n] = '\0';
	return true;
}

const struct wire_record *child_next(struct child *c)
{
	for (;;) {
		assert_true(c->n_records < CHILD_RECORDS_MAX);

		struct child_record *r = &c->records[c->n_records];

		if (!read_line(c, r->line, sizeof(r->line)))
			return NULL;

		int ret = wire_parse(r->line, strlen(r->line), &r->record);

		if (ret == WIRE_NOT_A_RECORD) {
			c->n_text++;
			continue;
		}
		assert_int_equal(ret, WIRE_OK);
		assert_int_equal(r->record.seq, c->next_seq);
		c->next_seq++;
		c->n_records++;
		return &r->record;
	}
}

void child_forget(struct child *c)
{
	c->n_records = 0;
}

const struct wire_record *child_wait(struct child *c, const char *kind)
{
	const struct wire_record *r;

	do {
		r = child_next(c);
	} while (r && !wire_is(r, kind));
	return r;
}

int child_finish(struct child *c)
{
	int status;

	while (child_next(c))
		;
	child_close_input(c);
	(void)close(c->out);
	assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
	if (!WIFEXITED(status))
		fail_msg("the runtime ended by signal %d", WTERMSIG(status));
	return WEXITSTATUS(status);
}

const struct wire_record *child_nth(const struct child *c, const char *kind,
				    size_t i)
{
	for (size_t r = 0; r < c->n_records; r++)
		if (wire_is(&c->records[r].record, kind) && i-- == 0)
			return &c->records[r].record;
	return NULL;
}

void child_send_two(struct child *c, const char *kind, const uint64_t n[2])
{
	bool load = strcmp(kind, "load") == 0;
	struct wire_line w;

	wire_begin(&w, 0, kind);
	wire_u64(&w, load ? "bytes" : "from", n[0]);
	wire_u64(&w, load ? "chunk" : "to", n[1]);
	child_send(c, w.text, wire_end(&w));
}

void child_send_chunk(struct child *c, const unsigned char *pack, size_t n,
		      uint64_t at)
{
	size_t from = (size_t)at * LOAD_CHUNK;
	struct wire_line w;

	wire_begin(&w, 0, "data");
	wire_u64(&w, "at", at);
	wire_bytes(&w, "b", pack + from,
		   n - from < LOAD_CHUNK ? n - from : LOAD_CHUNK);
	child_send(c, w.text, wire_end(&w));
}
