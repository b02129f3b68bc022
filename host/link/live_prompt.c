/* What a starting board shows in addition to records: prompts and silence. */
#include "host/link/live.h"

#include <stdarg.h>
#include <stdio.h>

enum {
	/* Countdowns print each second.  A line that is silent for longer
	 * behind an unfinished line shows a prompt. */
	PROMPT_MS = 4 * 1000,
	MUTE_MS = 10 * 1000, /* of a board that printed nothing yet */
	NOTICE_BYTES = 1024,
};

__attribute__((format(printf, 2, 3))) static void notify(const struct live *s,
							 const char *format,
							 ...)
{
	char text[NOTICE_BYTES];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (s->q->request->notice)
		s->q->request->notice(text);
}

/* Type Ctrl-C.  An empty line would repeat U-Boot's last command. */
static void wake_board(struct live *s)
{
	s->is_woken = true;
	s->silent_ms = 0;
	notify(s, "%s: nothing on the line for %d s; typed Ctrl-C (--wake)",
	       live_board(s), MUTE_MS / 1000);
	if (s->stream.write(s->stream.state, "\x03", 1) != 0)
		live_set_dead(s, s->stream.end_reason(s->stream.state));
}

/* The line is silent from the start. */
static void take_silence(struct live *s)
{
	char typed[NOTICE_BYTES];

	if (s->q->request->wake && !s->is_woken) {
		wake_board(s);
		return;
	}
	s->is_noted = true;
	if (s->is_told)
		return;
	s->is_told = true;
	dialogue_typed(&s->dialogue, typed, sizeof(typed));
	notify(s,
	       "%s: nothing on the line for %d s; switch the board on, or reset it "
	       "(--reset-cmd does it unattended)%s",
	       live_board(s), MUTE_MS / 1000, typed);
}

void live_check_prompt(struct live *s)
{
	const struct step *late = dialogue_late(&s->dialogue, link_now_ms());
	const char *prompt = dialogue_prompt(&s->dialogue);
	char text[NOTICE_BYTES], why[sizeof(s->why)];

	if (live_is_dead(s) || s->is_heard)
		return;
	if (dialogue_is_stuck(&s->dialogue)) {
		live_set_dead(s, "its dialogue began again and again");
	} else if (late) {
		(void)snprintf(why, sizeof(why), "no '%s' within %u s",
			       late->text, late->limit_s);
		live_set_dead(s, why);
	} else if (!s->is_noted && *prompt && s->silent_ms >= PROMPT_MS) {
		s->is_noted = true;
		dialogue_advise(&s->dialogue, s->q->request->board, text,
				sizeof(text));
		notify(s, "%s", text);
	} else if (!s->is_noted && s->stream.restart &&
		   s->silent_ms >= MUTE_MS) {
		take_silence(s);
	}
}
