/* Results of mixes, by label, in the order they came.  A request takes as many
 * results of its mix as it needs for a good value, and of stored results no more
 * attempts than a search makes, so that they give the same answers as new ones. */
#ifndef CAMPAIGN_PORT_ANSWERS_H
#define CAMPAIGN_PORT_ANSWERS_H

#include "host/ports/ports.h"

/* With a standard error below this a mix needs no further result. */
extern const double port_answers_good_sigma;

/* Attempts to measure a mix for one request, in a search that measures. */
enum { PORT_ANSWERS_ATTEMPTS = 2 };

enum port_answers_use {
	ANSWERS_NEW, /* results come while requests wait for them */
	ANSWERS_STORED, /* all results and attempts of an earlier search are there */
	/* A request does not use up results, so each request of a mix gets the
	 * same answer. */
	ANSWERS_KEPT,
};

struct port_answers;
struct port_answers *port_answers_new(enum port_answers_use use);
void port_answers_free(struct port_answers *a);

/* Add a result of a mix. */
void port_answers_add(struct port_answers *a, const char *label,
		      const struct ports_value *v);

/* Number of results of a mix. */
size_t port_answers_n(const struct port_answers *a, const char *label);

/* Note an attempt to measure a mix that gave no result. */
void port_answers_lose(struct port_answers *a, const char *label);

/* Note a stored attempt that gave no result.  It counts as an attempt of the
 * request that made it, which so takes no result of a later request. */
void port_answers_miss(struct port_answers *a, const char *label);

/* Is there a result that no request took, or an attempt without a result? */
bool port_answers_tried(const struct port_answers *a, const char *label);

/* Note that a mix is to be measured.  False if it was noted before. */
bool port_answers_want(struct port_answers *a, const char *label);

/* Forget these notes. */
void port_answers_want_none(struct port_answers *a);

/* The next answer; false when it needs more results: then nothing is taken. */
bool port_answers_take(struct port_answers *a, const char *label,
		       struct ports_value *ret);

/* As port_answers_take(), with as many results as there are; false when there
 * are none. */
bool port_answers_take_any(struct port_answers *a, const char *label,
			   struct ports_value *ret);

#endif
