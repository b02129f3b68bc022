/* Reads recorded console logs in two passes.  The first, here, finds what was
 * measured, so that the caller can create the run and its kernels.  The second
 * stores the results (log_store.c). */
#include "host/link/link.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/wire.h"
#include "host/base/file.h"
#include "host/link/lines.h"
#include "host/link/records.h"

enum { WORD_ROOM = 64, PLACE_ROOM = 256 };
#define NO_CALIB UINT64_MAX

struct scan {
	struct arena *a;
	const char *path;
	size_t line;
	bool have_info, have_pack;
	uint64_t seq;        /* of the record before */
	struct buffer boots; /* struct link_log_boot */
	/* A host gave commands: the pack did not run by itself. */
	bool is_commanded;
	bool is_ready;    /* any boot was */
	uint64_t n_calib; /* NO_CALIB: the log does not say */
	uint64_t cycles;  /* of the whole pack; 0 on a ref clock */
	uint64_t from;    /* kernels that the first pass leaves out */
	struct link_log log;
	size_t room;                     /* allocated kernels */
	struct link_log_kernel *kernels; /* by index; label NULL: not in the
					  * log */
};

static int contradiction(const struct scan *s, const char *what, struct err *e)
{
	return err_set(e, ERR_INPUT, "%s:%zu: %s changes within the log",
		       s->path, s->line, what);
}

static uint64_t number_or(const struct wire_record *r, const char *key,
			  uint64_t otherwise)
{
	uint64_t v;

	return wire_get_u64(r, key, &v) ? v : otherwise;
}

static void keep_facts(struct scan *s, const struct wire_record *r)
{
	struct link_fact *list =
		ARENA_ARRAY(s->a, struct link_fact, r->n_fields + 1);

	for (size_t i = 0; i < r->n_fields; i++) {
		const struct wire_field *f = &r->fields[i];

		list[i].key = arena_printf(s->a, "%.*s", (int)f->key.length,
					   f->key.at);
		list[i].value = arena_printf(s->a, "%.*s", (int)f->value.length,
					     f->value.at);
	}
	s->log.facts = list;
	s->log.n_facts = r->n_fields;
}

const char *link_log_fact(const struct link_log *log, const char *key)
{
	for (size_t i = 0; i < log->n_facts; i++)
		if (strcmp(log->facts[i].key, key) == 0)
			return log->facts[i].value;
	return NULL;
}

/* The boot of the current line; NULL before the first info record. */
static struct link_log_boot *boot_of(const struct scan *s)
{
	struct link_log_boot *list = (void *)s->boots.bytes;
	size_t n = s->boots.n / sizeof(*list);

	return n > 0 ? &list[n - 1] : NULL;
}

static int scan_info(struct scan *s, const struct wire_record *r, struct err *e)
{
	char where[PLACE_ROOM];
	char isa[WORD_ROOM];
	char clock[WORD_ROOM];
	uint64_t hz;

	(void)snprintf(where, sizeof(where), "%s:%zu: ", s->path, s->line);
	if (records_check(r, where, ERR_INPUT, e) != ERR_OK)
		return e->code;
	if (!wire_get_word(r, "isa", isa, sizeof(isa)) ||
	    !wire_get_word(r, "clock", clock, sizeof(clock)) ||
	    !wire_get_u64(r, "hz", &hz))
		return err_set(e, ERR_INPUT,
			       "%s:%zu: info record without isa, clock or hz",
			       s->path, s->line);
	/* Others answer a `hello`.  A core that another one started does not
	 * begin with 0. */
	if (r->seq <= s->seq || !s->have_info) {
		const struct link_log_boot fresh = { .label = "" };

		buffer_add(&s->boots, &fresh, sizeof(fresh));
		s->from = number_or(r, "option_from", 0);
	}
	if (!s->have_info) {
		s->have_info = true;
		keep_facts(s, r);
		s->log.isa = arena_strdup(s->a, isa);
		s->log.clock = clock_of(clock);
		s->log.clock_text = arena_strdup(s->a, clock);
		s->log.ref_hz = hz;
	}
	if (strcmp(s->log.isa, isa) != 0)
		return contradiction(s, "isa", e);
	if (strcmp(s->log.clock_text, clock) != 0)
		return contradiction(s, "clock", e);
	return ERR_OK;
}

/* Read three ascending unroll lengths; false if they are malformed. */
static bool read_unroll(const struct wire_record *r, const char *key,
			uint32_t unroll[PACK_LENGTHS])
{
	uint64_t u[PACK_LENGTHS];

	if (wire_get_list(r, key, u, PACK_LENGTHS) != PACK_LENGTHS)
		return false;
	for (int i = 0; i < PACK_LENGTHS; i++)
		if (u[i] == 0 || u[i] > UINT32_MAX ||
		    (i > 0 && u[i] <= u[i - 1]))
			return false;
	for (int i = 0; i < PACK_LENGTHS; i++)
		unroll[i] = (uint32_t)u[i];
	return true;
}

static int scan_pack(struct scan *s, const struct wire_record *r, struct err *e)
{
	static const char *const keys[PACK_N_CALIB] = { "au", "bu", "pu" };
	uint64_t id, visits, budget, kernels;

	if (!wire_get_u64(r, "id", &id) ||
	    !wire_get_u64(r, "visits", &visits) || visits > UINT32_MAX ||
	    !wire_get_u64(r, "budget", &budget) ||
	    !wire_get_u64(r, "kernels", &kernels) || kernels == 0 ||
	    kernels > PACK_MAX_KERNELS)
		return err_set(e, ERR_INPUT,
			       "%s:%zu: pack record without id, kernels, "
			       "visits or budget",
			       s->path, s->line);
	if (s->have_pack)
		return s->log.pack_id == id ? ERR_OK
					    : contradiction(s, "pack", e);
	/* Results may come before it. */
	for (uint64_t k = kernels; k < s->room; k++)
		if (s->kernels[k].label)
			return contradiction(s, "the number of kernels", e);
	s->have_pack = true;
	s->log.pack_id = id;
	s->log.n_visits = (uint32_t)visits;
	s->log.kernel_cycles = budget;
	s->log.n_pack = (uint32_t)kernels;
	s->n_calib = number_or(r, "calib", NO_CALIB);
	if (s->n_calib > kernels)
		s->n_calib = NO_CALIB;
	s->cycles = number_or(r, "cycles", 0);
	for (int i = 0; i < PACK_N_CALIB; i++) {
		uint32_t *unroll = s->log.calib_unroll[i];

		if (!read_unroll(r, keys[i], unroll))
			memset(unroll, 0, sizeof(s->log.calib_unroll[i]));
	}
	return ERR_OK;
}

static struct link_log_kernel *kernel_at(struct scan *s, uint32_t k)
{
	if (k >= s->room) {
		size_t room = s->room ? s->room : 256;

		while (room <= k)
			room *= 2;

		struct link_log_kernel *more =
			ARENA_ARRAY(s->a, struct link_log_kernel, room);

		if (s->room)
			memcpy(more, s->kernels, s->room * sizeof(*more));
		s->kernels = more;
		s->room = room;
	}
	return &s->kernels[k];
}

static int scan_kernel(struct scan *s, const struct wire_record *r,
		       struct err *e)
{
	uint32_t unroll[PACK_LENGTHS] = { 0 };
	char label[PACK_MAX_LABEL];
	uint64_t index, id;
	bool sample = wire_is(r, "sample");

	if (!wire_get_u64(r, "k", &index) || index >= PACK_MAX_KERNELS ||
	    !wire_get_u64(r, "id", &id) ||
	    !wire_get_word(r, "x", label, sizeof(label)) ||
	    (sample && !read_unroll(r, "u", unroll)))
		return err_set(e, ERR_INPUT,
			       "%s:%zu: %s record with a missing or invalid "
			       "k, id, x or u",
			       s->path, s->line, r->kind);

	if (s->have_pack && index >= s->log.n_pack)
		return contradiction(s, "the number of kernels", e);

	struct link_log_kernel *k = kernel_at(s, (uint32_t)index);

	if (!k->label) {
		k->index = (uint32_t)index;
		k->id = id;
		k->label = arena_strdup(s->a, label);
	}
	if (k->id != id || strcmp(k->label, label) != 0)
		return contradiction(s, "the kernel of a number k", e);
	if (!sample)
		return ERR_OK;
	if (k->unroll[0] == 0)
		memcpy(k->unroll, unroll, sizeof(unroll));
	if (memcmp(k->unroll, unroll, sizeof(unroll)) != 0)
		return contradiction(s, "the unroll lengths of a kernel", e);
	return ERR_OK;
}

/* A sample or fault: how far its boot came. */
static int scan_result(struct scan *s, const struct wire_record *r,
		       struct err *e)
{
	struct link_log_boot *boot = boot_of(s);
	uint64_t k, visit = 0;

	if (scan_kernel(s, r, e) != ERR_OK || !boot ||
	    !wire_get_u64(r, "k", &k) ||
	    (wire_has(r, "visit") && !wire_get_u64(r, "visit", &visit)) ||
	    visit >= UINT32_MAX)
		return e->code;
	boot->has_result = true;
	boot->k = (uint32_t)k;
	boot->visit = (uint32_t)visit;
	boot->label = s->kernels[k].label;
	return ERR_OK;
}

/* The runtime's own pass runs the whole pack; a host asks for parts of it. */
static int scan_done(struct scan *s, const struct wire_record *r, struct err *e)
{
	struct link_log_boot *boot = boot_of(s);
	uint64_t from, to, visit, n = s->log.n_pack;

	(void)e;
	if (!boot || n == 0 || !wire_get_u64(r, "from", &from) ||
	    !wire_get_u64(r, "to", &to) || !wire_get_u64(r, "visit", &visit))
		return ERR_OK;
	if (to != n || from != (visit == s->from / n ? s->from % n : 0))
		s->is_commanded = true;
	if (to == n && visit + 1 >= s->log.n_visits)
		boot->is_finished = true;
	return ERR_OK;
}

static int scan_ready(struct scan *s, const struct wire_record *r,
		      struct err *e)
{
	struct link_log_boot *boot = boot_of(s);
	uint32_t n = s->log.n_pack;

	(void)r;
	(void)e;
	if (!boot || n == 0)
		return ERR_OK;
	boot->is_ready = s->is_ready = true;
	if (!boot->has_result && s->from / n < UINT32_MAX) {
		boot->visit = (uint32_t)(s->from / n);
		boot->k = (uint32_t)(s->from % n);
	}
	return ERR_OK;
}

static int scan_bye(struct scan *s, const struct wire_record *r, struct err *e)
{
	struct link_log_boot *boot = boot_of(s);

	(void)r;
	(void)e;
	if (boot)
		boot->is_finished = true;
	return ERR_OK;
}

static int scan_record(struct scan *s, const struct wire_record *r,
		       struct err *e)
{
	static const struct {
		const char *kind;
		int (*scan)(struct scan *s, const struct wire_record *r,
			    struct err *e);
	} kinds[] = {
		{ "info", scan_info },     { "pack", scan_pack },
		{ "sample", scan_result }, { "fault", scan_result },
		{ "done", scan_done },     { "ready", scan_ready },
		{ "bye", scan_bye },
	};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (wire_is(r, kinds[i].kind)) {
			int ret = kinds[i].scan(s, r, e);

			s->seq = r->seq;
			return ret;
		}
	return ERR_OK;
}

static int scan_line(void *context, const char *line, size_t n, struct err *e)
{
	struct scan *s = context;
	struct records records;
	struct records_piece p;

	s->line++;
	records_open(&records, line, n);
	while (records_next(&records, &p))
		if (p.is_record && scan_record(s, &p.record, e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

/* Call each() for every line of a file. */
static int each_line(const unsigned char *bytes, size_t n, lines_each *each,
		     void *context, struct err *e)
{
	struct lines l = { .n = 0 };
	int ret = lines_feed(&l, (const char *)bytes, n, each, context, e);

	return ret == ERR_OK ? lines_end(&l, each, context, e) : ret;
}

/* Remove the indices that no record names. */
static void remove_unused(struct scan *s)
{
	size_t n = 0;

	for (size_t k = 0; k < s->room; k++)
		if (s->kernels[k].label)
			s->kernels[n++] = s->kernels[k];
	s->log.kernels = s->kernels;
	s->log.n_kernels = n;
}

static void sum_up(struct scan *s)
{
	struct link_log *log = &s->log;
	const struct link_log_boot *list;
	size_t n_known = 0;

	log->n_boots = s->boots.n / sizeof(*list);
	log->boots = list = arena_copy(s->a, s->boots.bytes, s->boots.n);
	for (size_t i = 0; i < log->n_boots; i++)
		log->is_complete |= list[i].is_finished;
	for (int i = 0; i < PACK_N_CALIB; i++)
		n_known += log->calib_unroll[i][0] > 0;
	if (s->n_calib != NO_CALIB)
		log->n_measured = log->n_pack - s->n_calib;
	else if (s->cycles > 0 && log->kernel_cycles > 0)
		log->n_measured = s->cycles / log->kernel_cycles;
	else if (log->is_complete || n_known > log->n_pack)
		log->n_measured = log->n_kernels;
	else
		log->n_measured = log->n_pack - n_known;
	if (log->n_measured < log->n_kernels)
		log->n_measured = log->n_kernels;
	/* The record's numbers may be anything. */
	if (log->n_measured > log->n_pack)
		log->n_measured = log->n_pack;
	/* A host that asked for all kernels may have left without a `bye`. */
	log->is_complete |=
		s->is_commanded && log->n_kernels == log->n_measured;
}

static int check_content(const struct scan *s, struct err *e)
{
	if (!s->have_info)
		return err_set(e, ERR_INPUT,
			       "%s: no Anechoic records found in this log",
			       s->path);
	if (!s->have_pack)
		return err_set(e, ERR_INPUT,
			       "%s: the log has no pack record; it must "
			       "include the board's start",
			       s->path);
	/* A board may stop at its first kernel. */
	if (s->log.n_kernels == 0 && !s->is_ready)
		return err_set(e, ERR_INPUT,
			       "%s: the log has no results (sample or fault "
			       "records)",
			       s->path);
	return ERR_OK;
}

int link_log_scan(struct arena *a, const char *path, const unsigned char *bytes,
		  size_t n, struct link_log *ret_log, struct err *e)
{
	struct scan s = { .a = a, .path = path };

	if (each_line(bytes, n, scan_line, &s, e) == ERR_OK) {
		remove_unused(&s);
		if (check_content(&s, e) == ERR_OK) {
			s.log.bytes = bytes;
			s.log.n_bytes = n;
			sum_up(&s);
			*ret_log = s.log;
		}
	}
	buffer_free(&s.boots);
	return e->code;
}
