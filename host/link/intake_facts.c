/* The facts of an info record in the store; see intake.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/link/intake_text.h"
#include "host/store/store_core.h"
#include "host/store/store_run.h"

enum { WORD_ROOM = 256 };

/* Prefix a key with the core's number, except for core 0. */
static void name_key(const struct intake *in, const struct wire_field *f,
		     char key[WORD_ROOM])
{
	int length = (int)f->key.length;

	if (in->core == 0)
		(void)snprintf(key, WORD_ROOM, "%.*s", length, f->key.at);
	else
		(void)snprintf(key, WORD_ROOM, "core%" PRIu32 "_%.*s", in->core,
			       length, f->key.at);
}

static int store_fields(struct intake *in, const struct wire_record *r,
			struct err *e)
{
	for (size_t i = 0; i < r->n_fields; i++) {
		const struct wire_field *f = &r->fields[i];
		char key[WORD_ROOM];
		char value[WIRE_LINE_MAX];

		name_key(in, f, key);
		(void)snprintf(value, sizeof(value), "%.*s",
			       (int)f->value.length, f->value.at);
		if (store_env(in->store, in->run, key, value, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

/* Cores of one kind are different cores, too. */
static int check_number(struct intake *in, struct arena *a, struct err *e)
{
	const char *old;

	/* The run has the number of the first of several machines alone. */
	if (in->core != 0)
		return ERR_OK;
	if (store_env_get(in->store, a, in->run, LINK_CORE_KEY, &old, e) !=
	    ERR_OK)
		return e->code;
	if (old && in->has_core && strtoull(old, NULL, 0) != in->core_number)
		return err_set(e, in->code,
			       "info record: run %" PRId64
			       " is of core %" PRIu64
			       " of its board, and this is core %" PRIu64
			       "; start a new run",
			       in->run, (uint64_t)strtoull(old, NULL, 0),
			       in->core_number);
	return ERR_OK;
}

/* Store what the record says of the core.  A run that is continued must stay on
 * one core: its samples are combined. */
int intake_facts(struct intake *in, const struct wire_record *r, struct err *e)
{
	struct arena a = { 0 };
	struct core_id before, after;

	if (check_number(in, &a, e) == ERR_OK &&
	    store_run_core(in->store, &a, in->run, &before, e) == ERR_OK &&
	    store_fields(in, r, e) == ERR_OK &&
	    store_run_core(in->store, &a, in->run, &after, e) == ERR_OK &&
	    !core_agrees(before.core, after.core)) {
		store_rollback(in->store);
		in->joint->in_transaction = false;
		(void)err_set(e, in->code,
			      "info record: run %" PRId64
			      " is of core %s, and the board is %s; start a "
			      "new run",
			      in->run, before.core, after.core);
	}
	arena_free(&a);
	return e->code;
}
