/* See rounds_log.h. */
#include "host/campaign/rounds_log.h"

#include <stdio.h>

#include "host/campaign/pace.h"
#include "host/store/store_run.h"

/* The share of the settled kernels that a time is given for. */
static const double most = 0.95;

/* Keys of the environment, with values such as "12.1:45000,20.3:60100". */
static const char *const keys[ROUNDS_N_LOGS] = { "settled_after",
						 "settled_after_base" };

static void add_point(struct buffer *points, double seconds, size_t n_settled)
{
	struct pace_point p = { seconds, n_settled };

	buffer_add(points, &p, sizeof(p));
}

int rounds_log_read(struct rounds_log *log, struct store *s, int64_t run,
		    double *seconds, struct err *e)
{
	struct arena a = { 0 };

	for (int i = 0; i < ROUNDS_N_LOGS; i++) {
		const char *at;
		size_t n_settled;
		double last;
		int n = 0;

		if (store_env_get(s, &a, run, keys[i], &at, e) != ERR_OK)
			break;
		while (at &&
		       sscanf(at, "%lf:%zu%n", &last, &n_settled, &n) == 2) {
			add_point(&log->points[i], last, n_settled);
			*seconds = last;
			at += n;
			at += *at == ',';
		}
	}
	arena_free(&a);
	return e->code;
}

static int write_points(const struct buffer *points, struct store *s,
			int64_t run, const char *key, struct err *e)
{
	const struct pace_point *list = (const void *)points->bytes;
	struct buffer text = { 0 };

	for (size_t i = 0; i < points->n / sizeof(*list); i++)
		buffer_printf(&text, "%s%.2f:%zu", i ? "," : "",
			      list[i].seconds, list[i].n_settled);
	(void)store_env(s, run, key, buffer_text(&text), e);
	buffer_free(&text);
	return e->code;
}

int rounds_log_add(struct rounds_log *log, struct store *s, int64_t run,
		   double seconds, const size_t n_settled[ROUNDS_N_LOGS],
		   struct err *e)
{
	for (int i = 0; i < ROUNDS_N_LOGS; i++) {
		add_point(&log->points[i], seconds, n_settled[i]);
		if (write_points(&log->points[i], s, run, keys[i], e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

double rounds_log_most(const struct rounds_log *log, int which)
{
	const struct buffer *points = &log->points[which];

	return pace_reached((const void *)points->bytes,
			    points->n / sizeof(struct pace_point), most);
}

void rounds_log_free(struct rounds_log *log)
{
	for (int i = 0; i < ROUNDS_N_LOGS; i++)
		buffer_free(&log->points[i]);
}
