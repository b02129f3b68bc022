/* Links: what carries a pack to a board and records back.  A transport is one
 * file and one line in CMakeLists.txt; the session on top of it (session.c)
 * is the same for all: it decodes the wire, stores what arrives, notices gaps
 * and has lost kernels run again. */
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include "host/base/arena.h"
#include "host/base/board.h"
#include "host/base/err.h"
#include "host/isa/isa.h"
#include "host/store/store.h"

enum {
	STREAM_GONE = -1, /* for good */
	STREAM_AWAY = -2, /* the line is down and being tried again */
};

enum {
	LINK_MAX_CORES = 8, /* that measure at once */
	LINK_ANY_CPU = -1,
};

/* Open connection: a byte stream. */
struct stream {
	void *state;
	/* Up to n bytes within timeout_ms; 0 when none came (an invented
	 * board need not really wait), STREAM_GONE, or STREAM_AWAY after
	 * timeout_ms of it. */
	int (*read)(void *state, char *bytes, size_t n, int timeout_ms);
	/* 0, or -1 when the other side is gone.  While the line is down what
	 * is written is lost, as on any line. */
	int (*write)(void *state, const char *bytes, size_t n);
	/* Why it ended, in words: "exit status 1", "signal 9 (Killed)". */
	const char *(*end_reason)(void *state);
	/* Start the board again while the stream stays open: ERR_FAILED when
	 * that cannot be done.  NULL where opening starts the board and
	 * closing stops it; elsewhere it lives beside its link, may have been
	 * up before, and may start again by itself. */
	int (*restart)(void *state, struct err *e);
	/* Stop the board if it is ours, and free the state. */
	void (*close)(void *state);
	/* What is written waits until the board reads it, so that it may be
	 * sent several commands at once. */
	bool queues;
};

struct link_request {
	const struct board *board;
	const char *image;   /* file to boot: @IMAGE@ of the command */
	const char *pack;    /* pack file: @PACK@ (process, fake) */
	const char *runtime; /* runtime file: @RUNTIME@ (process) */
	const char *core;    /* --core FILE (fake) */
	const char *tty;     /* --tty: by this line, whatever the board's own
			      * transport is (serial) */
	uint32_t baud;       /* --baud; 0: 115200 */
	const char *reset_command; /* --reset-cmd, or NULL: somebody else
				    * resets the board */
	const struct catalogue *catalogue; /* fake: to decode kernels */
	int cpu; /* of this machine, to start a process on (process), or
		  * LINK_ANY_CPU; the session sets it */
};

struct transport {
	const char *name;
	bool can_restart; /* session may open it again after a death */
	/* It starts within a second: on a shared machine with a reference clock
	 * each pass of a session has a start of its own. */
	bool starts_fast;
	int (*open)(struct arena *a, const struct link_request *q,
		    struct stream *ret_stream, struct err *e);
};

/* Registry, generated. */
extern const struct transport *const transports[];
const struct transport *transport_find(const char *name);

/* Progress, called after every stored record and about once a second. */
struct link_progress {
	size_t n_done, n_total; /* visits */
	size_t n_faults, n_lost;
};
typedef void link_report(void *context, const struct link_progress *p);

/* What a session's link carried, and the time it had for that. */
struct link_traffic {
	uint64_t pack_bytes, pack_ms;     /* sent */
	uint64_t record_bytes, record_ms; /* samples and faults, received */
};

/* What earlier sessions on this machine found, in cycles: an iteration of the
 * calibration's probe on an undisturbed core (0: not known), and what a reading
 * costs. */
struct link_silence {
	double probe, reading;
	uint32_t ignored; /* probes that carry no information: row_ignored() */
};

/* When the last pass over kernels began, in ms of link_now_ms(), and how long
 * passes have been waited for.  Zeros at first. */
struct link_passes {
	uint64_t began_ms;
	uint64_t waited_ms;
};

enum {
	/* Between the beginnings of two passes.  A sibling thread is busy for
	 * up to a second at a time, and two visits of a kernel that lie 10 ms
	 * apart meet the same episode. */
	LINK_PASS_MS = 250,
	/* For all passes of a run, so that a few kernels are measured within
	 * two seconds; starting the board takes a part of that. */
	LINK_WAIT_MS = 1250,
};

/* Milliseconds of a clock that never goes back. */
uint64_t link_now_ms(void);

struct session {
	const struct link_request *request;
	struct store *store;
	int64_t run;
	const void *pack; /* checked */
	/* CPUs of this machine that measure at once, at most LINK_MAX_CORES, a
	 * process each; n_cores 0: one, wherever it starts. */
	const uint32_t *cores;
	size_t n_cores;
	const bool *skip; /* kernels not wanted, or NULL */
	/* Of each kernel, below EXPERIMENT_N_RANKS: a pass has those of lower
	 * ranks first.  NULL: all the same. */
	const uint8_t *rank;
	/* A pass is over about so many kernels, and the next ones wait until
	 * these have their visits; 0: over all. */
	uint32_t block;
	uint32_t first_kernel; /* number in the run of the pack's kernel 0 */
	bool load; /* send the pack to a board that runs another one */
	/* Visits: of those the clock asks for, if several, so many less; and so
	 * many more for kernels that had these before the session. */
	uint32_t fewer_visits, extra_visits;
	/* Passes on a machine that others use too begin LINK_PASS_MS apart, as
	 * long as LINK_WAIT_MS last, from one session to the next as well.
	 * NULL: they need not. */
	struct link_passes *passes;
	/* When no more is asked for, in ms of link_now_ms(); 0: never. */
	uint64_t until_ms;
	struct link_silence silence;
	struct link_traffic *traffic; /* added to, or NULL */
	link_report *report;
	void *context;
	const volatile int *stop; /* nonzero: Ctrl-C, end cleanly */
};

/* Run every kernel of the pack to its number of visits and store what comes.
 * Restarts a dead board and goes on after the kernel that killed it (fault
 * cause "lost" after two deaths in the same kernel).  ERR_FAILED when the
 * board cannot be made to go on, ERR_INTERRUPTED on stop; everything received
 * is stored either way.  At until_ms it finishes the request under way and
 * returns ERR_OK. */
int session_run(const struct session *q, struct err *e);

/* ISA of the invented core in a .core file, in the arena; ERR_INPUT with file
 * and line when the file is not one. */
int link_core_isa(struct arena *a, const char *path, const char **ret_isa,
		  struct err *e);

/* ---- recorded logs ---------------------------------------------------- */

/* A kernel as the samples of a log describe it; unroll lengths are 0 when only
 * a fault names it. */
struct link_log_kernel {
	uint32_t index; /* in the pack */
	uint64_t id;
	const char *label;
	uint32_t unroll[PACK_LENGTHS];
};

/* What a recorded console holds.  Strings are owned by the arena. */
struct link_log {
	const char *isa, *clock;
	uint64_t ref_hz;
	uint64_t pack_id;
	uint32_t n_visits;      /* as the pack record says */
	uint64_t kernel_cycles; /* budget of a kernel */
	/* Unroll lengths of the calibration kernels; 0: none in the pack. */
	uint32_t calib_unroll[PACK_N_CALIB][PACK_LENGTHS];
	size_t n_kernels;
	const struct link_log_kernel *kernels; /* by index, ascending */
	const unsigned char *bytes;            /* the caller's, as scanned */
	size_t n_bytes;
};

/* Read the console log `path` without storing anything.  Firmware chatter,
 * damaged lines and several boots are all right; ERR_INPUT with the line when
 * there is no info or pack record, or records contradict each other (two packs,
 * two clocks, two ISAs in one log). */
int link_log_scan(struct arena *a, const char *path, const unsigned char *bytes,
		  size_t n, struct link_log *ret_log, struct err *e);

struct link_log_counts {
	size_t n_samples, n_faults, n_text;
	size_t n_damaged; /* lines with a mark and a wrong checksum */
	size_t n_refused; /* records that do not fit the log's own kernels */
	size_t n_missing; /* records that the sequence numbers miss */
};

/* Store the samples, faults, environment and text of a scanned log in a run
 * whose kernels are known by then.  A later visit of the same number replaces
 * an earlier one. */
int link_log_store(struct store *s, int64_t run, const struct link_log *log,
		   struct link_log_counts *ret_counts, struct err *e);

#endif
