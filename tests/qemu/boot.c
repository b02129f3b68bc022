#include "tests/qemu/boot.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host/base/file.h"
#include "tests/qemu/records.h"

enum { MAX_WORDS = 64 };

static char *put_file(struct arena *a, char *word, const char *mark,
		      const char *file)
{
	char *at = strstr(word, mark);

	if (!at)
		return word;
	return arena_printf(a, "%.*s%s%s", (int)(at - word), word, file,
			    at + strlen(mark));
}

/* Start the board's command with its files; returns its stdout. */
static int start(struct arena *a, const struct board *b,
		 const struct boot_files *files, pid_t *ret_pid, int *ret_stdin)
{
	char *words[MAX_WORDS + 1];
	size_t n = 0;
	int in[2], out[2];

	for (char *w = strtok(arena_strdup(a, b->command), " ");
	     w && n < MAX_WORDS; w = strtok(NULL, " "))
		words[n++] =
			put_file(a, put_file(a, w, "@IMAGE@", files->image),
				 "@FIRMWARE@", files->firmware);
	words[n] = NULL;
	if (n == 0 || pipe(in) || pipe(out))
		fail("start", "a command and pipes");
	*ret_pid = fork();
	if (*ret_pid == 0) {
		(void)dup2(in[0], STDIN_FILENO);
		(void)dup2(out[1], STDOUT_FILENO);
		(void)close(in[1]);
		(void)close(out[0]);
		execvp(words[0], words);
		_exit(127);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	*ret_stdin = in[1];
	return out[0];
}

/* Input to type: `next` is the line that waits for its text after byte `seen`
 * of the console. */
struct keys {
	char *next;
	size_t seen;
};

static struct keys read_keys(struct arena *a, const char *path)
{
	enum { MAX_KEYS = 1 << 16 };
	struct keys k = { .next = NULL };
	struct err e = { 0 };
	unsigned char *text;
	size_t n;

	if (!path)
		return k;
	if (file_read(a, path, MAX_KEYS, &text, &n, &e))
		fail("keys", e.message);
	k.next = (char *)text;
	return k;
}

/* Type each line whose text has appeared; the buffer has no NUL at its end. */
static void type_keys(struct keys *k, const struct buffer *b, int fd)
{
	while (k->next && *k->next) {
		char *bar = strchr(k->next, '|');
		char *end = bar ? strchr(bar, '\n') : NULL;

		if (!end)
			fail("keys", k->next);

		size_t n = (size_t)(bar - k->next);
		const char *at =
			memmem(b->bytes + k->seen, b->n - k->seen, k->next, n);

		if (!at)
			return;
		k->seen = (size_t)((const unsigned char *)at - b->bytes) + n;
		if (write(fd, bar + 1, (size_t)(end - bar)) < 0)
			fail("keys", strerror(errno));
		k->next = end + 1;
	}
}

static char *read_all(struct arena *a, int fd, int in, struct keys k,
		      unsigned limit_s)
{
	struct buffer b = { 0 };
	time_t end = time(NULL) + (time_t)limit_s;
	char part[4096];
	struct pollfd p = { .fd = fd, .events = POLLIN };

	for (;;) {
		if (time(NULL) > end)
			break;
		if (poll(&p, 1, 1000) <= 0)
			continue;

		ssize_t n = read(fd, part, sizeof(part));

		if (n <= 0)
			break;
		buffer_add(&b, part, (size_t)n);
		type_keys(&k, &b, in);
	}
	if (k.next && *k.next) {
		(void)fwrite(b.bytes, 1, b.n, stdout);
		fail("a firmware that asks for", k.next);
	}
	buffer_add(&b, "", 1);

	char *text = arena_copy(a, b.bytes, b.n);

	buffer_free(&b);
	return text;
}

char *boot_console(struct arena *a, const struct board *b,
		   const struct boot_files *files, const char *keys)
{
	pid_t pid;
	int in;
	int out = start(a, b, files, &pid, &in);
	char *text = read_all(a, out, in, read_keys(a, keys), b->timeout_s);

	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	(void)close(in);
	(void)close(out);
	return text;
}
