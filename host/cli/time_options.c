/* The options of `anechoic time` that say what state code has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/time_command.h"
#include "host/isa/isa.h"

/* A register by its name in the catalogue, in any case. */
static uint16_t register_named(const struct catalogue *c, const char *name,
			       size_t n)
{
	enum { ROOM = 24 };
	char upper[ROOM];

	if (n == 0 || n >= ROOM)
		return REG_NONE;
	for (size_t i = 0; i < n; i++)
		upper[i] = name[i] >= 'a' && name[i] <= 'z'
				   ? (char)(name[i] - 'a' + 'A')
				   : name[i];
	upper[n] = '\0';
	return catalogue_register(c, upper);
}

static bool is_gpr(const struct catalogue *c, uint16_t reg)
{
	return reg != REG_NONE && c->regs[reg].bank == BANK_GPR &&
	       c->regs[reg].index < 32;
}

static int parse_set(struct timing_job *j, const char *word,
		     struct snippet_set *ret, struct err *e)
{
	const char *equals = strchr(word, '=');
	char *end = NULL;

	errno = 0;
	if (!equals)
		return err_set(e, ERR_USAGE,
			       "--set must be REGISTER=NUMBER, not '%s'", word);
	ret->reg =
		register_named(j->c.catalogue, word, (size_t)(equals - word));
	ret->value = strtoull(equals + 1, &end, 0);
	if (end == equals + 1 || *end != '\0' || errno == ERANGE)
		return err_set(
			e, ERR_USAGE,
			"--set %s: a number of 64 bits must follow the '='",
			word);
	if (!is_gpr(j->c.catalogue, ret->reg))
		return err_set(e, ERR_USAGE,
			       "--set %s: %s has no such general register",
			       word, j->c.isa->name);
	return ERR_OK;
}

/* "4096", "64K", "1M". */
static int parse_memory(struct timing_job *j, struct err *e)
{
	enum { LEAST = 1024, SHIFT = 10 };
	const char *text = j->o->memory;
	unsigned long long n, most;
	char *end = NULL;

	if (!text)
		return ERR_OK;
	most = j->request.pages ? PACK_MOST_MEMORY : PACK_MAX_MEMORY;
	n = *text >= '0' && *text <= '9' ? strtoull(text, &end, 0) : 0;
	if (end && (*end == 'K' || *end == 'M') && n <= most) {
		n <<= *end == 'K' ? SHIFT : 2 * SHIFT;
		end++;
	}
	if (!end || *end != '\0' || n < LEAST || n > most)
		return err_set(e, ERR_USAGE,
			       "--memory must be %d bytes to %lluK on board "
			       "%s, such as 64K, not '%s'",
			       LEAST, most >> SHIFT, j->c.board->name, text);
	j->request.memory_bytes = (uint32_t)n;
	return ERR_OK;
}

/* [REG=]FILE; a name that is no register's is part of the file's. */
static int parse_data(struct timing_job *j, struct err *e)
{
	const struct option_words *words = &j->o->data;
	struct snippet_data *list =
		ARENA_ARRAY(j->a, struct snippet_data, words->n + 1);

	for (size_t i = 0; i < words->n; i++) {
		const char *path = words->words[i];
		const char *equals = strchr(path, '=');
		struct snippet_data *d = &list[i];
		unsigned char *bytes;
		size_t n;
		uint16_t reg = REG_NONE;

		if (equals)
			reg = register_named(j->c.catalogue, path,
					     (size_t)(equals - path));
		*d = (struct snippet_data){ .reg = -1 };
		if (is_gpr(j->c.catalogue, reg)) {
			d->reg = j->c.catalogue->regs[reg].index;
			path = equals + 1;
		}
		if (file_read(j->a, path, PACK_MOST_MEMORY, &bytes, &n, e) !=
		    ERR_OK)
			return e->code;
		if (n == 0)
			return err_set(e, ERR_INPUT, "%s is empty", path);
		d->name = path;
		d->value = bytes;
		d->value_bytes = d->bytes = (uint32_t)n;
	}
	j->request.data = list;
	j->request.n_data = words->n;
	return ERR_OK;
}

/* The code of --init: all of it. */
static int read_init(struct timing_job *j, struct err *e)
{
	const struct time_args *o = j->o;
	const struct loop_args how = { .syntax = o->loop.syntax };
	const struct code text = { .name = "--asm-init",
				   .bytes = o->init_assembly,
				   .n = o->init_assembly
						? strlen(o->init_assembly)
						: 0 };

	if (!o->init && !o->init_assembly)
		return ERR_OK;
	if ((o->init ? loop_input_read(j->a, &how, j->c.catalogue, o->init,
				       &j->init, e)
		     : loop_input_parse(j->a, &how, j->c.catalogue, &text,
					&j->init, e)) == ERR_OK)
		j->request.init = &j->init.program;
	return e->code;
}

int time_options(struct timing_job *j, struct err *e)
{
	const struct time_args *o = j->o;
	struct snippet_request *q = &j->request;
	struct snippet_set *sets =
		ARENA_ARRAY(j->a, struct snippet_set, o->set.n + 1);
	char *end = NULL;
	long offset;

	q->mode = (enum snippet_mode)option_chosen(o->mode);
	q->trips_in = q->offset = q->counter = -1;
	q->core_clock = j->c.board->clock == CLOCK_CORE;
	q->pages = strcmp(j->c.board->transport, "process") == 0;
	for (size_t i = 0; i < o->set.n; i++)
		if (parse_set(j, o->set.words[i], &sets[i], e) != ERR_OK)
			return e->code;
	q->sets = sets;
	q->n_sets = o->set.n;
	if (o->trips_in) {
		uint16_t reg = register_named(j->c.catalogue, o->trips_in,
					      strlen(o->trips_in));

		if (!is_gpr(j->c.catalogue, reg))
			return err_set(e, ERR_USAGE,
				       "--iterations-in: %s has no general "
				       "register '%s'",
				       j->c.isa->name, o->trips_in);
		q->trips_in = j->c.catalogue->regs[reg].index;
	}
	if (o->align) {
		offset = strtol(o->align, &end, 0);
		if (end == o->align || *end != '\0' || offset < 0 ||
		    offset >= PROGRAM_LINE)
			return err_set(e, ERR_USAGE,
				       "--align must be a number of bytes "
				       "below %d, not '%s'",
				       PROGRAM_LINE, o->align);
		q->offset = (int)offset;
	}
	return parse_memory(j, e) == ERR_OK && parse_data(j, e) == ERR_OK
		       ? read_init(j, e)
		       : e->code;
}
