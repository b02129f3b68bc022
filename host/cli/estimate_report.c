/* The report of `anechoic estimate`; see estimate_report.h. */
#include "host/cli/estimate_report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/cache/sim.h"
#include "host/codec/source.h"
#include "host/estimate/print.h"
#include "host/isa/isa.h"

enum { USUAL_TOP = 10, MAX_ENTRIES = 4096 };

static void print_csv(struct buffer *b, const struct program_estimate *x,
		      size_t top)
{
	(void)top;
	estimate_print_csv(b, x);
}

const char *const report_formats[] = { "text", "json", "html", "csv", NULL };
static void (*const print_format[])(struct buffer *b,
				    const struct program_estimate *x,
				    size_t top) = {
	estimate_print_text, estimate_print_json, estimate_print_html, print_csv
};

/* ---- options
 * --------------------------------------------------------------- */

static int read_mshr(const char *list, struct estimate_report *r, struct err *e)
{
	const char *at = list;

	while (at) {
		char *end;
		unsigned long n = strtoul(at, &end, 10);

		if (*at < '0' || *at > '9' || n == 0 || n > MAX_ENTRIES ||
		    (*end != ',' && *end != '\0') ||
		    r->n_mshr == REPORT_MAX_MSHR)
			return err_set(e, ERR_USAGE,
				       "--mshr needs numbers from 1 to %d, at "
				       "most %d of them, e.g. 8,16,32",
				       MAX_ENTRIES, REPORT_MAX_MSHR);
		r->mshr[r->n_mshr++] = (uint32_t)n;
		at = *end == ',' ? end + 1 : NULL;
	}
	return ERR_OK;
}

/* Without a model the tables of LLVM: of the guest's CPU if it has some of that
 * name, of this machine if it runs the program's instruction set, else of a
 * usual core of that set. */
static int load_tables(struct arena *a, const struct estimate_args *o,
		       const struct catalogue *c, struct estimate_report *r,
		       struct err *e)
{
	const char *guest = o->guest_cpu ? o->guest_cpu : "";
	const char *const cpus[] = {
		arena_printf(a, "%.*s", (int)strcspn(guest, ","), guest),
		c->isa == isa_native() ? "native" : "",
		c->isa->usual_cpu,
	};
	int code = ERR_OK;

	for (size_t i = 0; i < ARRAY_LEN(cpus) && !r->k; i++) {
		const struct model_source source = { .cpu = cpus[i],
						     .isa = c->isa->name };
		struct err none = { .code = ERR_OK };

		if (*cpus[i] == '\0')
			continue;
		code = model_load_completed(a, c, &source, &r->k, &none);
		if (code != ERR_OK && i + 1 == ARRAY_LEN(cpus))
			*e = none;
	}
	if (r->k)
		r->tables = arena_printf(
			a, "no model was given: cycles come from %s",
			completed_model(r->k)->source);
	return e->code;
}

static int load_model(struct arena *a, const struct estimate_args *o,
		      const struct catalogue *c, struct estimate_report *r,
		      struct err *e)
{
	struct model_source source = o->source;
	const struct isa *isa;

	/* Counts alone need none, and run faster without. */
	if (!source.db && !source.file && !source.cpu)
		return o->no_accesses ? ERR_OK : load_tables(a, o, c, r, e);
	if (!source.isa && source.cpu)
		source.isa = c->isa->name;
	if (model_source_isa(a, &source, &isa, e) != ERR_OK)
		return e->code;
	if (isa != c->isa)
		return err_set(e, ERR_INPUT,
			       "the model is of %s, the program of %s",
			       isa->name, c->isa->name);
	return model_load_completed(a, c, &source, &r->k, e);
}

int report_open(struct arena *a, const struct estimate_args *o,
		const struct catalogue *c, struct estimate_report *ret,
		struct err *e)
{
	struct estimate_report r = { .top = o->top ? o->top : USUAL_TOP };

	if (o->mshr && read_mshr(o->mshr, &r, e) != ERR_OK)
		return e->code;
	if (load_model(a, o, c, &r, e) != ERR_OK)
		return e->code;
	*ret = r;
	return ERR_OK;
}

const char *report_caches(struct arena *a, const char *name)
{
	const char *shipped;

	if (strchr(name, '/') || access(name, F_OK) == 0)
		return name;
	shipped = share_path(a, arena_printf(a, "caches/%s.conf", name));
	return access(shipped, F_OK) == 0 ? shipped : name;
}

/* ---- the run
 * --------------------------------------------------------------- */

static void add_counts(struct cache_counts *to, const struct cache_counts *x)
{
	to->accesses += x->accesses;
	to->misses += x->misses;
	to->cold += x->cold;
	to->capacity += x->capacity;
	to->conflict += x->conflict;
	to->writebacks += x->writebacks;
}

enum {
	/* Accesses in flight at once, at most: assumed.  One for each entry of
	 * a reorder buffer of this size. */
	IN_FLIGHT = 512,
};

/* A window as a sample.  If the window before ends where this one starts, its
 * last accesses are put in front and do not count.  Else the first accesses do
 * not count, unless the samples start here. */
static struct estimate_sample sample_of(struct arena *a,
					const struct cache_window *before,
					const struct cache_window *w)
{
	bool behind = before && before->first + before->n == w->first;
	size_t n = !behind ? 0 : before->n < IN_FLIGHT ? before->n : IN_FLIGHT;
	struct cache_record *records =
		ARENA_ARRAY(a, struct cache_record, n + w->n);
	struct estimate_sample ret = { n + w->n, n, records };

	if (n > 0)
		memcpy(records, before->records + before->n - n,
		       n * sizeof(*records));
	memcpy(records + n, w->records, w->n * sizeof(*records));
	if (!behind && w->first > 0)
		ret.n_before = w->n < IN_FLIGHT ? w->n : IN_FLIGHT;
	return ret;
}

/* Copy the windows of all vCPUs of a process: they are mapped until the next
 * one is looked at. */
static void take_samples(struct arena *a, const struct cache_sim *s,
			 struct buffer *samples)
{
	const struct cache_trace *t;

	for (size_t i = 0; (t = cache_sim_trace(s, i)) != NULL; i++)
		for (size_t k = 0; k < t->n; k++) {
			const struct cache_window *w = &t->windows[k];
			struct estimate_sample x =
				sample_of(a, k > 0 ? w - 1 : NULL, w);

			buffer_add(samples, &x, sizeof(x));
		}
}

/* Add the counts of n of a process's simulated hierarchies, from `first` on. */
static void sum_counts(const struct cache_sim *s, size_t first, size_t n,
		       const struct cache_hierarchy *hierarchies,
		       struct cache_counts *sums)
{
	for (size_t h = 0; h < n; h++)
		for (size_t l = 0; l < hierarchies[first + h].n_levels; l++) {
			struct cache_counts x =
				cache_sim_counts(s, first + h, l);

			add_counts(&sums[h * CACHE_MAX_LEVELS + l], &x);
		}
}

static void take_caches(struct arena *a, struct guest_run *run,
			const struct caches_simulated *simulated,
			struct estimate_input *in)
{
	size_t n = (simulated->n + 1) * CACHE_MAX_LEVELS;
	struct cache_counts *sums = ARENA_ARRAY(a, struct cache_counts, n);
	struct cache_counts *tlbs = ARENA_ARRAY(a, struct cache_counts, n);
	struct buffer samples = { 0 };

	for (uint32_t i = 0; i < in->p->n_processes; i++) {
		const struct cache_sim *s = guest_caches(run, i);

		if (!s)
			continue;
		in->unit_bytes = cache_sim_line_bytes(s);
		take_samples(a, s, &samples);
		sum_counts(s, 0, in->n_tlbs, simulated->at, tlbs);
		sum_counts(s, in->n_tlbs, in->n_hierarchies, simulated->at,
			   sums);
	}
	in->counts = sums;
	in->tlb_counts = tlbs;
	in->n_samples = samples.n / sizeof(struct estimate_sample);
	in->samples = arena_copy(a, samples.bytes, samples.n);
	buffer_free(&samples);
}

static bool jump_of(void *context, uint32_t jump, uint32_t *ret_block)
{
	return guest_jump(context, jump, ret_block);
}

static bool place_of(void *context, uint32_t place, uint32_t *ret_block,
		     uint32_t *ret_access)
{
	return guest_place(context, place, ret_block, ret_access);
}

int report_print(struct arena *a, const struct report_input *i,
		 struct buffer *b, struct err *e)
{
	struct profile noted = *i->p;
	struct estimate_input in = {
		.p = &noted,
		.c = i->c,
		.k = i->r->k,
		.n_hierarchies = i->caches->n,
		.hierarchies = i->caches->at,
		.n_tlbs = i->simulated->n_tlbs,
		.tlb_of = i->simulated->tlb_of,
		.place = place_of,
		.jump = jump_of,
		.context = i->run,
		.n_mshr = i->r->n_mshr,
		.mshr = i->r->mshr,
	};
	struct program_estimate x;

	if (i->r->tables)
		noted.notes =
			arena_printf(a, "%s%s%s", i->r->tables,
				     i->p->notes && *i->p->notes ? "\n" : "",
				     i->p->notes ? i->p->notes : "");
	take_caches(a, i->run, i->simulated, &in);
	if (estimate_run(a, &in, &x, e) != ERR_OK)
		return e->code;
	print_format[i->format](b, &x, i->r->top);
	return ERR_OK;
}
