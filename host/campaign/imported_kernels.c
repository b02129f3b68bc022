/* A run made of the labels in a log: each kernel is generated again from its
 * label; if its content id agrees, its bytes are known. */
#include <string.h>

#include "host/base/version.h"
#include "host/campaign/imported.h"
#include "host/campaign/workspace.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "host/store/store_run.h"

struct maker {
	struct imported *m;
	struct catalogue *catalogue;
	struct gen *gen;
	struct store *store;
};

/* Generate the kernel of a label again; true if it has the same id. */
static bool regenerate(struct maker *k, const struct link_log_kernel *from,
		       struct kernel_row *ret)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct experiment x;

	if (experiment_parse(k->catalogue, from->label, &x, &e) != ERR_OK ||
	    gen_add(k->gen, &x, &e) != ERR_OK)
		return false;
	gen_kernel_row(k->gen, gen_n_kernels(k->gen) - 1, ret);
	return ret->id == from->id;
}

static int add_kernel(struct maker *k, const struct link_log_kernel *from,
		      struct err *e)
{
	struct kernel_row row;
	bool known = false;

	if (!regenerate(k, from, &row)) {
		row = (struct kernel_row){
			.id = from->id,
			.label = from->label,
			.ops_per_body = 1,
		};
		memcpy(row.unroll, from->unroll, sizeof(row.unroll));
		/* The database has own code from when its image was made. */
		if (store_has_code(k->store, row.id, &known, e) != ERR_OK)
			return e->code;
		k->m->n_unknown += !known;
	}
	return store_kernel(k->store, k->m->run, from->index, &row, e);
}

/* Is there a kernel of this number in the log? */
static bool has_index(const struct link_log *log, uint32_t index)
{
	for (size_t i = 0; i < log->n_kernels; i++)
		if (log->kernels[i].index == index)
			return true;
	return false;
}

/* No sample names a calibration kernel.  The pack record has their lengths,
 * and every plan begins with them. */
static int add_calibration(struct maker *k, struct err *e)
{
	const struct link_log *log = &k->m->log;
	struct plan_request q = {
		.catalogue = k->catalogue,
		.what = PLAN_THROUGHPUT | PLAN_LATENCY,
	};
	struct experiment *list;
	size_t n;

	if (plan_make(&k->m->arena, &q, &list, &n, e) != ERR_OK)
		return e->code;
	for (uint32_t i = 0; i < PACK_N_CALIB; i++) {
		const uint32_t *unroll = log->calib_unroll[i];
		struct kernel_row row;

		if (unroll[0] == 0 || has_index(log, i))
			continue;
		if (gen_add(k->gen, &list[i], e) != ERR_OK)
			return e->code;
		gen_kernel_row(k->gen, gen_n_kernels(k->gen) - 1, &row);
		if (memcmp(row.unroll, unroll, sizeof(row.unroll)) != 0) {
			memcpy(row.unroll, unroll, sizeof(row.unroll));
			memset(row.code, 0, sizeof(row.code));
			row.image = NULL;
		}
		if (store_kernel(k->store, k->m->run, i, &row, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

/* What the log measures, by the kinds of its labels. */
static unsigned what_of(const struct link_log *log)
{
	unsigned what = 0;

	for (size_t i = 0; i < log->n_kernels; i++) {
		const char *label = log->kernels[i].label;

		if (strncmp(label, "latency:", strlen("latency:")) == 0)
			what |= PLAN_LATENCY;
		if (strncmp(label, "throughput:", strlen("throughput:")) == 0)
			what |= PLAN_THROUGHPUT;
	}
	return what;
}

static int add_run(struct maker *k, struct err *e)
{
	struct imported *m = k->m;
	const char *forms = m->request.forms;
	struct run r = {
		.board = m->board ? m->board->name : "import",
		.isa = m->log.isa,
		.cpu = m->board ? k->catalogue->cpu : "",
		.clock = m->log.clock,
		.clock_text = m->log.clock_text,
		.what = plan_what_words(what_of(&m->log)),
		.forms = m->board && forms ? forms : "",
		.tool = anechoic_version,
		.date = workspace_now(&m->arena),
		.ref_hz = m->log.ref_hz,
		.kernel_cycles = m->log.kernel_cycles,
	};

	if (store_run_new(k->store, &r, e) == ERR_OK)
		m->run = r.id;
	return e->code;
}

/* The run and its kernels, in one transaction. */
static int add_all(struct maker *k, struct err *e)
{
	const struct link_log *log = &k->m->log;

	if (store_begin(k->store, e) != ERR_OK)
		return e->code;
	if (add_run(k, e) == ERR_OK && add_calibration(k, e) == ERR_OK) {
		size_t i = 0;

		while (i < log->n_kernels &&
		       add_kernel(k, &log->kernels[i], e) == ERR_OK)
			i++;
		if (i == log->n_kernels)
			return store_commit(k->store, e);
	}
	store_rollback(k->store);
	return e->code;
}

/* The CPU of the forms, if the board's file names one that LLVM knows. */
static int load_catalogue(struct maker *k, struct err *e)
{
	struct imported *m = k->m;
	struct err why = { .code = ERR_OK, .message = "" };
	const struct isa *isa = isa_find(m->log.isa);
	const char *cpu =
		m->board ? campaign_cpu(&m->arena, m->board, m->request.cpu)
			 : NULL;

	if (cpu &&
	    catalogue_load(&m->arena, isa, cpu, &k->catalogue, &why) == ERR_OK)
		return ERR_OK;
	return catalogue_load(&m->arena, isa, NULL, &k->catalogue, e);
}

int imported_new_run(struct imported *m, struct store *s, struct err *e)
{
	struct maker k = { .m = m, .store = s };
	const uint32_t *chain = m->log.calib_unroll[PACK_CALIB_CHAIN_A];
	struct gen_profile profile =
		gen_profile((uint32_t)m->log.kernel_cycles);

	if (load_catalogue(&k, e) != ERR_OK)
		return e->code;
	/* Chain a has a period of one instance. */
	if (chain[0] > 0)
		gen_profile_unroll(&profile, chain[0]);
	k.gen = gen_new(k.catalogue, &profile);
	(void)add_all(&k, e);
	gen_free(k.gen);
	catalogue_free(k.catalogue);
	return e->code;
}
