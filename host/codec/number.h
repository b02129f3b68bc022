/* Numbers of exports: as text, in one format for all, and those that stand for
 * an interval; sets of ports. */
#ifndef CODEC_NUMBER_H
#define CODEC_NUMBER_H

#include "host/base/file.h"
#include "host/model/model.h"

enum { NUMBER_ROOM = 40 };

/* A rate is explained by a bound that it exceeds by at most this part. */
#define SAME_RATE 0.05
/* Cycles above a whole number that are still this number. */
#define CYCLE_DOUBT 0.1

/* Write six significant digits; whole numbers in full ("1", "1000000").  The
 * value must be finite, otherwise the text is "". */
void number_text(double value, char text[NUMBER_ROOM]);

/* Append the same. */
void number_add(struct buffer *b, double value);

/* Is an interval wider than a measurement's doubt?  A format with one number
 * for it would hide that. */
bool span_is_wide(const struct model_span *s);

double span_middle(const struct model_span *s);

/* Extend an interval by another that has a value. */
static inline void span_unite(struct model_span *s,
			      const struct model_span *more)
{
	s->low = s->low < more->low ? s->low : more->low;
	s->high = s->high > more->high ? s->high : more->high;
}

/* The ports that are units to which no uop is issued. */
static inline model_ports pseudo_ports(const struct model *m)
{
	model_ports ports = 0;

	for (size_t i = 0; i < m->n_ports; i++)
		ports |= (model_ports)m->ports[i].pseudo << i;
	return ports;
}

#endif
