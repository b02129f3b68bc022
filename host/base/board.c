/* Boards on disk: boards/<name>/<isa>-<boot>.conf; see board.h.  What a board
 * is called is where its file stands, so that a file cannot contradict its
 * own name. */
#include "host/base/board.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "host/base/conf.h"
#include "host/base/file.h"

enum {
	DEFAULT_TIMEOUT_S = 30,
	MAX_TIMEOUT_S = 24 * 3600,
	DEFAULT_CORES = 1,
	MAX_CORES = 8,
	/* The limit of pack_check(). */
	MAX_KERNEL_CYCLES = 1000 * 1000 * 1000,
	MAX_UNROLL = 48, /* of gen_profile() */
};

static const char *const known_keys[] = {
	"describe",      "runtime",  "transport", "image",
	"cpu",           "features", "command",   "firmware",
	"package",       "clock",    "verified",  "timeout_s",
	"kernel_cycles", "unroll",   "cores",     NULL,
};

static const char *const clocks[] = { "", "core", "ref", "either" };

static const char *const required_keys[] = {
	"describe",
	"runtime",
	"transport",
};

/* A list of strings sorted by strcmp. */
struct names {
	size_t n;
	const char **at;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s);
	size_t n_end = strlen(end);

	return n > n_end && strcmp(s + n - n_end, end) == 0;
}

/* Entries of a folder that end in `end`, sorted.  Hidden ones are left out.
 * A plain file in the place of a folder has no entries. */
static int list_folder(struct arena *a, const char *path, const char *end,
		       struct names *ret, struct err *e)
{
	DIR *dir = opendir(path);
	struct buffer found = { 0 };
	struct names names = { 0 };

	if (!dir && errno == ENOTDIR) {
		*ret = names;
		return ERR_OK;
	}
	if (!dir)
		return err_set(e, ERR_INPUT, "%s: a folder of boards (%s)",
			       path, strerror(errno));
	for (struct dirent *d = readdir(dir); d; d = readdir(dir)) {
		if (d->d_name[0] == '.' || !ends_with(d->d_name, end))
			continue;

		const char *name = arena_strdup(a, d->d_name);

		buffer_add(&found, &name, sizeof(name));
	}
	(void)closedir(dir);
	names.n = found.n / sizeof(*names.at);
	names.at = arena_copy(a, found.bytes, found.n);
	buffer_free(&found);
	if (names.n)
		qsort(names.at, names.n, sizeof(*names.at), by_name);
	*ret = names;
	return ERR_OK;
}

static const char *word(const struct conf *c, const char *key)
{
	const char *value = conf_get(c, key);

	return value ? value : "";
}

static int line_of(const struct conf *c, const char *key)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->entries[i].key, key) == 0)
			return c->entries[i].line;
	return 0;
}

/* A decimal number 1..max, or `absent` when the key is not there. */
static int number(const struct conf *c, const char *key, uint32_t absent,
		  uint32_t max, uint32_t *ret, struct err *e)
{
	const char *s = conf_get(c, key);
	uint64_t value = 0;
	size_t n = 0;

	if (!s) {
		*ret = absent;
		return ERR_OK;
	}
	for (; s[n] >= '0' && s[n] <= '9' && value <= max; n++)
		value = value * 10 + (uint64_t)(s[n] - '0');
	if (n == 0 || s[n] != '\0' || value == 0 || value > max)
		return err_set(e, ERR_INPUT,
			       "%s:%d: '%s' as a number from 1 to %u", c->path,
			       line_of(c, key), key, max);
	*ret = (uint32_t)value;
	return ERR_OK;
}

static int check_required(const struct conf *c, struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(required_keys); i++)
		if (*word(c, required_keys[i]) == '\0')
			return err_set(e, ERR_INPUT, "%s: a value for '%s'",
				       c->path, required_keys[i]);
	return ERR_OK;
}

static int check_clock(const struct conf *c, struct err *e)
{
	const char *clock = word(c, "clock");

	for (size_t i = 0; i < ARRAY_LEN(clocks); i++)
		if (strcmp(clock, clocks[i]) == 0)
			return ERR_OK;
	return err_set(e, ERR_INPUT, "%s:%d: a clock core, ref or either",
		       c->path, line_of(c, "clock"));
}

/* "<isa>-<boot>.conf" gives two of the board's fields. */
static int split_file_name(struct arena *a, const char *path, const char *file,
			   struct board *b, struct err *e)
{
	const char *dash = strrchr(file, '-');
	size_t n = strlen(file) - strlen(".conf");
	size_t n_isa = dash ? (size_t)(dash - file) : 0;

	if (n_isa == 0 || n_isa + 1 >= n)
		return err_set(e, ERR_INPUT,
			       "%s: a file name like <isa>-<boot>.conf", path);
	b->isa = arena_printf(a, "%.*s", (int)n_isa, file);
	b->boot = arena_printf(a, "%.*s", (int)(n - n_isa - 1), dash + 1);
	return ERR_OK;
}

static int read_board(struct arena *a, const char *folder, const char *name,
		      const char *file, struct board *ret, struct err *e)
{
	struct board b = { .name = name };
	struct conf c;

	b.path = arena_printf(a, "%s/%s/%s", folder, name, file);

	int r = split_file_name(a, b.path, file, &b, e);

	if (r == ERR_OK)
		r = conf_read(a, b.path, &c, e);
	if (r != ERR_OK)
		return r;
	r = conf_check_keys(&c, known_keys, e);
	if (r == ERR_OK)
		r = check_required(&c, e);
	if (r == ERR_OK)
		r = check_clock(&c, e);
	if (r == ERR_OK)
		r = number(&c, "timeout_s", DEFAULT_TIMEOUT_S, MAX_TIMEOUT_S,
			   &b.timeout_s, e);
	if (r == ERR_OK)
		r = number(&c, "kernel_cycles", 0, MAX_KERNEL_CYCLES,
			   &b.kernel_cycles, e);
	if (r == ERR_OK)
		r = number(&c, "unroll", 0, MAX_UNROLL, &b.unroll, e);
	if (r == ERR_OK)
		r = number(&c, "cores", DEFAULT_CORES, MAX_CORES, &b.cores, e);
	if (r != ERR_OK)
		return r;
	b.describe = word(&c, "describe");
	b.runtime = word(&c, "runtime");
	b.transport = word(&c, "transport");
	b.image = *word(&c, "image") ? word(&c, "image") : "none";
	b.cpu = word(&c, "cpu");
	b.features = word(&c, "features");
	b.command = word(&c, "command");
	b.firmware = word(&c, "firmware");
	b.package = word(&c, "package");
	b.clock = word(&c, "clock");
	b.verified = word(&c, "verified");
	*ret = b;
	return ERR_OK;
}

int boards_read(struct arena *a, const char *folder, struct board **ret_boards,
		size_t *ret_n, struct err *e)
{
	struct names folders = { 0 };
	struct buffer found = { 0 };
	int r = list_folder(a, folder, "", &folders, e);

	for (size_t i = 0; r == ERR_OK && i < folders.n; i++) {
		const char *name = folders.at[i];
		struct names files = { 0 };

		r = list_folder(a, arena_printf(a, "%s/%s", folder, name),
				".conf", &files, e);
		for (size_t k = 0; r == ERR_OK && k < files.n; k++) {
			struct board b;

			r = read_board(a, folder, name, files.at[k], &b, e);
			if (r == ERR_OK)
				buffer_add(&found, &b, sizeof(b));
		}
	}
	if (r == ERR_OK) {
		*ret_boards = arena_copy(a, found.bytes, found.n);
		*ret_n = found.n / sizeof(struct board);
	}
	buffer_free(&found);
	return r;
}

static void add_word(struct buffer *list, const char *s)
{
	buffer_printf(list, "%s%s", list->n ? ", " : "", s);
}

/* The boards of a folder share one name: list each once. */
static int unknown_board(const struct board *boards, size_t n, const char *name,
			 struct err *e)
{
	struct buffer list = { 0 };

	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(boards[i].name, boards[i - 1].name) != 0)
			add_word(&list, boards[i].name);
	buffer_add(&list, "", 1);
	(void)err_set(e, ERR_USAGE, "board '%s': one of %s", name,
		      (const char *)list.bytes);
	buffer_free(&list);
	return ERR_USAGE;
}

static int unknown_isa(const struct board *boards, size_t n, const char *name,
		       const char *isa, struct err *e)
{
	struct buffer list = { 0 };

	for (size_t i = 0; i < n; i++)
		if (strcmp(boards[i].name, name) == 0)
			add_word(&list, boards[i].isa);
	buffer_add(&list, "", 1);
	(void)err_set(e, ERR_USAGE, "board '%s'%s%s: --isa, one of %s", name,
		      *isa ? " for " : "", isa, (const char *)list.bytes);
	buffer_free(&list);
	return ERR_USAGE;
}

int board_find(const struct board *boards, size_t n, const char *name,
	       const char *isa, const struct board **ret_board, struct err *e)
{
	struct utsname machine;
	bool any = !isa || *isa == '\0';
	const struct board *match = NULL;
	const struct board *named = NULL;
	size_t n_named = 0;

	/* The kernel's names of the ISAs are ours. */
	if (any)
		isa = uname(&machine) == 0 ? machine.machine : "";
	for (size_t i = 0; i < n; i++) {
		if (strcmp(boards[i].name, name) != 0)
			continue;
		n_named++;
		named = &boards[i];
		if (!match && strcmp(named->isa, isa) == 0)
			match = named;
	}
	if (n_named == 0)
		return unknown_board(boards, n, name, e);
	if (!match && any && n_named == 1)
		match = named;
	if (!match)
		return unknown_isa(boards, n, name, any ? "" : isa, e);
	*ret_board = match;
	return ERR_OK;
}
