/* Progress display; see progress.h. */
#include "host/cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/base/monotonic.h"
#include "host/cli/terminal.h"

enum {
	BAR = 24,
	STATE = 120,
};

void progress_start(struct progress *p, FILE *out, const char *what,
		    const char *unit)
{
	*p = (struct progress){
		.out = out,
		.what = what,
		.unit = unit,
		.tty = isatty(fileno(out)),
		.started = monotonic_s(),
	};
}

static void print_state(const struct progress *p, double at, size_t n_done,
			size_t n_total)
{
	double seconds = at - p->started;
	double n_new = (double)(n_done - p->n_first);
	double rate = seconds > 0 ? n_new / seconds : 0;
	double slow = (double)p->n_slow * (progress_slow - 1);
	double left = rate > 0 ? ((double)(n_total - n_done) + slow) / rate : 0;
	char bar[BAR + 1], state[STATE];
	size_t columns = terminal_columns_of(fileno(p->out));
	size_t width = BAR, full, shown;
	const char *now = p->now;

	(void)snprintf(state, sizeof(state), "%zu/%zu %s  %.0f/s  %d:%02d left",
		       n_done, n_total, p->unit, rate, (int)left / 60,
		       (int)left % 60);
	/* The bar is what a narrow terminal goes without. */
	shown = strlen(p->what) + strlen(state) + sizeof(" [] ");
	if (columns > 0 && shown + width > columns)
		width = columns > shown ? columns - shown : 0;
	/* What is done now has room behind a whole bar. */
	if (now && (columns == 0 || shown + width + strlen(now) + 2 > columns))
		now = NULL;
	full = n_total ? n_done * width / n_total : 0;
	for (size_t i = 0; i < width; i++)
		bar[i] = i < full ? '#' : '.';
	bar[width] = '\0';
	if (!p->tty)
		(void)fprintf(p->out, "%s [%s] %s%s%s\n", p->what, bar, state,
			      p->now ? "; " : "", p->now ? p->now : "");
	else if (width > 0)
		(void)fprintf(p->out, "\r%s [%s] %s%s%s\x1b[K", p->what, bar,
			      state, now ? "; " : "", now ? now : "");
	else
		(void)fprintf(p->out, "\r%.*s\x1b[K",
			      columns > 1 ? (int)columns - 1 : STATE, state);
	(void)fflush(p->out);
}

void progress_show(struct progress *p, size_t n_done, size_t n_total)
{
	double at = monotonic_s();

	/* A new part of the work: its rate counts from now. */
	if (p->any && p->estimated)
		p->n_total = n_total;
	if (!p->any || n_total != p->n_total) {
		p->n_done = p->n_first = n_done;
		p->n_total = n_total;
		p->started = at;
		p->shown = p->any ? p->shown : at;
		p->any = true;
		return;
	}
	p->n_done = n_done;
	if (at - p->shown < (p->tty ? 0.1 : 5.0))
		return;
	p->shown = at;
	print_state(p, at, n_done, n_total);
}

void progress_of_session(void *context, const struct link_progress *p)
{
	struct progress *shown = context;

	shown->now = p->now;
	shown->n_slow = p->n_slow;
	progress_show(shown, p->n_done, p->n_total);
	/* The session's text may be gone after this report. */
	shown->now = NULL;
}

void progress_end(struct progress *p)
{
	if (!p->any)
		return;
	p->now = NULL;
	print_state(p, monotonic_s(), p->n_done, p->n_total);
	if (p->tty)
		(void)fputc('\n', p->out);
}
