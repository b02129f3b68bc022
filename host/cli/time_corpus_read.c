/* What `anechoic time` measures many of: lines of a file, or files of a folder. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/base/hex.h"
#include "host/cli/time_blocks.h"

enum {
	MAX_FILE = 1 << 30,
	MAX_BYTES = 1 << 12, /* of a block */
};

static bool is_of_shard(const struct corpus *w, size_t i)
{
	return i % w->n_shards == w->shard - 1;
}

/* Room for so many blocks. */
static void allocate(struct corpus *w, size_t n)
{
	w->blocks = ARENA_ARRAY(w->a, struct block, n + 1);
	w->scored.blocks = ARENA_ARRAY(w->a, struct scored_block, n + 1);
}

double time_block_value(const struct block *b)
{
	const struct claim *c = &b->result.claim;

	return !b->error && c->has_value ? (c->low_cycles + c->high_cycles) / 2
					 : 0;
}

/* ---- lines ------------------------------------------------------------------- */

/* The bytes of hexadecimal digits; NULL: they are none. */
static unsigned char *hex_bytes(struct arena *a, const char *hex, size_t *ret_n)
{
	size_t n = strlen(hex);
	unsigned char *ret;

	if (n == 0 || n % 2 != 0 || n / 2 > MAX_BYTES)
		return NULL;
	ret = arena_alloc(a, n / 2, 1);
	for (size_t i = 0; i < n; i++) {
		int d = hex_digit(hex[i]);

		if (d < 0)
			return NULL;
		ret[i / 2] = (unsigned char)(ret[i / 2] << 4 | d);
	}
	*ret_n = n / 2;
	return ret;
}

static bool is_number(const char *text, double *ret)
{
	char *end;

	*ret = strtod(text, &end);
	return end != text && *end == '\0' && *ret > 0 && isfinite(*ret);
}

static void decode_block(struct corpus *w, struct block *b, size_t line)
{
	struct err why = { .code = ERR_OK, .message = "" };
	struct code code = { .name = arena_printf(w->a, "line %zu", line) };

	code.bytes = hex_bytes(w->a, b->hex, &code.n);
	if (!code.bytes) {
		b->error = "not an even number of hexadecimal digits, at most "
			   "8192";
		return;
	}
	b->program = (struct program){ .c = w->j->c.catalogue };
	if (program_add_bytes(w->a, &b->program, &code, 0, DATA_REFUSED,
			      &why) != ERR_OK) {
		b->error = arena_strdup(w->a, why.message);
		return;
	}
	program_link(w->a, &b->program);
	b->loop = (struct loop){ .label = "",
				 .function = "",
				 .last = b->program.n - 1 };
	b->request = w->j->request;
	b->request.program = &b->program;
	b->request.loop = &b->loop;
	b->request.name = b->name;
	b->request.mode = SNIPPET_UNROLL;
}

/* HEX[,NAME][,CYCLES]; a number alone behind HEX is CYCLES. */
static void read_line(struct corpus *w, char *line, size_t number)
{
	char *fields[3] = { line, NULL, NULL };
	struct block *b;

	for (size_t i = 1; i < 3 && fields[i - 1]; i++) {
		fields[i] = strchr(fields[i - 1], ',');
		if (fields[i])
			*fields[i]++ = '\0';
	}
	b = &w->blocks[w->n++];
	*b = (struct block){ .hex = fields[0],
			     .scored = &w->scored.blocks[w->n - 1] };
	b->scored->key = b->hex;
	b->name = arena_printf(w->a, "line%zu", number);
	if (fields[1] &&
	    (fields[2] || !is_number(fields[1], &b->scored->given))) {
		/* Blocks of one name stay apart. */
		if (*fields[1] != '\0')
			b->name =
				arena_printf(w->a, "%s.%zu", fields[1], number);
		if (!fields[2] || !is_number(fields[2], &b->scored->given))
			b->scored->given = 0;
	}
	decode_block(w, b, number);
	b->scored->category = scored_category(&b->program, &b->loop);
}

int time_read_lines(struct corpus *w, const char *path, struct err *e)
{
	char *text;
	size_t n, n_lines = 1, number = 0, n_blocks = 0;

	if (file_read_text(w->a, path, MAX_FILE, &text, &n, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++)
		n_lines += text[i] == '\n';
	allocate(w, n_lines);
	for (char *line; (line = text_take_line(&text)) != NULL;) {
		number++;
		if (*line != '\0' && is_of_shard(w, n_blocks++))
			read_line(w, line, number);
	}
	return w->n > 0 ? ERR_OK
			: err_set(e, ERR_INPUT, "%s has no blocks", path);
}

/* ---- a folder ------------------------------------------------------------------ */

bool time_is_folder(const char *path)
{
	struct stat s;

	return path && stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static int is_visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* A file that cannot be read is a refused block: the others are measured. */
static void read_file(struct corpus *w, const char *path, const char *name)
{
	struct block *b = &w->blocks[w->n++];
	struct err why = { .code = ERR_OK, .message = "" };
	/* The program points to its source. */
	struct loop_input *in = ARENA_NEW(w->a, struct loop_input);

	*b = (struct block){ .name = name,
			     .request = w->j->request,
			     .scored = &w->scored.blocks[w->n - 1] };
	b->scored->key = name;
	if (loop_input_read(w->a, &w->j->o->loop, w->j->c.catalogue, path, in,
			    &why) == ERR_OK &&
	    time_annotations(w->a, in, &b->request, &why) == ERR_OK) {
		b->program = in->program;
		b->loop = in->loops[in->chosen];
		b->request.program = &b->program;
		b->request.loop = &b->loop;
		b->request.name = name;
	} else {
		b->error = arena_strdup(w->a, why.message);
	}
	loop_input_close(in);
	b->scored->category = scored_category(&b->program, &b->loop);
}

int time_read_folder(struct corpus *w, const char *path, struct err *e)
{
	struct dirent **list;
	size_t n_files = 0;
	int n = scandir(path, &list, is_visible, alphasort);

	if (n < 0)
		return err_set(e, ERR_INPUT, "cannot read the folder %s", path);
	allocate(w, (size_t)n);
	for (int i = 0; i < n; i++) {
		const char *name = arena_strdup(w->a, list[i]->d_name);
		const char *file = arena_printf(w->a, "%s/%s", path, name);

		if (!time_is_folder(file) && is_of_shard(w, n_files++))
			read_file(w, file, name);
		free(list[i]);
	}
	free(list);
	return w->n > 0 ? ERR_OK
			: err_set(e, ERR_INPUT, "%s has no files", path);
}
