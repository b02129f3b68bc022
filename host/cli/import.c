/* anechoic import: read a recorded console into a run.  The log has the
 * label, lengths and content id of each kernel.  The generator makes the
 * kernels again from their labels; if the id agrees, the bytes are known. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/base/version.h"
#include "host/campaign/port_search.h"
#include "host/cli/cli.h"
#include "host/cli/table.h"
#include "host/gen/gen.h"
#include "host/isa/isa.h"
#include "host/link/link.h"
#include "host/plan/plan.h"
#include "host/solve/solve.h"

enum { MAX_LOG = 1 << 30, DATE = 32 };

struct import {
	struct arena arena;
	unsigned char *bytes;
	size_t n;
	struct link_log log;
	struct catalogue *catalogue;
	struct gen *gen;
	struct store *store;
	int64_t run;
	/* It is the log of an image of a port search. */
	bool searched;
	uint32_t first;   /* number of the pack's first kernel in the run */
	size_t n_unknown; /* kernels whose bytes are not known */
};

/* Generate the kernel of a label again; true if it has the same id. */
static bool regenerate(struct import *m, const struct link_log_kernel *k,
		       struct kernel_row *ret)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct experiment x;

	if (experiment_parse(m->catalogue, k->label, &x, &e) != ERR_OK ||
	    gen_add(m->gen, &x, &e) != ERR_OK)
		return false;
	gen_kernel_row(m->gen, gen_n_kernels(m->gen) - 1, ret);
	return ret->id == k->id;
}

static int store_log_kernel(struct import *m, const struct link_log_kernel *k,
			    struct err *e)
{
	struct kernel_row row;

	if (!regenerate(m, k, &row)) {
		row = (struct kernel_row){
			.id = k->id,
			.label = k->label,
			.ops_per_body = 1,
		};
		memcpy(row.unroll, k->unroll, sizeof(row.unroll));
		m->n_unknown++;
	}
	return store_kernel(m->store, m->run, k->index, &row, e);
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
static int store_calibration(struct import *m, struct err *e)
{
	struct plan_request q = {
		.catalogue = m->catalogue,
		.what = PLAN_THROUGHPUT | PLAN_LATENCY,
	};
	struct experiment *list;
	size_t n;

	if (plan_make(&m->arena, &q, &list, &n, e) != ERR_OK)
		return e->code;
	for (uint32_t i = 0; i < PACK_N_CALIB; i++) {
		struct kernel_row row;

		if (m->log.calib_unroll[i][0] == 0 || has_index(&m->log, i))
			continue;
		if (gen_add(m->gen, &list[i], e) != ERR_OK)
			return e->code;
		gen_kernel_row(m->gen, gen_n_kernels(m->gen) - 1, &row);
		if (memcmp(row.unroll, m->log.calib_unroll[i],
			   sizeof(row.unroll)) != 0) {
			memcpy(row.unroll, m->log.calib_unroll[i],
			       sizeof(row.unroll));
			memset(row.code, 0, sizeof(row.code));
			row.image = NULL;
		}
		if (store_kernel(m->store, m->run, i, &row, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

static int new_run(struct import *m, struct err *e)
{
	char date[DATE];
	time_t t = time(NULL);
	struct tm tm;
	struct run r = {
		.board = "import",
		.isa = m->log.isa,
		.cpu = "",
		.clock = m->log.clock,
		.what = "",
		.forms = "",
		.tool = anechoic_version,
		.date = date,
		.ref_hz = m->log.ref_hz,
		.kernel_cycles = m->log.kernel_cycles,
	};

	(void)gmtime_r(&t, &tm);
	(void)strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	if (store_run_new(m->store, &r, e) == ERR_OK)
		m->run = r.id;
	return e->code;
}

/* The run and its kernels, in one transaction. */
static int start_run(struct import *m, struct err *e)
{
	if (store_begin(m->store, e) != ERR_OK)
		return e->code;
	if (new_run(m, e) == ERR_OK && store_calibration(m, e) == ERR_OK) {
		size_t i = 0;

		while (i < m->log.n_kernels &&
		       store_log_kernel(m, &m->log.kernels[i], e) == ERR_OK)
			i++;
		if (i == m->log.n_kernels)
			return store_commit(m->store, e);
	}
	store_rollback(m->store);
	return e->code;
}

/* The run is finished only if the whole log is stored. */
static int store_log(struct import *m, struct link_log_counts *counts,
		     struct err *e)
{
	if (port_search_imaged(m->store, m->log.pack_id, &m->run, &m->first,
			       e) != ERR_OK)
		return e->code;
	m->searched = m->run > 0;
	if ((m->searched || start_run(m, e) == ERR_OK) &&
	    link_log_store(m->store, m->run, m->first, &m->log, counts, e) ==
		    ERR_OK &&
	    !m->searched)
		(void)store_run_finish(m->store, m->run, e);
	return e->code;
}

static int report(struct import *m, const struct link_log_counts *n,
		  const char *db, struct err *e)
{
	struct solve_summary sum;

	printf("run %" PRId64 ": %zu samples, %zu faults of %zu kernels; "
	       "%zu damaged, %zu missing, %zu refused records\n",
	       m->run, n->n_samples, n->n_faults, m->log.n_kernels,
	       n->n_damaged, n->n_missing, n->n_refused);
	if (m->searched) {
		printf("they are of a search for ports; continue it with "
		       "'anechoic image --what ports'\n");
		return ERR_OK;
	}
	if (m->n_unknown)
		printf("%zu kernels are not those this version generates: "
		       "their bytes are not known\n",
		       m->n_unknown);
	if (solve_run(m->store, m->run, &sum, e) != ERR_OK)
		return e->code;
	if (table_print(m->store, m->run, NULL, e) != ERR_OK)
		return e->code;
	table_silence(&sum.silence);
	return table_other_cores(m->store, m->run, db, e);
}

static int import(struct import *m, const struct options *o, struct err *e)
{
	struct link_log_counts counts = { .n_samples = 0 };
	const struct isa *isa;
	struct gen_profile profile;

	if (file_read(&m->arena, o->log, MAX_LOG, &m->bytes, &m->n, e) !=
		    ERR_OK ||
	    link_log_scan(&m->arena, o->log, m->bytes, m->n, &m->log, e) !=
		    ERR_OK)
		return e->code;
	isa = isa_find(m->log.isa);
	if (!isa)
		return err_set(e, ERR_INPUT,
			       "%s: the log is of an unknown instruction set "
			       "'%s'",
			       o->log, m->log.isa);
	if (catalogue_load(&m->arena, isa, NULL, &m->catalogue, e) != ERR_OK)
		return e->code;
	profile = gen_profile((uint32_t)m->log.kernel_cycles);
	/* Chain a has a period of one instance. */
	if (m->log.calib_unroll[PACK_CALIB_CHAIN_A][0] > 0)
		gen_profile_unroll(&profile,
				   m->log.calib_unroll[PACK_CALIB_CHAIN_A][0]);
	m->gen = gen_new(m->catalogue, &profile);
	if (store_open(o->db, true, &m->store, e) != ERR_OK)
		return e->code;
	if (store_log(m, &counts, e) == ERR_OK)
		(void)report(m, &counts, o->db, e);
	store_close(m->store);
	return e->code;
}

static int import_run(const struct options *o, struct err *e)
{
	struct import m = { .n = 0 };

	(void)import(&m, o, e);
	gen_free(m.gen);
	if (m.catalogue)
		catalogue_free(m.catalogue);
	arena_free(&m.arena);
	return e->code;
}

const struct command command_import = {
	.name = "import",
	.summary = "read a recorded console log into a database and solve it",
	.options = OPTIONS(WORD("--log", log, "FILE", "recorded console",
				.required = true),
			   OPTION_DB),
	.describe =
		"The log may be any capture of the console. It may contain "
		"output of the firmware, line noise and several boots: records "
		"are recognised by their checksum.",
	.examples = "anechoic import --log f3.log --db f3.db",
	.run = import_run,
};
