/* Intake: console lines become rows of the store.  Shared by the live session
 * and the reader of recorded logs, so that both believe the same things: a
 * record counts when its checksum holds, its fields are complete and it names
 * a kernel as the pack has it; everything else is kept as text. */
#ifndef LINK_INTAKE_H
#define LINK_INTAKE_H

#include "common/wire.h"
#include "host/base/err.h"
#include "host/link/link.h"
#include "host/store/store.h"

enum {
	INTAKE_TAIL_LINES = 4,
	INTAKE_TAIL_BYTES = 120,
	/* A sample's numbers: a digit and a comma each at least. */
	INTAKE_VALUES = WIRE_LINE_MAX / 2,
	INTAKE_CLOCK_WORD = 8,
	INTAKE_WINDOW = 16, /* chunks one ack speaks of, at most */
};

/* What a record may say about kernel k of the pack. */
struct intake_kernel {
	bool accept; /* false: not wanted, its records are ignored */
	uint64_t id;
	const char *label;
	uint32_t unroll[PACK_LENGTHS];
};

struct intake_counts {
	size_t n_samples, n_faults, n_text;
	size_t n_damaged; /* lines with a mark and a wrong checksum */
	size_t n_refused; /* records that contradict the pack */
	size_t n_missing; /* records that the sequence numbers miss */
};

/* What all share that write to a run together.  Zero at first. */
struct intake_joint {
	/* What samples already stored count, "" if there are none: a run never
	 * mixes clocks. */
	char clock_before[INTAKE_CLOCK_WORD];
	bool in_transaction;
	uint64_t since_ns; /* when it began */
};

/* Fill the first group, zero the rest. */
struct intake {
	struct store *store;
	struct intake_joint *joint;
	int64_t run;
	uint32_t core;         /* of several at once: which */
	uint32_t first_kernel; /* number in the run of kernel 0 */
	const char *isa;       /* the board's info record must name it */
	uint64_t pack_id;      /* the board's pack record must name it */
	size_t n_kernels;
	const struct intake_kernel *kernels;
	bool any_pack; /* a board with another pack is no contradiction */
	int code;      /* of an error about a board that contradicts this */

	char clock[INTAKE_CLOCK_WORD]; /* "" until an info record came */
	bool shared;                 /* the core is: one visit proves nothing */
	bool has_pack, has_our_pack; /* as its last pack record says */
	bool synced;
	uint64_t next_seq;
	struct intake_counts counts;
	size_t n_tail; /* text lines so far; the last ones are kept */
	char tail[INTAKE_TAIL_LINES][INTAKE_TAIL_BYTES];
	uint64_t values[INTAKE_VALUES];
	uint64_t retired[INTAKE_VALUES];
};

enum intake_kind {
	INTAKE_TEXT, /* also damaged, refused and unknown records */
	INTAKE_INFO,
	INTAKE_PACK,
	INTAKE_READY,
	INTAKE_SAMPLE,
	INTAKE_FAULT,
	INTAKE_DONE,
	INTAKE_ACK,
	INTAKE_ERROR,
	INTAKE_BYE,
};

/* Of chunks from..to-1 the board lacks n_missing. */
struct intake_ack {
	uint32_t from, to;
	size_t n_missing;
	uint32_t missing[INTAKE_WINDOW];
};

/* What a line was; k and visit of samples and faults, from, to and visit of
 * done. */
struct intake_event {
	enum intake_kind kind;
	uint32_t k, from, to, visit;
	struct intake_ack ack;
};

/* Take one line.  Fails when the store fails (ERR_SYSTEM) or the board is not
 * the one expected (`code`). */
int intake_line(struct intake *in, const char *line, size_t n,
		struct intake_event *ret, struct err *e);

/* Store that kernel k took the board down. */
int intake_lost(struct intake *in, uint32_t k, struct err *e);

/* Commit what is open, if `now` or if it has been open for a quarter second:
 * results must be safe soon, but a commit costs a disk flush. */
int intake_commit(struct intake *in, bool now, struct err *e);

/* The board starts again: its sequence numbers do too, and what it is it must
 * say anew. */
void intake_restart(struct intake *in);

/* The last lines of text, joined by " | ", for messages. */
void intake_tail(const struct intake *in, char *text, size_t room);

#endif
