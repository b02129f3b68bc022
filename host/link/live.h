/* A running session of one board.  Shared by session.c (requests),
 * session_load.c (sending a pack) and live.c (the stream and its records). */
#ifndef LINK_LIVE_H
#define LINK_LIVE_H

#include <pthread.h>
#include <time.h>

#include "common/wire.h"
#include "host/link/dialogue.h"
#include "host/link/intake.h"
#include "host/link/lines.h"
#include "host/link/link.h"
#include "host/link/listen.h"
#include "host/link/session_plan.h"

enum {
	LIVE_STEP_MS = 100, /* how often stop and progress are checked */
	/* A command is repeated after this part of the board's silence limit,
	 * in case it or its answer was lost. */
	LIVE_QUIET_PART = 4,
};

/* State shared by the sessions of all cores.  A session holds the lock except
 * while it waits for its board. */
struct parallel_session {
	const struct session *q;
	const struct transport *transport;
	struct arena arena;
	pthread_mutex_t lock;
	struct plan_work work;
	struct intake_joint joint;
	const struct intake_kernel *kernels;
	struct link_progress progress;
	uint32_t n_passes; /* passes that have started */
	bool wants_core;   /* the run is of a core */
	uint64_t core;
	bool is_over; /* a session failed; the others stop */
};

/* State of a session's board.  A start is the time from LIVE_STARTING until the
 * board dies or is shut down. */
enum live_state {
	/* The link is not open. open_board() opens it and sets
	 * LIVE_STARTING. */
	LIVE_CLOSED,
	/* The link is open.  The session waits for the board's records and
	 * sends the pack if needed.  Then start_board() sets LIVE_READY. */
	LIVE_STARTING,
	/* The board runs the session's pack and accepts run commands. */
	LIVE_READY,
	/* In the following states the board is dead; live.why has the reason.
	 * restart_board() changes them to LIVE_CLOSED or LIVE_STARTING. */
	LIVE_DEAD,     /* the stream ended, or the board cannot go on */
	LIVE_HUNG,     /* the board was silent for too long */
	LIVE_REBOOTED, /* the board restarted and is already starting again */
};

enum { LIVE_NO_PASS = UINT32_MAX };

struct live {
	struct parallel_session *parallel;
	const struct session *q;
	const struct transport *transport;
	struct link_request request; /* with this session's CPU */
	struct arena arena;
	struct intake in;
	struct plan plan;
	struct lines lines;
	struct dialogue dialogue;
	struct stream stream;
	/* To be found: the board's cores, or one of each kind; NULL:
	 * nothing. */
	struct link_cores *cores;
	bool each_kind;
	enum live_state state;
	char why[512]; /* reason of the last death */
	uint64_t seq;  /* of the next record sent */

	/* ---- facts about the whole session ---- */
	bool was_ready; /* the board has been ready at least once */
	bool is_woken;  /* Ctrl-C was typed at the silent line */
	bool is_told;   /* the advice for a silent line was printed */
	unsigned n_fruitless, n_lost_in_a_row; /* limits: session.c */
	time_t reported;                       /* last call of report() */

	/* ---- facts about this start ---- */
	bool is_heard;  /* the runtime sent a record */
	bool is_noted;  /* the user was told that the line is silent */
	bool got_ready; /* `ready` came since the start or the last hello */
	bool got_bye;   /* `bye` came: the board ends */
	bool has_work;  /* it was sent a pack or a run command, so an info
			 * record numbered 0 means that it restarted */
	uint32_t start_pass; /* pass that `place` is of, or LIVE_NO_PASS */
	uint32_t place;      /* of its code, from 1 on; a pass has its own */

	/* ---- facts about the last command; the sender clears them ---- */
	bool is_done;       /* all results or `done` came, or it was refused */
	bool is_refused;    /* `error` came */
	unsigned n_refused; /* in a row; the asker sets it to 0 */
	bool got_result;    /* a sample or fault of the pack came */
	bool is_acked;      /* `ack` came; its fields are in `ack` */
	bool was_away;      /* the line was down meanwhile */
	struct intake_ack ack;
	uint32_t last_from, last_to; /* range of the last run or work command */

	/* Time since the last sign of life: a record of the runtime or, until
	 * the board has work, any byte of its firmware. */
	uint32_t silent_ms;
	uint32_t away_ms;  /* since the line went down */
	uint64_t heard_ms; /* time of the last useful record */
};

/* Is the board in one of the states after a death? */
static inline bool live_is_dead(const struct live *s)
{
	return s->state >= LIVE_DEAD;
}

const char *live_board(const struct live *s);

/* The silence after which a command is repeated. */
uint32_t live_quiet_ms(const struct live *s);

void live_report(struct live *s);

/* Plan as many visits as the board's clock needs, once its info record is
 * known. */
void live_plan_visits(struct live *s);

/* Mark the board as dead and store the reason. */
void live_set_dead(struct live *s, const char *why);

/* End the session: set ERR_FAILED with `problem`, the reason of the board's
 * death and its last output. */
int live_give_up(struct live *s, const char *problem, struct err *e);

/* Run requests until every kernel has its visits.  Then shut the board down,
 * unless it is to stay for a later session: in this case, and if nothing
 * failed, its state is LIVE_READY. */
int live_run(struct live *s, struct err *e);

/* After the session, for a board that stayed: say bye to it; then wait until it
 * ends, two seconds at most, and close its link. */
void live_bye(struct live *s);
void live_end(struct live *s);

/* Read once and handle the input.  ERR_INTERRUPTED on stop. */
int live_pump(struct live *s, struct err *e);
int live_check_stop(const struct live *s, struct err *e);

/* Send a message, repeatedly if needed, until it is answered or the board is
 * dead. */
int live_ask(struct live *s, void (*send)(void *context),
	     bool (*is_answered)(const void *context), void *context,
	     struct err *e);

/* Take over the line that a listener has, with what it heard.  *ret_done: the
 * line was taken over. */
int live_take_over(struct live *s, struct listener *l, bool *ret_done,
		   struct err *e);

/* Wait until the next pass may start.  ERR_INTERRUPTED on stop. */
int live_begin_pass(struct live *s, struct err *e);

/* Act on what a starting board shows in addition to records: a step of its
 * dialogue that is late, a prompt that its dialogue lacks, silence. */
void live_check_prompt(struct live *s);

/* Has until_ms passed? */
bool live_time_is_up(const struct live *s);

/* Restart the silence timers before waiting for the board. */
void live_wait(struct live *s);

/* Mark the board as dead if it was silent for its limit, or printed for several
 * limits without a useful record. */
void live_check_silence(struct live *s);

/* Finish and send a record.  If the write fails, the board is dead. */
void live_send(struct live *s, struct wire_line *w);

/* Send a record without fields. */
void live_send_plain(struct live *s, const char *kind);

/* session_cores.c: have the runtime of a started board go on on the core of the
 * session's run; or, for session_find_cores(), visit its cores.  ERR_FAILED if
 * the core does not start, or the runtime knows no cores.  The board may be
 * dead afterwards. */
int live_settle(struct live *s, struct err *e);

/* session_load.c: send the session's pack to the board and wait until the board
 * is ready.  The board may be dead afterwards. */
int live_load(struct live *s, struct err *e);

#endif
