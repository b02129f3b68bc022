/* How many instructions are held from dispatch to retirement; see judging.h.
 *
 * Chains with several numbers of fillers measure each buffer; window_fit.c
 * computes its size from their times.  This file decides what counts as
 * seen: kinds of fillers must agree.  An active SMT sibling may take half of
 * the entries, but never makes a buffer look larger.  So if kinds that were
 * measured at different times differ, the larger size is right. */
#include <math.h>
#include <string.h>

#include "host/base/file.h"
#include "host/effect/window/fit.h"
#include "host/effect/window/window.h"
#include "host/isa/windows.h"
#include "host/solve/judging.h"

enum { MAX_LINES = 8 }; /* of the ISA's list, for one buffer */

/* The accuracy of the value of one kernel (candidates.h). */
static const double least_doubt = 0.005;
/* Wider intervals are not given.  Measured on an Ice Lake with a busy
 * sibling: 123..135 for 128 entries of loads, 334..354 for 352 of the
 * reorder buffer, 173..187 vector registers, and of these 142..204 from
 * three kinds of fillers. */
static const double widest = 0.14, widest_pooled = 0.3;

/* A buffer whose entries instructions take. */
struct window_buffer {
	const char *kind;
	bool all; /* instructions of the chain take entries, too */
	/* An SMT sibling takes as many as it needs, not a fixed half: each
	 * kind of fillers shows a lower bound. */
	bool pooled;
};

/* The buffer of all instructions is first. */
static const struct window_buffer buffers[] = {
	{ ISA_REORDER_BUFFER, true, false },
	{ ISA_LOAD_BUFFER, false, false },
	{ ISA_VECTOR_REGISTERS, true, true },
};

/* All chains of a run. */
struct window_chains {
	const struct judge *j;
	const struct record *first; /* without fillers, */
	double without;             /* and what it takes */
	struct window_series empty; /* no point yet */
};

struct answer {
	struct window_size size; /* of 0: none */
	bool is_window;          /* none but what all instructions share */
};

/* ---- what the run has of it --------------------------------------------- */

static enum experiment_kind window_kind(void)
{
	return effect_kind(effect_find("window"));
}

/* If three chains or more run in parallel, their ends are not on a straight
 * line; 0: not known. */
static double without_fillers(const struct record *r)
{
	const struct estimate *m = &r->estimate;

	if (r->fault)
		return 0;
	return m->has_value ? m->high : m->rough > 0 ? m->rough : m->bound;
}

/* Are the fillers of a record those of "A+B"? */
static bool is_line(const struct record *r, const char *fillers)
{
	for (size_t i = 0; i < r->label.n_helpers; i++) {
		const char *form = r->label.helpers[i].form;
		size_t n = strlen(form);

		if (strncmp(fillers, form, n) != 0 ||
		    (fillers[n] != '+' && fillers[n] != '\0'))
			return false;
		fillers += n + (fillers[n] == '+');
	}
	return *fillers == '\0';
}

/* Cycles of the fillers of a group alone. */
static double fill_cycles(const struct judge *j, const struct record *r,
			  unsigned *ret_n)
{
	/* Chosen: points of a filler that was not measured are left out. */
	static const double unknown = 1;
	double cycles = 0;

	*ret_n = 0;
	for (size_t i = 0; i < r->label.n_helpers; i++) {
		const char *form = r->label.helpers[i].form;
		const struct record *alone =
			judging_form(j, EXPERIMENT_THROUGHPUT, form);

		if (!judging_is_usable(alone))
			alone = judging_form(j, EXPERIMENT_CONTROL, form);
		cycles += r->label.helpers[i].count *
			  (judging_is_usable(alone) ? alone->estimate.low
						    : unknown);
		*ret_n += r->label.helpers[i].count;
	}
	return fmax(cycles, (*ret_n + r->label.instances) * j->min_cycles);
}

static void add_point(const struct window_chains *c, const struct record *r,
		      struct window_series *s)
{
	struct window_point p = { .fillers = 0 };
	double fill = fill_cycles(c->j, r, &p.fillers);

	if (!judging_is_usable(r) || r->estimate.state != VERDICT_OK ||
	    s->n == WINDOW_MAX_POINTS)
		return;
	p.cycles = judging_middle(r);
	p.doubt = fmax(least_doubt, r->estimate.uncertainty) * p.cycles;
	if (window_tells(s, p.cycles, c->without, fill))
		s->points[s->n++] = p;
}

/* The points of one line; *ret_record: its first record, NULL: none. */
static struct window_series points_of(const struct window_chains *c,
				      const char *fillers,
				      const struct record **ret_record)
{
	const struct judge *j = c->j;
	struct window_series s = c->empty;

	*ret_record = NULL;
	for (const struct record *r = c->first; r < j->records + j->n; r++) {
		if (r->label.kind != window_kind() || r->label.n_helpers == 0 ||
		    !is_line(r, fillers))
			continue;
		*ret_record = *ret_record ? *ret_record : r;
		add_point(c, r, &s);
	}
	return s;
}

/* ---- from lines to a size ----------------------------------------------- */

/* What was found of a buffer. */
struct finding {
	size_t n_lines, n_seen; /* number of points that show a buffer */
	struct answer lines[MAX_LINES];
	struct window_size size; /* sizes that two kinds agree on */
	bool is_larger;          /* says another */
	bool is_pooled;
	const struct record *record;
	struct buffer words;
};

static bool agree(const struct window_size *a, const struct window_size *b,
		  struct window_size *ret)
{
	struct window_size both = { .low = a->low > b->low ? a->low : b->low,
				    .high = a->high < b->high ? a->high
							      : b->high };

	if (!a->low || !b->low || both.low > both.high)
		return false;
	both.late_low = fmax(a->late_low, b->late_low);
	both.late_high = fmin(a->late_high, b->late_high);
	*ret = both;
	return true;
}

static void describe(struct finding *f, const char *fillers,
		     const struct window_series *s, const struct window_size *a)
{
	buffer_printf(&f->words, "; %s", fillers);
	if (a->low)
		buffer_printf(&f->words, " %u..%u", a->low, a->high);
	else
		buffer_printf(&f->words, " -");
	for (size_t i = 0; i < s->n; i++)
		buffer_printf(&f->words, "%s%u: %.4g", i ? ", " : " (",
			      s->points[i].fillers, s->points[i].cycles);
	if (s->n > 0)
		buffer_printf(&f->words, ")");
}

/* The size from one line; none if it has too few points.  If the limit may be
 * that of the whole window, `window`, the line shows no separate buffer. */
static struct answer line_size(const struct window_series *s,
			       const struct window_buffer *of,
			       const struct window_size *window)
{
	struct answer a = { .is_window = false };
	struct window_size other, both;

	if (s->n < WINDOW_LEAST_POINTS)
		return a;
	a.size = window_fit(s, of->all);
	if (!window || !a.size.low)
		return a;
	other = of->all ? a.size : window_fit(s, true);
	if (other.low && (!window->low || agree(&other, window, &both)))
		a = (struct answer){ .is_window = true };
	return a;
}

/* From the largest certain size to the largest that any kind shows, once two
 * agree. */
static void settle_pooled(struct finding *f)
{
	for (size_t i = 0; i < f->n_lines && f->size.low; i++) {
		const struct window_size *one = &f->lines[i].size;

		if (one->low > f->size.low)
			f->size.low = one->low;
		if (one->high > f->size.high)
			f->size.high = one->high;
	}
	f->is_larger = false;
}

/* The first two that agree, and all others that agree with them. */
static void settle(struct finding *f)
{
	const struct answer *list = f->lines;

	for (size_t i = 0; i < f->n_lines && !f->size.low; i++)
		for (size_t k = 0; k < i && !f->size.low; k++)
			(void)agree(&list[i].size, &list[k].size, &f->size);
	for (size_t i = 0; i < f->n_lines && f->size.low; i++) {
		(void)agree(&f->size, &list[i].size, &f->size);
		f->is_larger |= list[i].size.low > f->size.high;
	}
}

/* `window`: the buffer that all instructions share, NULL for that buffer. */
static void judge_window_find(const struct window_chains *c,
			      const struct window_buffer *of,
			      const struct window_size *window,
			      struct finding *ret)
{
	const struct isa_window *w = c->j->sink->windows->list;

	*ret = (struct finding){ .n_lines = 0 };
	for (; w->buffer && ret->n_lines < MAX_LINES; w++) {
		struct answer *a = &ret->lines[ret->n_lines];
		const struct record *r;
		struct window_series s;

		if (strcmp(w->buffer, of->kind) != 0)
			continue;
		s = points_of(c, w->fillers, &r);
		if (!r)
			continue;
		ret->record = ret->record ? ret->record : r;
		*a = line_size(&s, of, window);
		ret->n_seen += s.n >= WINDOW_LEAST_POINTS && !a->is_window;
		describe(ret, w->fillers, &s, &a->size);
		ret->n_lines++;
	}
	buffer_add(&ret->words, "", 1);
	settle(ret);
	ret->is_pooled = of->pooled;
	if (of->pooled)
		settle_pooled(ret);
}

static bool is_wide(const struct finding *f)
{
	double most = f->is_pooled ? widest_pooled : widest;

	return f->size.high - f->size.low > fmax(2, most * f->size.high);
}

/* Half of a core is rarely a whole number of instructions wide; if the sibling
 * was never idle, the width may not be whole. */
static bool is_whole_core(const struct judge *j)
{
	/* Chosen: less than a half in up to 16 in a cycle. */
	static const double off = 0.03;
	double whole = round(j->width);

	return j->width > 0 && fabs(j->width - whole) <= off * whole;
}

static enum verdict judge_size(const struct judge *j, const struct finding *f)
{
	if (f->n_seen < 2)
		return VERDICT_THROUGHPUT_BOUND;
	if (!f->size.low || f->is_larger)
		return VERDICT_CONTRADICTION;
	return is_wide(f) || !is_whole_core(j) ? VERDICT_NOISY : VERDICT_OK;
}

static int give(const struct judge *j, const struct finding *f,
		const char *kind)
{
	struct claim c;

	if (!f->record)
		return 0;
	c = judging_base(j, f->record);
	c.form = c.source = c.destination = "";
	c.kind = kind;
	c.verdict = judge_size(j, f);
	c.has_value = c.verdict == VERDICT_OK;
	c.low_cycles = f->size.low;
	c.high_cycles = f->size.high;
	c.detail =
		arena_printf(j->a, "entries%s", (const char *)f->words.bytes);
	return j->sink->each(j->sink->context, &c, j->e);
}

/* The start is the same for all buffers. */
static int give_start(const struct judge *j, const struct finding *list,
		      size_t n)
{
	double low = 0, high = INFINITY;
	const struct finding *from = NULL;
	struct claim c;

	for (size_t i = 0; i < n; i++) {
		if (!list[i].record || judge_size(j, &list[i]) != VERDICT_OK)
			continue;
		low = fmax(low, list[i].size.late_low);
		high = fmin(high, list[i].size.late_high);
		from = from ? from : &list[i];
	}
	if (!from)
		return 0;
	c = judging_base(j, from->record);
	c.form = c.source = c.destination = "";
	c.kind = ISA_WINDOW_START;
	c.has_value = low <= high;
	c.verdict = c.has_value ? VERDICT_OK : VERDICT_CONTRADICTION;
	c.low_cycles = low;
	c.high_cycles = high;
	c.detail = "from an entry that comes free to the start of what waited "
		   "for it";
	return j->sink->each(j->sink->context, &c, j->e);
}

/* Chains without fillers, and their latency in an endless one. */
static bool open_chains(const struct judge *j, struct window_chains *ret)
{
	const struct record *twin;

	*ret = (struct window_chains){ .j = j };
	for (size_t i = 0; i < j->n && !ret->first; i++)
		if (j->records[i].label.kind == window_kind())
			ret->first = &j->records[i];
	if (!ret->first)
		return false;
	twin = judging_twin(j, ret->first, EXPERIMENT_LATENCY);
	ret->without = without_fillers(ret->first);
	ret->empty.per_group = ret->first->label.instances;
	ret->empty.min_cycles = j->min_cycles;
	if (judging_is_usable(twin) && ret->first->label.n_helpers == 0 &&
	    ret->without > 0)
		ret->empty.latency = round(judging_middle(twin));
	return true;
}

int window_judge(const struct judge *j)
{
	struct finding list[ARRAY_LEN(buffers)];
	struct window_chains c;
	int ret = 0;

	if (!j->sink->windows || !open_chains(j, &c))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(buffers); i++)
		judge_window_find(&c, &buffers[i], i > 0 ? &list[0].size : NULL,
				  &list[i]);
	for (size_t i = 0; i < ARRAY_LEN(buffers) && ret == 0; i++)
		ret = give(j, &list[i], buffers[i].kind);
	if (ret == 0)
		ret = give_start(j, list, ARRAY_LEN(buffers));
	for (size_t i = 0; i < ARRAY_LEN(buffers); i++)
		buffer_free(&list[i].words);
	return ret;
}
