/* See runs.h.  A run can be continued where its kernels have the same numbers,
 * which is so when the packs have the same id. */
#include "host/campaign/runs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "host/base/version.h"
#include "host/campaign/workspace.h"
#include "host/isa/isa.h"
#include "host/link/link.h"
#include "host/machine/machine.h"

struct run runs_describe(struct campaign *c, const char *what)
{
	const char *forms = c->request->forms;

	return (struct run){
		.board = c->board->name,
		.isa = c->isa->name,
		.cpu = c->catalogue->cpu ? c->catalogue->cpu : "",
		.what = what,
		.forms = forms ? forms : "",
		.tool = anechoic_version,
		.date = workspace_now(&c->arena),
		.kernel_cycles = c->kernel_cycles,
	};
}

void runs_pack_id(const struct campaign *c, char id[RUNS_PACK_ID])
{
	const struct pack_header *h = (const void *)c->pack.bytes;

	(void)snprintf(id, RUNS_PACK_ID, "0x%" PRIx64, h->id);
}

/* Runs of two databases are one only if they are copies. */
static char *runs_random(struct campaign *c)
{
	uint64_t id = 0;

	/* Without it the date and the machine distinguish runs. */
	(void)getrandom(&id, sizeof(id), 0);
	return arena_printf(&c->arena, "0x%016" PRIx64, id);
}

static int describe_shard(struct campaign *c, struct store *s, int64_t run,
			  struct err *e)
{
	const struct campaign_request *q = c->request;

	if (store_env(s, run, "set",
		      arena_printf(&c->arena, "0x%" PRIx64, c->set_id),
		      e) != ERR_OK)
		return e->code;
	return store_env(s, run, "shard",
			 arena_printf(&c->arena, "%" PRIu32 "/%" PRIu32,
				      q->shard, q->n_shards),
			 e);
}

/* What limits processes of this machine. */
static int describe_machine(struct campaign *c, struct store *s, int64_t run,
			    struct err *e)
{
	const struct machine_fact *f;
	struct machine m;

	if (!campaign_is_here(c))
		return ERR_OK;
	machine_read(&c->arena, "", &m);
	for (f = machine_facts(&c->arena, &m); f->key; f++)
		if (f->value &&
		    store_env(s, run, f->key, f->value, e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

/* Store the campaign's kernels with run `run`. */
static int store_all(struct campaign *c, struct store *s, int64_t run,
		     struct err *e)
{
	const uint32_t *places = (const void *)c->places.bytes;
	size_t n_places = c->places.n / sizeof(*places);

	for (size_t i = 0; i < gen_n_kernels(c->gen); i++) {
		struct kernel_row row;

		gen_kernel_row(c->gen, i, &row);
		if (store_kernel(s, run, (uint32_t)i, &row, e) != ERR_OK ||
		    (i < n_places &&
		     store_kernel_place(s, run, (uint32_t)i, places[i], e) !=
			     ERR_OK))
			return e->code;
	}
	return ERR_OK;
}

/* "0 write GPR64, 1 read GPR64, EFLAGS.CF write implicit" */
static const char *operands_text(struct campaign *c, const struct form *f)
{
	const char *text = "";

	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		const char *access = operand_access_word(o);
		char name[ISA_NAME_ROOM];

		operand_name(c->catalogue, f, i, name, sizeof(name));
		text = arena_printf(&c->arena, "%s%s%s %s%s%s", text,
				    i ? ", " : "", name, access,
				    *access ? " " : "",
				    operand_kind_word(c->catalogue, o));
	}
	return text;
}

/* Store what the measured forms are. */
static int store_forms(struct campaign *c, struct store *s, struct err *e)
{
	const struct form *forms = c->catalogue->forms;
	bool *known = ARENA_ARRAY(&c->arena, bool, c->catalogue->n_forms);
	int ret = ERR_OK;

	for (size_t i = 0; i < c->n_experiments && ret == ERR_OK; i++) {
		const struct experiment *x = &c->experiments[i];

		for (size_t k = 0; k < x->n_steps && ret == ERR_OK; k++) {
			const struct form *f = x->steps[k].form;

			if (known[f - forms])
				continue;
			known[f - forms] = true;
			ret = store_form(
				s,
				&(struct form_row){
					.isa = c->isa->name,
					.form = f->name,
					.mnemonic = f->mnemonic,
					.assembly = f->example,
					.operands = operands_text(c, f),
				},
				e);
		}
	}
	return ret;
}

int runs_complete(struct campaign *c, struct store *s, int64_t run,
		  struct err *e)
{
	size_t n = 0;

	if (store_count_kernels(s, run, &n, e) != ERR_OK ||
	    n == gen_n_kernels(c->gen))
		return e->code;
	if (store_begin(s, e) != ERR_OK || store_all(c, s, run, e) != ERR_OK)
		return e->code;
	return store_commit(s, e);
}

int runs_new(struct campaign *c, struct store *s, struct run *run,
	     struct err *e)
{
	char *const *reasons = (const void *)c->reasons.bytes;
	char id[RUNS_PACK_ID];

	runs_pack_id(c, id);
	if (store_begin(s, e) != ERR_OK || store_run_new(s, run, e) != ERR_OK ||
	    store_env(s, run->id, "pack", id, e) != ERR_OK ||
	    store_env(s, run->id, "id", runs_random(c), e) != ERR_OK ||
	    (c->request->shard && describe_shard(c, s, run->id, e) != ERR_OK) ||
	    describe_machine(c, s, run->id, e) != ERR_OK)
		return e->code;
	if (store_all(c, s, run->id, e) != ERR_OK ||
	    store_forms(c, s, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < c->reasons.n / sizeof(*reasons); i++)
		if (store_text(s, run->id, reasons[i], strlen(reasons[i]), e) !=
		    ERR_OK)
			return e->code;
	return store_commit(s, e);
}

int runs_new_of_core(struct campaign *c, struct store *s, uint64_t core,
		     struct run *run, struct err *e)
{
	char number[24];

	(void)snprintf(number, sizeof(number), "%" PRIu64, core);
	return runs_new(c, s, run, e) == ERR_OK
		       ? store_env(s, run->id, LINK_CORE_KEY, number, e)
		       : e->code;
}

/* ---- old runs ------------------------------------------------------------ */

/* The id of the pack that a run was measured with. */
static int pack_of(struct store *s, struct arena *a, int64_t run,
		   const char **ret, struct err *e)
{
	if (store_env_get(s, a, run, "pack", ret, e) == ERR_OK && !*ret)
		*ret = "unknown";
	return e->code;
}

int runs_unfinished(struct store *s, struct arena *a,
		    const struct runs_query *q, struct run *ret, struct err *e)
{
	struct run run = { .id = 0 };
	const char *id = NULL;

	if (store_run_resumable(s, a, q->like, &run, e) != ERR_OK ||
	    (run.id != 0 && pack_of(s, a, run.id, &id, e) != ERR_OK))
		return e->code;
	if (id && strcmp(id, q->pack) != 0)
		return err_set(
			e, ERR_INPUT,
			"--resume: unfinished run %" PRId64
			" was measured with pack %s, and these options give "
			"pack %s; repeat its options, or start a new run "
			"without --resume",
			run.id, id, q->pack);
	*ret = run;
	return ERR_OK;
}

static bool is_alike(const struct run *a, const struct run *b)
{
	return strcmp(a->board, b->board) == 0 && strcmp(a->isa, b->isa) == 0 &&
	       strcmp(a->what, b->what) == 0 && strcmp(a->forms, b->forms) == 0;
}

int runs_of_core(struct store *s, struct arena *a, const struct runs_query *q,
		 uint64_t core, struct run *ret, struct err *e)
{
	int64_t *ids;
	size_t n;

	*ret = (struct run){ .id = 0 };
	if (store_runs(s, a, &ids, &n, e) != ERR_OK)
		return e->code;
	while (n-- > 0) {
		const char *id, *its_core;
		struct run run;

		if (store_run_get(s, a, ids[n], &run, e) != ERR_OK ||
		    pack_of(s, a, ids[n], &id, e) != ERR_OK ||
		    store_env_get(s, a, ids[n], LINK_CORE_KEY, &its_core, e) !=
			    ERR_OK)
			return e->code;
		if (is_alike(&run, q->like) && its_core &&
		    strtoull(its_core, NULL, 0) == core &&
		    strcmp(id, q->pack) == 0) {
			*ret = run;
			break;
		}
	}
	return ERR_OK;
}

/* No run has the wanted board, ISA, what and forms. */
static int complain_of_run(const struct runs_query *q, const struct run *newest,
			   struct err *e)
{
	const struct run *like = q->like;

	if (newest->id == 0)
		return err_set(e, ERR_INPUT,
			       "--redo: %s has no run; measure without --redo "
			       "first",
			       q->db);
	return err_set(e, ERR_INPUT,
		       "--redo: %s has no run with --board %s --isa %s "
		       "--what %s --forms '%s'; repeat the options of a run "
		       "there (run %" PRId64 ": --board %s --isa %s --what %s "
		       "--forms '%s'), or measure without --redo first",
		       q->db, like->board, like->isa, like->what, like->forms,
		       newest->id, newest->board, newest->isa, newest->what,
		       newest->forms);
}

/* Such a run was measured with another pack. */
static int complain_of_pack(const struct runs_query *q, const struct run *run,
			    const char *pack, struct err *e)
{
	return err_set(e, ERR_INPUT,
		       "--redo: run %" PRId64
		       " of %s was measured with pack %s by version %s, and "
		       "these options and version %s give pack %s; give the "
		       "--cpu, --variants, --kernel-cycles and --shard of "
		       "that run, or measure without --redo",
		       run->id, q->db, pack, run->tool, q->like->tool, q->pack);
}

int runs_newest(struct store *s, struct arena *a, const struct runs_query *q,
		struct run *ret, struct err *e)
{
	struct run newest = { .id = 0 }, alike = { .id = 0 }, run;
	const char *other = "";
	int64_t *ids;
	size_t n;

	if (store_runs(s, a, &ids, &n, e) != ERR_OK)
		return e->code;
	while (n-- > 0) {
		const char *id;

		if (store_run_get(s, a, ids[n], &run, e) != ERR_OK ||
		    pack_of(s, a, ids[n], &id, e) != ERR_OK)
			return e->code;
		newest = newest.id ? newest : run;
		if (!is_alike(&run, q->like))
			continue;
		if (strcmp(id, q->pack) == 0) {
			*ret = run;
			return ERR_OK;
		}
		other = alike.id ? other : id;
		alike = alike.id ? alike : run;
	}
	return alike.id ? complain_of_pack(q, &alike, other, e)
			: complain_of_run(q, &newest, e);
}
