/* Claims and runs as rows; see rows.h. */
#include "host/codec/rows.h"

#include <math.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/store/store.h"

#define TEXT(key_, value) .key = (key_), .text = (value)
#define NUMBER(key_, value) \
	.key = (key_), .type = CELL_NUMBER, .number = (value)
#define WHOLE(key_, value) \
	.key = (key_), .type = CELL_WHOLE, .whole = (uint64_t)(value)

int runs_read(struct arena *a, struct store *s, struct runs *ret, struct err *e)
{
	int64_t *ids = NULL;

	*ret = (struct runs){ .n = 0 };
	if (store_chosen_runs(s, a, &ids, &ret->n, e) != ERR_OK)
		return e->code;
	ret->runs = ARENA_ARRAY(a, struct run_of_core, ret->n + 1);
	for (size_t i = 0; i < ret->n; i++) {
		struct run_of_core *r = &ret->runs[i];

		if (store_run_get(s, a, ids[i], &r->run, e) != ERR_OK ||
		    store_run_core(s, a, ids[i], &r->core, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

/* Find a run; its texts are empty for an unknown one. */
static const struct run_of_core *find_run(const struct runs *r, int64_t id)
{
	static const struct run_of_core none = {
		.run = { .cpu = "" }, .core = { .core = "", .machine = "" }
	};

	for (size_t i = 0; i < r->n; i++)
		if (r->runs[i].run.id == id)
			return &r->runs[i];
	return &none;
}

void claim_cells(const struct claim *c, const struct runs *runs,
		 char values[VALUE_WORDS_ROOM], struct cell ret[CLAIM_CELLS])
{
	const struct run_of_core *run = find_run(runs, c->run);
	double low = c->has_value ? c->low_cycles : NAN;
	double high = c->has_value ? c->high_cycles : NAN;
	double residual = c->has_value || c->residual > 0 ? c->residual : NAN;

	value_words(isa_find(c->isa), c->form, values);

	const struct cell cells[CLAIM_CELLS] = {
		{ TEXT("isa", c->isa), .brief = true },
		{ TEXT("form", c->form), .brief = true },
		{ TEXT("kind", c->kind), .brief = true },
		{ TEXT("source", c->source), .brief = true },
		{ TEXT("destination", c->destination), .brief = true },
		{ NUMBER("low_cycles", low), .brief = true },
		{ NUMBER("high_cycles", high), .brief = true },
		{ NUMBER("residual", residual), .brief = true },
		{ WHOLE("visits", c->visits), .brief = true },
		{ TEXT("verdict", claim_verdict(c)), .brief = true },
		{ TEXT("detail", c->detail) },
		{ TEXT("label", c->label) },
		{ WHOLE("kernel", c->kernel) },
		{ WHOLE("solver_version", c->solver_version) },
		{ TEXT("board", c->board), .brief = true },
		{ WHOLE("run", c->run), .brief = true },
		{ TEXT("values", values), .brief = true },
		{ TEXT("cpu", run->run.cpu), .brief = true },
		{ TEXT("core", run->core.core), .brief = true },
		{ TEXT("machine", run->core.machine), .brief = true },
	};

	memcpy(ret, cells, sizeof(cells));
}

void run_cells(const struct run_of_core *run, struct cell ret[RUN_CELLS])
{
	const struct run *r = &run->run;
	const struct cell cells[RUN_CELLS] = {
		{ WHOLE("id", r->id) },
		{ TEXT("board", r->board) },
		{ TEXT("isa", r->isa) },
		{ TEXT("cpu", r->cpu) },
		{ TEXT("core", run->core.core) },
		{ TEXT("machine", run->core.machine) },
		{ TEXT("clock", run_clock(r)) },
		{ WHOLE("ref_hz", r->ref_hz) },
		{ WHOLE("kernel_cycles", r->kernel_cycles) },
		{ TEXT("what", r->what) },
		{ TEXT("forms", r->forms) },
		{ TEXT("tool", r->tool) },
		{ TEXT("date", r->date) },
	};

	memcpy(ret, cells, sizeof(cells));
}
