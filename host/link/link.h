/* Links carry packs to boards and records back.  A transport is one file and
 * one line in CMakeLists.txt.  The session (session.c) is the same for all
 * transports: it decodes records, stores them, detects gaps and repeats lost
 * kernels. */
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include <sys/types.h>

#include "host/base/arena.h"
#include "host/base/board.h"
#include "host/base/err.h"
#include "host/store/store_kernel.h"

enum {
	STREAM_GONE = -1,   /* the stream has ended */
	STREAM_AWAY = -2,   /* the line is down; the transport tries to reopen
			   * it */
	STREAM_FAILED = -3, /* the line does not work; end_reason() says why */
};

enum {
	LINK_MAX_CORES = 8, /* in a parallel session */
	LINK_MAX_BOARD_CORES = 512,
	LINK_ANY_CPU = -1,
};

/* An open connection: a byte stream. */
struct stream {
	void *state;
	/* Read up to n bytes within timeout_ms.  Returns 0 if none arrived (a
	 * fake board may return early), STREAM_GONE, STREAM_FAILED, or
	 * STREAM_AWAY after waiting timeout_ms. */
	int (*read)(void *state, char *bytes, size_t n, int timeout_ms);
	/* Write n bytes.  Returns 0, or -1 if the other side is gone.  Bytes
	 * written while the line is down are lost. */
	int (*write)(void *state, const char *bytes, size_t n);
	/* Why the stream ended, as text: "exit status 1", "signal 9
	 * (Killed)". */
	const char *(*end_reason)(void *state);
	/* Restart the board while the stream stays open; ERR_FAILED if that is
	 * impossible.  NULL if opening the stream starts the board and closing
	 * it stops the board.  Otherwise the board is independent of its link:
	 * it may have been running before, and may restart by itself. */
	int (*restart)(void *state, struct err *e);
	/* Stop the board if opening started it, and free the state. */
	void (*close)(void *state);
	/* The process that the stream is of; NULL: none of this machine. */
	pid_t (*process)(void *state);
	/* Writes are buffered until the board reads them, so several commands
	 * may be sent at once. */
	bool queues;
};

struct console;
struct listener;

struct link_request {
	const struct board *board;
	const char *image;   /* file to boot: @IMAGE@ of the command */
	const char *pack;    /* pack file: @PACK@ (process, fake) */
	const char *runtime; /* runtime file: @RUNTIME@ (process) */
	const char *core;    /* --core FILE (fake) */
	const char *tty;     /* --tty (serial): use this line instead of the
			      * board's transport */
	/* The line is of this console; NULL: of a device. */
	struct console *console;
	uint32_t baud;             /* --baud; 0: 115200 */
	const char *reset_command; /* --reset-cmd; NULL: the board is reset by
				    * hand */
	/* Type Ctrl-C, once, at a board that is silent from the start: if it
	 * waits at a prompt, it prints it again. */
	bool wake;
	/* Text for the user: what was typed, what the board waits for.  NULL:
	 * none. */
	void (*notice)(const char *text);
	/* Listens to the line already; the first session that opens the line
	 * takes over.  NULL: none. */
	struct listener *listener;
	const struct catalogue *catalogue; /* fake: to decode kernels */
	int cpu; /* CPU of this machine to start the process on, or LINK_ANY_CPU
		  * (process); set by the session */
};

struct transport {
	const char *name;
	bool can_restart; /* the session may reopen it after the board died */
	int (*open)(struct arena *a, const struct link_request *q,
		    struct stream *ret_stream, struct err *e);
};

/* Registry, generated. */
extern const struct transport *const transports[];
const struct transport *transport_find(const char *name);

/* Set *ret to the transport of the board's records: that of the board, or a
 * serial line if `tty` is not NULL.  ERR_INPUT if there is no such
 * transport. */
int transport_of(const struct board *b, const char *tty,
		 const struct transport **ret, struct err *e);

/* Progress; reported after every stored record and about once a second. */
struct link_progress {
	size_t n_done, n_total; /* visits */
	size_t n_slow; /* of those to come: in rounds over few kernels */
	size_t n_faults, n_lost;
	bool repeats; /* the clock needs several visits that agree */
	/* What is measured now, for the user; NULL: nothing to say.  Sessions
	 * leave it NULL. */
	const char *now;
};
typedef void link_report(void *context, const struct link_progress *p);

/* Bytes that a session's link carried, the time that took, and the time that
 * the boards report for kernels. */
struct link_traffic {
	uint64_t pack_bytes, pack_ms;     /* sent */
	uint64_t record_bytes, record_ms; /* samples and faults, received */
	/* Ticks of the reference clock that boards spent in kernels and
	 * calibration, untimed runs among them, if they say so. */
	uint64_t inside_ticks;
};

/* Results of earlier sessions on this machine, in cycles: an iteration of the
 * calibration probe on an undisturbed core (0: unknown), and the cost of
 * reading the counter. */
struct link_silence {
	double probe, reading;
	uint32_t ignored; /* probes that are not informative: row_ignored() */
};

/* Start of the last pass, in ms of link_now_ms(), and the total time waited
 * between passes.  Zero-initialise. */
struct link_passes {
	uint64_t began_ms;
	uint64_t waited_ms;
};

enum {
	/* Least time between the starts of two passes.  An SMT sibling is busy
	 * for up to a second at a time; two visits 10 ms apart would be
	 * disturbed by the same episode. */
	LINK_PASS_MS = 250,
	/* Most time waited in a run.  It keeps a run of few kernels, including
	 * the board's start, below two seconds. */
	LINK_WAIT_MS = 1250,
};

/* Milliseconds of a monotonic clock. */
uint64_t link_now_ms(void);

/* Boards that stay between the sessions of a run: opaque. */
struct link_boards;

/* Returns an empty set.  link_end_boards() says bye to its boards, closes their
 * links and frees it; NULL does nothing. */
struct link_boards *link_keep_boards(void);
void link_end_boards(struct link_boards *boards);

struct session {
	const struct link_request *request;
	struct store *store;
	int64_t run;
	const void *pack; /* checked */
	/* CPUs of this machine that measure in parallel, each with its own
	 * process; at most LINK_MAX_CORES. n_cores 0: one process on any
	 * CPU. */
	const uint32_t *cores;
	size_t n_cores;
	const bool *skip; /* skip[k]: do not measure kernel k; NULL: measure
			   * all */
	/* Rank of each kernel, below EXPERIMENT_N_RANKS: a pass measures lower
	 * ranks first.  NULL: all equal. */
	const uint8_t *rank;
	/* any[k]: kernel k need not have a quiet core.  While the core is
	 * disturbed a runtime that takes lists runs these first; on other
	 * boards it means nothing.  NULL: none. */
	const bool *any;
	/* check[k]: kernel k, which has its visits, gets just one more, in this
	 * pass of the session, 1 the first; 0: as the others.  NULL: all 0. */
	const uint8_t *check;
	/* Approximate number of kernels in a block.  A pass covers one block;
	 * the next block starts when all visits of this one are done.  0: one
	 * block. */
	uint32_t block;
	/* visits[k]: visits of kernel k in the store, as store_progress(); the
	 * session counts its own.  NULL: they are read from the store. */
	uint32_t *visits;
	/* last_core[k]: number of the core that made kernel k's last visit,
	 * counted from 1; 0: none.  Another core makes the next one, where
	 * there is one.  The session sets its own; NULL: earlier sessions do
	 * not count. */
	uint8_t *last_core;
	uint32_t first_kernel; /* index in the run of the pack's kernel 0 */
	bool load;             /* send the pack if the board runs another one */
	/* If the clock needs several visits, make fewer_visits less.  Kernels
	 * that had theirs before this session get extra_visits more. */
	uint32_t fewer_visits, extra_visits;
	/* On a shared machine passes start at least LINK_PASS_MS apart, also
	 * across sessions, until LINK_WAIT_MS are used up.  NULL: do not
	 * wait. */
	struct link_passes *passes;
	/* Where boards stay that this program started: the first session with
	 * it opens them, and later ones, with the same request, pack and cores,
	 * go on with them.  NULL: they end with the session. */
	struct link_boards *boards;
	/* Time after which the session makes no more requests, in ms of
	 * link_now_ms(); 0: no limit. */
	uint64_t until_ms;
	struct link_silence silence;
	struct link_traffic *traffic; /* incremented; may be NULL */
	link_report *report;
	void *context;
	const volatile int *stop; /* nonzero: Ctrl-C, end cleanly */
};

/* Measure every kernel of the pack until it has its visits, and store the
 * results.  If the board dies, restart it and continue; a kernel in which the
 * board dies twice gets the fault "lost".  At until_ms it finishes the current
 * request and returns ERR_OK.  ERR_FAILED if the board cannot be restarted or
 * makes no progress, ERR_INTERRUPTED on stop.  Everything received is stored in
 * all cases. */
int session_run(const struct session *q, struct err *e);

/* Cores of one board, in the order in which they are to be measured. */
struct link_cores {
	size_t n;
	uint64_t cores[LINK_MAX_BOARD_CORES];
};

/* Ask the board of q, whose run and store nothing is stored in, for its cores:
 * those that start, the one that runs first; or, if `each_kind`, one of each
 * kind.  A core that does not start is a notice.  ERR_FAILED if its runtime is
 * of a version that does not know cores. */
int session_find_cores(const struct session *q, bool each_kind,
		       struct link_cores *ret, struct err *e);

/* The core that a run is of, in its environment: a session goes to it. */
#define LINK_CORE_KEY "core"

/* ISA of the fake core in a .core file, owned by `a`.  ERR_INPUT with file and
 * line if the file is malformed. */
int link_core_isa(struct arena *a, const char *path, const char **ret_isa,
		  struct err *e);

/* ---- recorded logs ---------------------------------------------------- */

/* What one core of a log's board said: a log of its own. */
struct link_log_part {
	bool has_core; /* false: the log names no core */
	uint64_t core;
	const unsigned char *bytes; /* n bytes, in the arena or of the log */
	size_t n;
};

struct link_log_parts {
	size_t n; /* at least 1 */
	struct link_log_part *parts;
	size_t n_lost; /* results of cores whose info record is not there */
};

/* Take the n bytes of a log apart by its cores, in the order in which they
 * began; bytes must stay.  A log of one core is one part with all its bytes.
 * ERR_INPUT if it names absurdly many. */
int link_log_split(struct arena *a, const unsigned char *bytes, size_t n,
		   struct link_log_parts *ret, struct err *e);

/* A kernel as described by the samples of a log.  Unroll lengths are 0 if only
 * a fault names it. */
struct link_log_kernel {
	uint32_t index; /* in the pack */
	uint64_t id;
	const char *label;
	uint32_t unroll[PACK_LENGTHS];
};

/* A field of an info record. */
struct link_fact {
	const char *key, *value;
};

/* One start of the board within a log, and its last result. */
struct link_log_boot {
	bool is_ready;    /* it got as far as `ready` */
	bool is_finished; /* it ran its pack to the end, or said bye */
	bool has_result;
	/* Of the last result; without one: where it begins. */
	uint32_t k, visit;
	const char *label;
};

/* Content of a recorded console.  Strings are owned by the arena. */
struct link_log {
	const char *isa;
	enum clock clock;
	const char *clock_text; /* its word, of CLOCK_UNKNOWN too */
	uint64_t ref_hz;
	uint64_t pack_id;
	size_t n_facts; /* of the first info record */
	const struct link_fact *facts;
	uint32_t n_pack; /* kernels of the pack, calibration among them */
	/* Kernels that the board measures; an estimate where a log of an
	 * earlier runtime is not complete. */
	size_t n_measured;
	size_t n_boots;
	const struct link_log_boot *boots;
	bool is_complete;       /* a boot ran the pack to its end */
	uint32_t n_visits;      /* from the pack record */
	uint64_t kernel_cycles; /* cycle budget of a kernel */
	/* Unroll lengths of the calibration kernels; 0: none in the pack. */
	uint32_t calib_unroll[PACK_N_CALIB][PACK_LENGTHS];
	size_t n_kernels;
	const struct link_log_kernel *kernels; /* ordered by index */
	const unsigned char *bytes;            /* the log, owned by the
						* caller */
	size_t n_bytes;
	/* The caller may set it: so many bytes were stored before, and their
	 * text is not stored again. */
	size_t n_known;
};

/* The value of a field of the log's first info record; NULL: it has none. */
const char *link_log_fact(const struct link_log *log, const char *key);

/* Read a console log without storing anything; `path` is for messages.  The log
 * may have firmware output, damaged lines and several boots.  ERR_INPUT if it
 * has no info, pack or result record, or if records contradict each other (two
 * packs, clocks or ISAs in one log). */
int link_log_scan(struct arena *a, const char *path, const unsigned char *bytes,
		  size_t n, struct link_log *ret_log, struct err *e);

struct link_log_counts {
	size_t n_samples, n_faults, n_text;
	size_t n_damaged; /* lines with a mark and a wrong checksum */
	size_t n_refused; /* records that do not fit the log's own kernels */
	size_t n_missing; /* records that the sequence numbers miss */
};

/* Store the samples, faults, environment and text of a scanned log.  The run
 * and its kernels must exist, the pack's from number `first` on.  If a visit
 * number occurs twice, the last one is kept. */
int link_log_store(struct store *s, int64_t run, uint32_t first,
		   const struct link_log *log,
		   struct link_log_counts *ret_counts, struct err *e);

#endif
