/* How a session's board ends: it is asked to, so that it can power off, and a
 * simulation writes its files. */
#include "host/link/live.h"

enum { BYE_MS = 2000 };

void live_close(struct live *s)
{
	if (s->state != LIVE_CLOSED)
		s->stream.close(s->stream.state);
	s->state = LIVE_CLOSED;
}

int live_shut_down(struct live *s, struct err *e)
{
	int ret = ERR_OK;

	s->silent_ms = 0;
	live_bye(s);
	while (ret == ERR_OK && !live_is_dead(s) && !s->got_bye &&
	       s->silent_ms < BYE_MS && s->away_ms < BYE_MS)
		ret = live_pump(s, e);
	live_close(s);
	return ret;
}

void live_bye(struct live *s)
{
	if (s->state == LIVE_READY)
		live_send_plain(s, "bye");
}

/* The session is over, so what the board says is read and dropped. */
void live_end(struct live *s)
{
	uint64_t end_ms = link_now_ms() + BYE_MS;
	char bytes[256];

	while (s->state == LIVE_READY && link_now_ms() < end_ms &&
	       s->stream.read(s->stream.state, bytes, sizeof(bytes),
			      LIVE_STEP_MS) >= 0)
		;
	live_close(s);
}
