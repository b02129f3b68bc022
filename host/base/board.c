/* Boards on disk: boards/<name>/<isa>-<boot>.conf; see board.h.  A board takes
 * its name, ISA and boot from the path of its file, so a file cannot contradict
 * its own name. */
#include "host/base/board.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "host/base/conf.h"
#include "host/base/file.h"
#include "host/base/list.h"
#include "host/base/nearest.h"
#include "host/base/order.h"

enum {
	DEFAULT_TIMEOUT_S = 30,
	MAX_TIMEOUT_S = 24 * 3600,
	DEFAULT_CORES = 1,
	MAX_CORES = 8,
	/* The limit of pack_check(). */
	MAX_KERNEL_CYCLES = 1000 * 1000 * 1000,
	MAX_UNROLL = 48, /* of gen_profile() */
	/* The limits of pack_check(); one repeat or visit proves nothing. */
	LEAST_REPEATS = 2,
	MAX_REPEATS = 64,
	LEAST_VISITS = 2,
	MAX_VISITS = 1024,
	MAX_READY_MS = 60 * 1000,
	MAX_DIALOGUE = 32,
	MAX_HZ = 2000 * 1000 * 1000,
};

static const char *const known_keys[] = {
	"describe",   "runtime",    "transport",     "image",    "cpu",
	"features",   "command",    "firmware",      "package",  "clock",
	"verified",   "timeout_s",  "kernel_cycles", "unroll",   "cores",
	"repeats",    "visits",     "ready_ms",      "console",  "dialogue.",
	"info",       "chip",       "timebase",      "uart",     "uart_clock",
	"uart_shift", "uart_width", "clint",         "poweroff", "core",
	NULL,
};

/* Keys that are numbers, and what they are without one. */
static const struct {
	const char *key;
	size_t at; /* offset in struct board */
	uint32_t absent, min, max;
} numbers[] = {
	{ "timeout_s", offsetof(struct board, timeout_s), DEFAULT_TIMEOUT_S, 1,
	  MAX_TIMEOUT_S },
	{ "kernel_cycles", offsetof(struct board, kernel_cycles), 0, 1,
	  MAX_KERNEL_CYCLES },
	{ "unroll", offsetof(struct board, unroll), 0, 1, MAX_UNROLL },
	{ "cores", offsetof(struct board, cores), DEFAULT_CORES, 1, MAX_CORES },
	{ "repeats", offsetof(struct board, repeats), 0, LEAST_REPEATS,
	  MAX_REPEATS },
	{ "visits", offsetof(struct board, visits), 0, LEAST_VISITS,
	  MAX_VISITS },
	{ "ready_ms", offsetof(struct board, ready_ms), BOARD_READY_USUAL, 0,
	  MAX_READY_MS },
	{ "timebase", offsetof(struct board, devices.timebase), 0, 1, MAX_HZ },
	{ "uart_shift", offsetof(struct board, devices.uart_shift), 0, 1, 3 },
	{ "uart_width", offsetof(struct board, devices.uart_width), 0, 1, 4 },
	/* 115200 baud needs a divisor of at least one half. */
	{ "uart_clock", offsetof(struct board, devices.uart_clock), 0, 921600,
	  MAX_HZ },
};

/* Keys that are one of a few words, or absent. */
static const struct {
	const char *key, *words;
} choices[] = {
	{ "console", "sbi ns16550 pl011 com1 efi htif" },
	{ "uart_width", "1 4" },
};

static const char *const required_keys[] = {
	"describe",
	"runtime",
	"transport",
};

/* Strings sorted by strcmp. */
struct name_list {
	size_t n;
	const char **at;
};

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s);
	size_t n_end = strlen(end);

	return n > n_end && strcmp(s + n - n_end, end) == 0;
}

/* List the entries of a folder whose names end in `end`, sorted, without hidden
 * files.  A path that names a plain file gives an empty list. */
static int list_folder(struct arena *a, const char *path, const char *end,
		       struct name_list *ret, struct err *e)
{
	DIR *dir = opendir(path);
	struct buffer found = { 0 };

	*ret = (struct name_list){ .n = 0 };
	if (!dir && errno == ENOTDIR)
		return ERR_OK;
	if (!dir)
		return err_set(e, ERR_INPUT,
			       "cannot read the folder of boards %s: %s", path,
			       strerror(errno));
	for (struct dirent *d = readdir(dir); d; d = readdir(dir)) {
		if (d->d_name[0] == '.' || !ends_with(d->d_name, end))
			continue;

		const char *name = arena_strdup(a, d->d_name);

		buffer_add(&found, &name, sizeof(name));
	}
	(void)closedir(dir);
	ret->at = buffer_take_list(a, &found, sizeof(*ret->at), &ret->n);
	order_sort(ret->at, ret->n, sizeof(*ret->at), order_by_name);
	return ERR_OK;
}

static const char *value_or_empty(const struct conf *c, const char *key)
{
	const char *value = conf_get(c, key);

	return value ? value : "";
}

/* Read the decimal numbers. */
static int read_numbers(const struct conf *c, struct board *b, struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		const char *key = numbers[i].key, *s = conf_get(c, key);
		uint32_t max = numbers[i].max, min = numbers[i].min;
		uint32_t absent = numbers[i].absent;
		uint64_t value = s ? 0 : absent;
		size_t n = 0;

		for (; s && s[n] >= '0' && s[n] <= '9' && value <= max; n++)
			value = value * 10 + (uint64_t)(s[n] - '0');
		if (s && (n == 0 || s[n] != '\0' || value < min || value > max))
			return err_set(e, ERR_INPUT,
				       "%s:%d: '%s' must be a number from %u "
				       "to %u",
				       c->path, conf_line(c, key), key, min,
				       max);
		memcpy((char *)b + numbers[i].at,
		       &(uint32_t){ (uint32_t)value }, sizeof(uint32_t));
	}
	return ERR_OK;
}

static int check_required(const struct conf *c, struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(required_keys); i++)
		if (*value_or_empty(c, required_keys[i]) == '\0')
			return err_set(e, ERR_INPUT, "%s: missing key '%s'",
				       c->path, required_keys[i]);
	return ERR_OK;
}

static int read_clock(struct arena *a, const struct conf *c, enum clock *ret,
		      struct err *e)
{
	const char *words = "";

	*ret = clock_of(value_or_empty(c, "clock"));
	if (*ret != CLOCK_UNKNOWN)
		return ERR_OK;
	for (enum clock k = CLOCK_CORE; k < CLOCK_UNKNOWN; k++)
		words = arena_printf(a, "%s %s", words, clock_word(k));
	return err_set(e, ERR_INPUT, "%s:%d: 'clock' must be one of:%s",
		       c->path, conf_line(c, "clock"), words);
}

static int check_choices(const struct conf *c, struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(choices); i++)
		if (*value_or_empty(c, choices[i].key) != '\0' &&
		    !list_has(choices[i].words, ' ',
			      conf_get(c, choices[i].key)))
			return err_set(e, ERR_INPUT,
				       "%s:%d: '%s' must be one of: %s",
				       c->path, conf_line(c, choices[i].key),
				       choices[i].key, choices[i].words);
	return ERR_OK;
}

/* Accesses of four bytes need registers that are as far apart. */
static int check_uart(const struct conf *c, const struct board *b,
		      struct err *e)
{
	const struct devices *d = &b->devices;

	if (d->uart_width != 4 || d->uart_shift >= 2)
		return ERR_OK;
	return err_set(e, ERR_INPUT,
		       "%s:%d: 'uart_width = 4' needs 'uart_shift = 2' or more",
		       c->path, conf_line(c, "uart_width"));
}

/* A core's number, or a word for several. */
static int check_core(const struct conf *c, struct err *e)
{
	enum { MAX_DIGITS = 18 }; /* of core/options.c */
	const char *core = value_or_empty(c, "core");
	size_t n = strspn(core, "0123456789");

	if ((n <= MAX_DIGITS && core[n] == '\0') ||
	    list_has("all each-kind", ' ', core))
		return ERR_OK;
	return err_set(e, ERR_INPUT,
		       "%s:%d: 'core' must be the number of a core, all or "
		       "each-kind",
		       c->path, conf_line(c, "core"));
}

/* "key=value,key=value" */
static int check_info(const struct conf *c, struct err *e)
{
	const char *at = value_or_empty(c, "info");

	while (*at) {
		size_t n = strcspn(at, ",");
		size_t n_key = strcspn(at, "=");

		if (n_key == 0 || n_key + 1 >= n ||
		    at[n + (at[n] == ',')] == ',')
			return err_set(e, ERR_INPUT,
				       "%s:%d: 'info' must be fields of INFO "
				       "such as hz=10000000,console=sbi",
				       c->path, conf_line(c, "info"));
		at += n + (at[n] == ',');
	}
	return ERR_OK;
}

/* Read dialogue.1, dialogue.2 and so on; a gap in the numbers is an error. */
static int read_dialogue(struct arena *a, const struct conf *c, struct board *b,
			 struct err *e)
{
	struct step *steps = ARENA_ARRAY(a, struct step, MAX_DIALOGUE);
	size_t n_keys = 0, n = 0;
	struct err why = { .code = ERR_OK };

	for (size_t i = 0; i < c->n; i++)
		n_keys += strncmp(c->entries[i].key, "dialogue.", 9) == 0;
	if (n_keys > MAX_DIALOGUE)
		return err_set(e, ERR_INPUT,
			       "%s: a dialogue of at most %d steps", c->path,
			       MAX_DIALOGUE);
	for (; n < n_keys; n++) {
		const char *key = arena_printf(a, "dialogue.%zu", n + 1);
		const char *value = conf_get(c, key);

		if (!value)
			return err_set(e, ERR_INPUT,
				       "%s: missing key '%s'; the %zu steps of "
				       "the dialogue are numbered from 1",
				       c->path, key, n_keys);
		if (step_read(a, value, &steps[n], &why) != ERR_OK)
			return err_set(e, ERR_INPUT, "%s:%d: '%s' must be %s",
				       c->path, conf_line(c, key), key,
				       why.message);
		steps[n].line = conf_line(c, key);
	}
	b->dialogue = steps;
	b->n_dialogue = n;
	return ERR_OK;
}

/* Set the board's ISA and boot from "<isa>-<boot>.conf". */
static int split_file_name(struct arena *a, const char *path, const char *file,
			   struct board *b, struct err *e)
{
	const char *dash = strrchr(file, '-');
	size_t n = strlen(file) - strlen(".conf");
	size_t n_isa = dash ? (size_t)(dash - file) : 0;

	if (n_isa == 0 || n_isa + 1 >= n)
		return err_set(e, ERR_INPUT,
			       "%s: the file name must look like "
			       "<isa>-<boot>.conf",
			       path);
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
	if (split_file_name(a, b.path, file, &b, e) != ERR_OK ||
	    conf_read(a, b.path, &c, e) != ERR_OK ||
	    conf_check_keys(&c, known_keys, e) != ERR_OK ||
	    check_required(&c, e) != ERR_OK ||
	    read_clock(a, &c, &b.clock, e) != ERR_OK ||
	    check_choices(&c, e) != ERR_OK || check_info(&c, e) != ERR_OK ||
	    check_core(&c, e) != ERR_OK ||
	    devices_read(a, &c, &b.devices, e) != ERR_OK ||
	    read_numbers(&c, &b, e) != ERR_OK ||
	    check_uart(&c, &b, e) != ERR_OK ||
	    read_dialogue(a, &c, &b, e) != ERR_OK)
		return e->code;
	b.describe = value_or_empty(&c, "describe");
	b.runtime = value_or_empty(&c, "runtime");
	b.transport = value_or_empty(&c, "transport");
	b.image = *value_or_empty(&c, "image") ? value_or_empty(&c, "image")
					       : "none";
	b.cpu = value_or_empty(&c, "cpu");
	b.features = value_or_empty(&c, "features");
	b.command = value_or_empty(&c, "command");
	b.firmware = value_or_empty(&c, "firmware");
	b.package = value_or_empty(&c, "package");
	b.console = value_or_empty(&c, "console");
	b.core = value_or_empty(&c, "core");
	b.info = value_or_empty(&c, "info");
	b.verified = value_or_empty(&c, "verified");
	*ret = b;
	return ERR_OK;
}

/* Add the boards of the folder <folder>/<name>. */
static int add_folder(struct arena *a, const char *folder, const char *name,
		      struct buffer *found, struct err *e)
{
	struct name_list files = { 0 };

	(void)list_folder(a, arena_printf(a, "%s/%s", folder, name), ".conf",
			  &files, e);
	for (size_t k = 0; k < files.n; k++) {
		struct board b;

		if (read_board(a, folder, name, files.at[k], &b, e) != ERR_OK)
			break;
		buffer_add(found, &b, sizeof(b));
	}
	return e->code;
}

/* Read the boards of these folders. */
static int read_folders(struct arena *a, const char *folder,
			const struct name_list *names,
			struct board **ret_boards, size_t *ret_n, struct err *e)
{
	struct buffer found = { 0 };

	for (size_t i = 0; i < names->n && e->code == ERR_OK; i++)
		(void)add_folder(a, folder, names->at[i], &found, e);
	if (e->code == ERR_OK)
		*ret_boards = buffer_take_list(a, &found, sizeof(**ret_boards),
					       ret_n);
	buffer_free(&found);
	return e->code;
}

int boards_read_one(struct arena *a, const char *folder, const char *name,
		    struct board **ret_boards, size_t *ret_n, struct err *e)
{
	const struct name_list one = { 1, &name };

	return read_folders(a, folder, &one, ret_boards, ret_n, e);
}

int boards_read(struct arena *a, const char *folder, struct board **ret_boards,
		size_t *ret_n, struct err *e)
{
	struct name_list names;

	if (list_folder(a, folder, "", &names, e) != ERR_OK)
		return e->code;
	return read_folders(a, folder, &names, ret_boards, ret_n, e);
}

static void add_word(struct buffer *list, const char *s)
{
	buffer_printf(list, "%s%s", list->n ? ", " : "", s);
}

/* Boards in one folder share a name; list each name once. */
static int unknown_board(const struct board *boards, size_t n, const char *name,
			 struct err *e)
{
	struct nearest near = { .wanted = name };
	struct buffer list = { 0 };

	for (size_t i = 0; i < n; i++) {
		nearest_offer(&near, boards[i].name);
		if (i == 0 || strcmp(boards[i].name, boards[i - 1].name) != 0)
			add_word(&list, boards[i].name);
	}
	if (near.best)
		(void)err_set(e, ERR_USAGE,
			      "unknown board '%s'; did you mean '%s'? (see "
			      "'anechoic boards')",
			      name, near.best);
	else
		(void)err_set(e, ERR_USAGE,
			      "unknown board '%s'; the boards are %s", name,
			      buffer_text(&list));
	buffer_free(&list);
	return ERR_USAGE;
}

/* No board `name` for `isa`, or none for this machine's ISA if it is "". */
static int unknown_isa(const struct board *boards, size_t n, const char *name,
		       const char *isa, struct err *e)
{
	struct buffer list = { 0 };

	for (size_t i = 0; i < n; i++)
		if (strcmp(boards[i].name, name) == 0)
			add_word(&list, boards[i].isa);
	if (*isa)
		(void)err_set(e, ERR_USAGE,
			      "board '%s' has no file for ISA '%s'; it has %s",
			      name, isa, buffer_text(&list));
	else
		(void)err_set(e, ERR_USAGE,
			      "board '%s': missing --isa, one of %s", name,
			      buffer_text(&list));
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

	/* uname() uses the same ISA names as board files. */
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
