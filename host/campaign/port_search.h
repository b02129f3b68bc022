/* The port search: measures the mixes that the inference of host/ports asks
 * for, in one run of many packs, and stores every result.  So it can be
 * resumed, and the inference repeated on stored results. */
#ifndef CAMPAIGN_PORT_SEARCH_H
#define CAMPAIGN_PORT_SEARCH_H

#include "host/campaign/campaign.h"
#include "host/plan/ports.h"
#include "host/ports/ports.h"
#include "host/store/store_run.h"

/* What a search found; valid during the callback. */
struct port_search_result {
	const struct run *run;
	const struct plan_ports_form *forms;
	size_t n_forms;
	const struct ports_answer *answer; /* its forms are parallel to these */
	size_t n_measured;                 /* kernels */
	double seconds;                    /* since the search began */
	bool budget_spent;                 /* --resume continues */
	/* Of a repeated search that lacks mixes, whose answer is not stored:
	 * forms with ports in the claims that stay.  0: the answer is
	 * stored. */
	size_t n_kept;
};

/* Progress of a search, for display.  All but `found` may be NULL where no
 * board measures. */
struct port_search_events {
	/* The forms are chosen and the database is open.  n_left: matching
	 * forms that are left out, because each instance waits for the
	 * instance before. */
	void (*begin)(void *context, const struct campaign *c, size_t n_forms,
		      size_t n_left);
	/* A run was to be resumed, and there is none. */
	void (*no_old_run)(void *context);
	/* A part of the search begins, is at n_done of n_total visits, ends. */
	void (*part)(void *context, const struct campaign *c, const char *what);
	void (*visits)(void *context, size_t n_done, size_t n_total);
	void (*part_end)(void *context);
	/* The claims are stored. */
	void (*found)(void *context, const struct port_search_result *r);
	void *context;
};

/* Search on the board of a request.  ERR_INPUT if the request names no serial
 * line and the board has no transport on this machine; others as
 * campaign_start(), ports_infer() and the store. */
int port_search_run(const struct campaign_request *q,
		    const struct port_search_events *events, struct err *e);

/* Of each image a run's environment has the key "image ID", ID being that of
 * the image's pack.  Its value is the run's number of the pack's first
 * kernel. */
#define PORT_SEARCH_IMAGE "image "
enum { PORT_SEARCH_IMAGE_KEY = 40 };

/* The kernels of an image; none: the search has ended, and there is no image. */
struct port_search_next {
	size_t n_kernels;
	uint64_t pack; /* the id of their pack, as the image's log has it */
};

/* The next step of a search on a board that boots images.  It repeats the
 * search of the unfinished run (a new one if there is none) from the stored
 * results, with guesses instead of those that are missing (ports_ahead()).
 * *ret_image: an image of the kernels without a result, in a buffer of the
 * caller.  Without kernels in *ret the claims are stored.  The caller boots the image and
 * imports its log into the run that port_search_imaged() finds. */
int port_search_image(const struct campaign_request *q,
		      const struct port_search_events *events,
		      struct buffer *ret_image, struct port_search_next *ret,
		      struct err *e);

/* The run that made the image of a pack, and the number of the pack's first
 * kernel in it; *ret_run is 0 if there is none. */
int port_search_imaged(struct store *s, uint64_t pack_id, int64_t *ret_run,
		       uint32_t *ret_first, struct err *e);

/* Infer again from the stored results of each port search in a database, and
 * replace its claims, unless over a tenth of the forms with ports would have
 * none because mixes that the search now asks for were not measured. */
int port_search_repeat(struct store *s, const struct port_search_events *events,
		       struct err *e);

#endif
