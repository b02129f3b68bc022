/* A session at work: what session.c (requests), session_load.c (sending a
 * pack) and live.c (the stream and its records) share. */
#ifndef LINK_LIVE_H
#define LINK_LIVE_H

#include <pthread.h>
#include <time.h>

#include "common/wire.h"
#include "host/link/intake.h"
#include "host/link/lines.h"
#include "host/link/link.h"
#include "host/link/session_plan.h"

enum {
	LIVE_STEP_MS = 100, /* how often stop and progress are looked at */
	/* Silence, as a part of the board's limit, after which a command is
	 * repeated in case it or its answer was lost. */
	LIVE_QUIET_PART = 4,
};

/* What the boards of a session share.  All that a session does, it does with
 * the lock in its hand; only while it waits for its board it has not. */
struct crew {
	const struct session *q;
	const struct transport *transport;
	struct arena arena;
	pthread_mutex_t lock;
	struct plan_work work;
	struct intake_joint joint;
	const struct intake_kernel *kernels;
	struct link_progress progress;
	uint32_t n_passes; /* that have begun */
	bool is_over;      /* one board failed: the others stop */
};

struct live {
	struct crew *crew;
	const struct session *q;
	const struct transport *transport;
	struct link_request request; /* with the core of its own */
	struct arena arena;
	struct intake in;
	struct plan plan;
	struct lines lines;
	struct stream stream;
	bool is_open, awake, dead, ready, asked, done, said_bye;
	bool rebooted;  /* dead, but already starting again by itself */
	bool hung;      /* dead by silence */
	bool was_ready; /* at least once */
	bool in_pass;   /* this start was asked for kernels of `pass` */
	bool was_away;  /* the line was down since this was last cleared */
	bool refused;   /* an error record came since this was cleared */
	bool acked;     /* an ack came since this was cleared: `ack` */
	struct intake_ack ack;
	uint32_t last_from, last_to; /* of the last run command */
	uint32_t pass;
	uint64_t seq;
	uint32_t silent_ms, away_ms;
	uint64_t heard_ms; /* when the board last got on with its work */
	unsigned n_fruitless, n_lost_in_a_row;
	time_t reported;
	char why[128]; /* the board is dead */
};

const char *live_board(const struct live *s);

/* The board's silence limit, and the part of it after which a command is
 * repeated. */
uint32_t live_limit_ms(const struct live *s);
uint32_t live_quiet_ms(const struct live *s);

void live_report(struct live *s);

/* Note that the board is dead and why. */
void live_die(struct live *s, const char *why);

/* Give the board up: ERR_FAILED with how it ended and what it said last. */
int live_give_up(struct live *s, const char *expected, struct err *e);

/* Run requests until every kernel has its visits, and let the board go. */
int live_run(struct live *s, struct err *e);

/* Read once and digest it; ERR_INTERRUPTED on stop. */
int live_pump(struct live *s, struct err *e);

/* Let the board rest until its next pass may begin; ERR_INTERRUPTED on stop. */
int live_begin_pass(struct live *s, struct err *e);

/* Is it until_ms? */
bool live_time_is_up(const struct live *s);

/* Start waiting for something: silence and chatter count from here. */
void live_wait(struct live *s);

/* A board silent for its limit, or chattering for several of them without
 * getting on, is dead. */
void live_check_silence(struct live *s);

/* Finish and send a record; a board that cannot take it is dead. */
void live_send(struct live *s, struct wire_line *w);

/* Send a record without fields. */
void live_say(struct live *s, const char *kind);

/* Send the session's pack to a board that runs another one and wait until it
 * is ready with it (session_load.c).  The board may be dead afterwards. */
int live_load(struct live *s, struct err *e);

#endif
