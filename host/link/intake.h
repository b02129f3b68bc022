/* Intake: converts console lines to rows of the store.  Live sessions and the
 * reader of recorded logs share it, so both apply the same rules: a record is
 * accepted if its checksum is right, its fields are complete and its kernel
 * matches the pack.  All other lines are stored as text. */
#ifndef LINK_INTAKE_H
#define LINK_INTAKE_H

#include "common/wire.h"
#include "host/base/err.h"
#include "host/link/link.h"
#include "host/store/store.h"

enum {
	INTAKE_TAIL_LINES = 4,
	INTAKE_TAIL_BYTES = 120,
	INTAKE_SHAPE_BYTES = 64, /* compared of text around a record */
	/* Bytes of the console's last text that a run keeps. */
	INTAKE_TEXT_KEPT = 1 << 20,
	/* Most numbers in a record: each takes at least a digit and a comma. */
	INTAKE_VALUES = WIRE_LINE_MAX / 2,
	INTAKE_CLOCK_WORD = 8,
	INTAKE_CORES_ROOM = 512,
	INTAKE_WINDOW = 16, /* largest number of chunks in an ack */
};

/* What a record about kernel k of the pack must match. */
struct intake_kernel {
	bool accept; /* false: ignore records of this kernel */
	uint64_t id;
	const char *label;
	uint32_t unroll[PACK_LENGTHS];
};

struct intake_counts {
	size_t n_samples, n_faults, n_text;
	size_t n_damaged;   /* lines with a record mark and a wrong checksum */
	size_t n_refused;   /* records that contradict the pack */
	size_t n_missing;   /* gaps in the sequence numbers */
	uint64_t n_dropped; /* bytes of text that are not kept */
};

/* State shared by all sessions that write to a run.  Zero-initialise. */
struct intake_joint {
	/* Clock of the run's samples; CLOCK_NONE if there are none.  A run has
	 * one clock. */
	enum clock clock_before;
	char clock_text[INTAKE_CLOCK_WORD]; /* of CLOCK_UNKNOWN */
	bool in_transaction;
	uint64_t since_ns; /* start of the transaction */
};

/* The caller sets the first group of fields and zeroes the rest. */
struct intake {
	struct store *store;
	struct intake_joint *joint;
	int64_t run;
	uint32_t core;         /* number of the core in a parallel session */
	uint32_t first_kernel; /* index in the run of the pack's kernel 0 */
	const char *isa;       /* ISA that the info record must have */
	uint64_t pack_id;      /* id that the pack record must have */
	size_t n_kernels;
	const struct intake_kernel *kernels;
	/* The core of the run: facts and results of another one are left out.
	 * wants_core false: any. */
	bool wants_core;
	uint64_t wanted_core;
	bool is_outside; /* nothing is stored */
	bool any_pack;   /* accept a board that runs another pack */
	bool is_known;   /* the store has the text already */
	int code;        /* error code if the board contradicts the fields
			* above */

	enum clock clock; /* CLOCK_NONE until the first info record */
	bool shared;      /* other programs or guests share the core,
			   * so one visit is not enough */
	bool takes_work;  /* it understands `work` */
	bool has_pack, has_our_pack; /* from the last pack record */
	/* The core of the last info record, if it names one; is_marked: it is
	 * not the one that booted, and all its results name it. */
	bool has_core, is_marked;
	uint64_t core_number;
	uint64_t kind; /* of that core */
	char cores[INTAKE_CORES_ROOM];
	bool synced;
	uint64_t next_seq;
	struct intake_counts counts;
	bool has_text;     /* and then these two are set */
	int64_t text_from; /* the last line before this session's */
	uint64_t n_stored; /* bytes since some were last dropped */
	size_t n_tail;     /* number of text lines; `tail` has the last ones */
	char tail[INTAKE_TAIL_LINES][INTAKE_TAIL_BYTES];
	/* Shapes of the last texts before and behind a record. */
	char shape[2][INTAKE_SHAPE_BYTES];
	uint64_t values[INTAKE_VALUES];
	uint64_t retired[INTAKE_VALUES];
};

enum intake_kind {
	INTAKE_TEXT,    /* text, or a refused or unknown record, or an echo */
	INTAKE_DAMAGED, /* text with a record's mark and a wrong checksum */
	INTAKE_INFO,
	INTAKE_PACK,
	INTAKE_READY,
	INTAKE_SAMPLE,
	INTAKE_FAULT,
	INTAKE_START, /* the runtime begins a kernel */
	INTAKE_DONE,
	INTAKE_ACK,
	INTAKE_ERROR,
	INTAKE_BYE,
};

/* The board lacks n_missing of the chunks from..to-1. */
struct intake_ack {
	uint32_t from, to;
	size_t n_missing;
	uint32_t missing[INTAKE_WINDOW];
};

/* Meaning of a line.  Samples and faults set k and visit; start sets k; done
 * sets from, to and visit; ack sets ack. */
struct intake_event {
	enum intake_kind kind;
	uint32_t k, from, to, visit;
	uint64_t inside; /* of done, if it has the field: ticks in kernels */
	struct intake_ack ack;
};

/* Called with each record of a line, or once with a line that has none.
 * n_bytes: of the record. */
typedef int intake_each(void *context, const struct intake_event *ev,
			size_t n_bytes, struct err *e);

/* Process one line and call each() (NULL: none) for it.  Text around a record
 * is stored unless it differs only in its numbers from the one before: times
 * and names that a console program adds to each line.  ERR_SYSTEM if the store
 * fails; in->code if the board contradicts *in. */
int intake_line(struct intake *in, const char *line, size_t n,
		intake_each *each, void *context, struct err *e);

/* Store the fault "lost" for kernel k. */
int intake_lost(struct intake *in, uint32_t k, struct err *e);

/* Commit the open transaction, if `now` or if it is older than 250 ms.  Results
 * must be safe soon, but a commit costs a disk flush. */
int intake_commit(struct intake *in, bool now, struct err *e);

/* Call this when the board restarts: its sequence numbers start at 0 and it
 * must send a new info record. */
void intake_restart(struct intake *in);

/* Write the last lines of text, joined by " | ", for messages. */
void intake_tail(const struct intake *in, char *text, size_t room);

#endif
