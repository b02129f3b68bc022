/* Pack, run and database of a campaign; see subject.h. */
#include "tests/link/subject.h"

#include <inttypes.h>

#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "host/store/store_run.h"

static int add_kernels(struct subject *s, const struct experiment *list,
		       size_t n, struct err *e)
{
	struct gen_profile profile = gen_profile(2000);

	s->gen = gen_new(s->catalogue, &profile);
	for (size_t i = 0; i < n; i++) {
		struct err why = { .code = ERR_OK, .message = "" };

		/* Forms without a kernel do not matter to this test. */
		(void)gen_add(s->gen, &list[i], &why);
	}
	return gen_finish(s->gen, &s->pack, e);
}

int subject_make(struct subject *s, const char *isa, const char *forms,
		 const char *folder, const char *name, struct err *e)
{
	struct plan_request q = {
		.forms = forms,
		.what = PLAN_LATENCY | PLAN_THROUGHPUT,
	};
	const struct isa *known = isa_find(isa);
	const char *cpu = known == isa_native() ? "native" : NULL;
	struct experiment *list;
	size_t n;

	if (!known)
		return err_set(e, ERR_USAGE, "isa '%s'", isa);
	if (catalogue_load(&s->arena, known, cpu, &s->catalogue, e) != ERR_OK)
		return e->code;
	q.catalogue = s->catalogue;
	if (plan_make(&s->arena, &q, &list, &n, e) != ERR_OK ||
	    add_kernels(s, list, n, e) != ERR_OK)
		return e->code;
	s->board = (struct board){
		.name = "campaign",
		.path = "campaign.conf",
		.isa = isa,
		.transport = "serial",
		.command = "",
		.package = "",
		.timeout_s = 1,
	};
	s->pack_path = arena_printf(&s->arena, "%s/%s", folder, name);
	return file_write(s->pack_path, s->pack.bytes, s->pack.n, e);
}

void subject_free(struct subject *s)
{
	buffer_free(&s->pack);
	gen_free(s->gen);
	if (s->catalogue)
		catalogue_free(s->catalogue);
	arena_free(&s->arena);
}

static int new_run(const struct subject *s, struct store *store,
		   int64_t *ret_run, struct err *e)
{
	struct run r = {
		.board = "campaign",
		.isa = s->board.isa,
		.cpu = "",
		.what = "latency,throughput",
		.forms = "",
		.tool = "campaign",
		.date = "2000-01-01T00:00:00Z",
	};

	if (store_begin(store, e) != ERR_OK ||
	    store_run_new(store, &r, e) != ERR_OK)
		return e->code;
	*ret_run = r.id;
	for (size_t i = 0; i < gen_n_kernels(s->gen); i++) {
		struct kernel_row row;

		gen_kernel_row(s->gen, i, &row);
		if (store_kernel(store, r.id, (uint32_t)i, &row, e) != ERR_OK)
			return e->code;
	}
	return store_commit(store, e);
}

/* The run of the database, possibly finished by a host that was killed at its
 * end, or a new one. */
static int find_run(const struct subject *s, struct store *store,
		    int64_t *ret_run, struct err *e)
{
	struct arena a = { 0 };
	int64_t *runs;
	size_t n;

	if (store_runs(store, &a, &runs, &n, e) == ERR_OK && n > 0)
		*ret_run = runs[n - 1];
	else if (e->code == ERR_OK)
		(void)new_run(s, store, ret_run, e);
	arena_free(&a);
	return e->code;
}

int subject_measure(const struct subject *s, const char *db, const char *tty,
		    const char *reset, bool load, struct link_traffic *traffic,
		    struct err *e)
{
	const struct link_request request = {
		.board = &s->board,
		.tty = tty,
		.reset_command = reset,
	};
	struct session session = {
		.request = &request,
		.pack = s->pack.bytes,
		.load = load,
		.traffic = traffic,
	};

	if (store_open(db, true, &session.store, e) != ERR_OK)
		return e->code;
	if (find_run(s, session.store, &session.run, e) == ERR_OK &&
	    session_run(&session, e) == ERR_OK)
		(void)store_run_finish(session.store, session.run, e);
	store_close(session.store);
	return e->code;
}

/* ---- databases as text ------------------------------------------------ */

struct dump {
	const struct subject *subject;
	struct buffer *text;
};

static void dump_sample(const struct dump *d, const struct sample *m)
{
	/* A real machine may disturb a visit, which then has fewer rows. */
	buffer_printf(d->text, "  visit %u: %s of %u", m->visit,
		      m->n_rows > 0 ? "rows" : "no rows", m->row);
	if (d->subject->exact) {
		buffer_printf(d->text, ", %u rows, n %" PRIu64 ", c", m->n_rows,
			      m->n_iterations);
		for (int i = 0; i < PACK_N_CALIB; i++)
			buffer_printf(d->text, " %" PRIu64,
				      m->calib_iterations[i]);
		buffer_printf(d->text, ":");
		for (uint32_t i = 0; i < m->n_rows * m->row; i++)
			buffer_printf(d->text, " %" PRIu64, m->values[i]);
	}
	buffer_printf(d->text, "\n");
}

static int dump_kernel(void *context, const struct kernel_result *r,
		       struct err *e)
{
	const struct dump *d = context;

	(void)e;
	buffer_printf(d->text, "%u 0x%" PRIx64 " %s%s%s\n", r->index,
		      r->kernel.id, r->kernel.label, r->fault ? " fault " : "",
		      r->fault ? r->fault->cause : "");
	for (size_t i = 0; i < r->n_samples; i++)
		dump_sample(d, &r->samples[i]);
	return 0;
}

int subject_dump(const struct subject *s, const char *db, struct buffer *ret,
		 struct err *e)
{
	struct dump d = { .subject = s, .text = ret };
	struct arena a = { 0 };
	struct store *store;
	int64_t *runs;
	size_t n;

	if (store_open(db, false, &store, e) != ERR_OK)
		return e->code;
	if (store_runs(store, &a, &runs, &n, e) == ERR_OK) {
		buffer_printf(ret, "%zu runs\n", n);
		for (size_t i = 0; i < n && e->code == ERR_OK; i++)
			(void)store_kernels(store, runs[i], dump_kernel, &d, e);
	}
	store_close(store);
	arena_free(&a);
	return e->code;
}
