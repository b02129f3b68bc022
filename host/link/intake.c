/* Converts records to rows; see intake.h. */
#include "host/link/intake.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/link/intake_text.h"
#include "host/link/records.h"
#include "host/store/store_run.h"

enum { WORD_ROOM = 256 };

void intake_restart(struct intake *in)
{
	in->synced = false;
	in->clock = CLOCK_NONE;
}

static void take_core(struct intake *in, const struct wire_record *r)
{
	uint64_t first;

	in->has_core = wire_get_u64(r, "core", &in->core_number);
	in->is_marked = in->has_core && wire_get_u64(r, "first_core", &first);
	in->kind = 0;
	(void)!wire_get_u64(r, "kind", &in->kind);
	if (!wire_get_word(r, "cores", in->cores, sizeof(in->cores)))
		in->cores[0] = '\0';
}

/* Does the run want nothing of the core of the last info record? */
static bool is_unwanted(const struct intake *in)
{
	return in->is_outside || (in->wants_core && in->has_core &&
				  in->core_number != in->wanted_core);
}

/* Is the result of the core that the last info record names? */
static bool is_of_core(const struct intake *in, const struct wire_record *r)
{
	uint64_t core;

	if (is_unwanted(in))
		return false;
	return wire_get_u64(r, "core", &core)
		       ? in->has_core && core == in->core_number
		       : !in->is_marked;
}

static int take_info(struct intake *in, const struct wire_record *r,
		     struct err *e)
{
	char isa[WORD_ROOM];
	char word[INTAKE_CLOCK_WORD];
	enum clock clock;
	uint64_t hz, shared, work;

	if (records_check(r, "", in->code, e) != ERR_OK)
		return e->code;
	if (!wire_get_word(r, "isa", isa, sizeof(isa)) ||
	    !wire_get_word(r, "clock", word, sizeof(word)) ||
	    !wire_get_u64(r, "hz", &hz))
		return err_set(e, in->code,
			       "info record: isa, clock or hz is missing");
	if (strcmp(isa, in->isa) != 0)
		return err_set(e, in->code,
			       "info record: the pack is for ISA %s, the "
			       "board has %s",
			       in->isa, isa);
	clock = clock_of(word);
	if (clock != CLOCK_CORE && clock != CLOCK_REF)
		return err_set(e, in->code, "info record: unknown clock '%s'",
			       word);
	take_core(in, r);
	in->clock = clock;
	in->shared = wire_get_u64(r, "shared", &shared) && shared != 0;
	in->takes_work = wire_get_u64(r, "work", &work) && work != 0;
	/* A core of another kind may have another clock. */
	if (is_unwanted(in))
		return ERR_OK;
	if (in->joint->clock_before != CLOCK_NONE &&
	    in->joint->clock_before != clock)
		return err_set(e, in->code,
			       "info record: the run uses clock %s, the board "
			       "now uses %s",
			       clock_word_or(in->joint->clock_before,
					     in->joint->clock_text),
			       word);
	in->joint->clock_before = clock;

	if (intake_begin(in, e) != ERR_OK ||
	    store_run_clock(in->store, in->run, clock, hz, e) != ERR_OK)
		return e->code;
	return intake_facts(in, r, e);
}

static int take_pack(struct intake *in, const struct wire_record *r,
		     struct err *e)
{
	uint64_t id;
	bool read = wire_get_u64(r, "id", &id);

	in->has_pack = read;
	in->has_our_pack = read && id == in->pack_id;
	if (!in->has_our_pack && !in->any_pack)
		return err_set(
			e, in->code,
			"pack record: the board does not run pack 0x%" PRIx64,
			in->pack_id);
	return ERR_OK;
}

/* Read a number of at most 32 bits. */
static bool get_u32(const struct wire_record *r, const char *key, uint32_t *ret)
{
	uint64_t v;

	if (!wire_get_u64(r, key, &v) || v >= UINT32_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

/* Does the record name a kernel of the pack, with its number, id and label? */
static bool names_kernel(const struct intake *in, const struct wire_record *r,
			 struct intake_event *ret)
{
	char label[PACK_MAX_LABEL];
	uint64_t id;

	if (!is_of_core(in, r))
		return false;
	if (!get_u32(r, "k", &ret->k) || ret->k >= in->n_kernels ||
	    (wire_has(r, "visit") && !get_u32(r, "visit", &ret->visit)) ||
	    !wire_get_u64(r, "id", &id) ||
	    !wire_get_word(r, "x", label, sizeof(label)))
		return false;

	const struct intake_kernel *k = &in->kernels[ret->k];

	return k->accept && k->id == id && strcmp(k->label, label) == 0;
}

static bool same_unroll(const struct intake *in, const struct wire_record *r,
			uint32_t k)
{
	uint64_t u[PACK_LENGTHS];

	if (wire_get_list(r, "u", u, PACK_LENGTHS) != PACK_LENGTHS)
		return false;
	for (int i = 0; i < PACK_LENGTHS; i++)
		if (u[i] != in->kernels[k].unroll[i])
			return false;
	return true;
}

/* Read the retired instructions: one row for all rows, or a row for each.
 * Absent if the core does not count them. */
static bool read_retired(struct intake *in, const struct wire_record *r,
			 struct sample *m)
{
	size_t n = (size_t)m->n_rows * m->row;
	int got;

	if (!wire_has(r, "i"))
		return true;
	got = wire_get_list(r, "i", in->retired, INTAKE_VALUES);
	if (got < 0 || ((size_t)got != n && (size_t)got != m->row))
		return false;
	for (size_t at = (size_t)got; at < n; at++)
		in->retired[at] = in->retired[at % m->row];
	m->retired = in->retired;
	return true;
}

/* Read the rows and repeat the last one, which is said once; false if they are
 * malformed or too many. */
static bool read_rows(struct intake *in, const struct wire_record *r,
		      struct sample *m)
{
	int n = wire_get_list(r, "d", in->values, INTAKE_VALUES);
	uint32_t rows;

	if (n <= 0 || (uint32_t)n % m->row != 0)
		return false;
	m->n_rows = rows = (uint32_t)n / m->row;
	if (wire_has(r, "rows") &&
	    (!get_u32(r, "rows", &rows) || rows < m->n_rows ||
	     rows > INTAKE_VALUES / m->row))
		return false;
	m->n_rows = rows;
	for (size_t at = (size_t)n; at < (size_t)rows * m->row; at++)
		in->values[at] = in->values[at - m->row];
	return true;
}

/* Fields of a reference clock; version 1 of the wire had them on both. */
static bool read_calibration(const struct intake *in,
			     const struct wire_record *r, struct sample *m)
{
	bool core = in->clock == CLOCK_CORE;

	m->row = ROW_CORE;
	if (core && !wire_has(r, "row"))
		return true;
	return get_u32(r, "row", &m->row) &&
	       (core ? row_is_core(m->row) : row_is_ref(m->row)) &&
	       wire_get_list(r, "c", m->calib_iterations, PACK_N_CALIB) ==
		       PACK_N_CALIB;
}

/* Fill a sample from its record; false if a field is missing or invalid. */
static bool read_sample(struct intake *in, const struct wire_record *r,
			const struct intake_event *ev, struct sample *ret)
{
	struct sample m = {
		.kernel = in->first_kernel + ev->k,
		.visit = ev->visit,
		.core = in->core,
		.values = in->values,
	};

	if (in->clock == CLOCK_NONE || !same_unroll(in, r, ev->k) ||
	    !wire_get_u64(r, "n", &m.n_iterations) || m.n_iterations == 0 ||
	    !read_calibration(in, r, &m) || !read_rows(in, r, &m) ||
	    !read_retired(in, r, &m))
		return false;
	*ret = m;
	return true;
}

static int take_sample(struct intake *in, const struct wire_record *r,
		       struct intake_event *ev, struct err *e)
{
	struct sample m;

	if (!names_kernel(in, r, ev) || !read_sample(in, r, ev, &m)) {
		ev->kind = INTAKE_TEXT;
		in->counts.n_refused++;
		return ERR_OK;
	}
	in->counts.n_samples++;

	int ret = intake_begin(in, e);

	return ret == ERR_OK ? store_sample(in->store, in->run, &m, e) : ret;
}

static int take_fault(struct intake *in, const struct wire_record *r,
		      struct intake_event *ev, struct err *e)
{
	char cause[WIRE_KIND_MAX + 1];
	struct fault_row f = { .cause = cause };

	if (!names_kernel(in, r, ev) ||
	    !wire_get_word(r, "cause", cause, sizeof(cause)) ||
	    !wire_get_u64(r, "code", &f.code) ||
	    !wire_get_u64(r, "pc", &f.pc) ||
	    !wire_get_u64(r, "addr", &f.address)) {
		ev->kind = INTAKE_TEXT;
		in->counts.n_refused++;
		return ERR_OK;
	}
	f.kernel = in->first_kernel + ev->k;
	in->counts.n_faults++;

	int ret = intake_begin(in, e);

	return ret == ERR_OK ? store_fault(in->store, in->run, &f, e) : ret;
}

int intake_lost(struct intake *in, uint32_t k, struct err *e)
{
	const struct fault_row f = { .kernel = in->first_kernel + k,
				     .cause = "lost" };
	int ret = intake_begin(in, e);

	return ret == ERR_OK ? store_fault(in->store, in->run, &f, e) : ret;
}

/* A number lower than expected means that the board restarted. */
static void count_missing(struct intake *in, uint64_t seq)
{
	if (in->synced && seq > in->next_seq)
		in->counts.n_missing += seq - in->next_seq;
	in->synced = true;
	in->next_seq = seq + 1;
}

static enum intake_kind kind_of(const struct wire_record *r)
{
	static const char *const kinds[] = {
		[INTAKE_INFO] = "info",   [INTAKE_PACK] = "pack",
		[INTAKE_READY] = "ready", [INTAKE_SAMPLE] = "sample",
		[INTAKE_FAULT] = "fault", [INTAKE_DONE] = "done",
		[INTAKE_START] = "start", [INTAKE_ACK] = "ack",
		[INTAKE_ERROR] = "error", [INTAKE_BYE] = "bye",
	};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i] && wire_is(r, kinds[i]))
			return (enum intake_kind)i;
	return INTAKE_TEXT;
}

static bool read_ack(const struct wire_record *r, struct intake_ack *ret)
{
	uint64_t missing[INTAKE_WINDOW];
	int n = wire_get_list(r, "missing", missing, INTAKE_WINDOW);

	if (!get_u32(r, "from", &ret->from) || !get_u32(r, "to", &ret->to) ||
	    n < 0)
		return false;
	ret->n_missing = (size_t)n;
	for (int i = 0; i < n; i++) {
		if (missing[i] < ret->from || missing[i] >= ret->to)
			return false;
		ret->missing[i] = (uint32_t)missing[i];
	}
	return true;
}

static int take_record(struct intake *in, const struct wire_record *r,
		       struct intake_event *ev, struct err *e)
{
	ev->kind = kind_of(r);
	switch (ev->kind) {
	case INTAKE_INFO:
		return take_info(in, r, e);
	case INTAKE_PACK:
		return take_pack(in, r, e);
	case INTAKE_SAMPLE:
		return take_sample(in, r, ev, e);
	case INTAKE_FAULT:
		return take_fault(in, r, ev, e);
	case INTAKE_START:
		if (!get_u32(r, "k", &ev->k) || ev->k >= in->n_kernels)
			ev->kind = INTAKE_TEXT;
		return ERR_OK;
	case INTAKE_DONE:
		if (!get_u32(r, "from", &ev->from) ||
		    !get_u32(r, "to", &ev->to) ||
		    !get_u32(r, "visit", &ev->visit))
			ev->kind = INTAKE_TEXT;
		if (!wire_get_u64(r, "inside", &ev->inside))
			ev->inside = 0;
		return ERR_OK;
	case INTAKE_ACK:
		if (!read_ack(r, &ev->ack))
			ev->kind = INTAKE_TEXT;
		return ERR_OK;
	default:
		return ERR_OK;
	}
}

/* Is it a record of a host? A shell or a boot loader at its prompt repeats what
 * it is sent. */
static bool is_echo(const struct wire_record *r)
{
	static const char *const kinds[] = { "hello", "run",  "work", "load",
					     "data",  "sync", "start" };
	uint32_t k;

	/* The runtime's own names the kernel. */
	if (wire_is(r, "start") && get_u32(r, "k", &k))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (wire_is(r, kinds[i]))
			return true;
	return false;
}

/* ---- pieces of lines -------------------------------------------------- */

static int take_piece_text(struct intake *in, const struct records_piece *p,
			   struct err *e)
{
	if (p->shares_line)
		return intake_around(in, !p->is_record, p, e);
	return p->n_text ? intake_text(in, p->text, p->n_text, e) : ERR_OK;
}

static int take_piece(struct intake *in, const struct records_piece *p,
		      struct intake_event *ev, struct err *e)
{
	in->counts.n_damaged += p->is_damaged;
	if (p->is_damaged)
		ev->kind = INTAKE_DAMAGED;
	if (take_piece_text(in, p, e) != ERR_OK || !p->is_record)
		return e->code;
	if (is_echo(&p->record))
		return intake_text(in, p->bytes, p->n_bytes, e);
	count_missing(in, p->record.seq);
	if (take_record(in, &p->record, ev, e) != ERR_OK)
		return e->code;
	/* Remarks and unknown records are stored as text. */
	return ev->kind == INTAKE_TEXT || ev->kind == INTAKE_ERROR
		       ? intake_text(in, p->bytes, p->n_bytes, e)
		       : ERR_OK;
}

int intake_line(struct intake *in, const char *line, size_t n,
		intake_each *each, void *context, struct err *e)
{
	struct records r;
	struct records_piece p;

	records_open(&r, line, n);
	while (records_next(&r, &p)) {
		struct intake_event ev = { .kind = INTAKE_TEXT };

		if (take_piece(in, &p, &ev, e) != ERR_OK)
			return e->code;
		if (p.shares_line && !p.is_record)
			continue;
		if (each && each(context, &ev, p.n_bytes, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}
