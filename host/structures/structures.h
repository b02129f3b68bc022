/* What a core is made of other than instructions: caches, translation buffers,
 * prediction of jumps, queues.  Each property is a finding: a value with an
 * interval and how it was found, or the reason why there is none. */
#ifndef STRUCTURES_STRUCTURES_H
#define STRUCTURES_STRUCTURES_H

#include "host/structures/chases.h"
#include "host/structures/pages.h"
#include "host/view/finding.h"

struct core_finding {
	/* Of files of caches (host/cache/caches_keys.h), or another one. */
	const char *key;
	enum finding_unit unit;
	bool known;
	bool at_least; /* not known, but no less than `low` */
	/* More than a quarter of the values of its step were not seen twice, or
	 * only while another thread of the core was busy; or the best rate of
	 * all cores does not recur. */
	bool noisy;
	/* Of a number that was searched: low is the last that fitted, high the
	 * first that did not. */
	double value, low, high;
	const char *reason; /* how it was found; or why it was not */
	const char *label;  /* of the kernel that shows it; NULL: of several */
};

enum { STRUCTURES_MOST = 96 };

struct structures {
	struct levels_found levels;
	struct pages_found pages;
	size_t n;
	struct core_finding list[STRUCTURES_MOST];
	size_t n_probes, n_values, n_alone, n_busy; /* of struct passes */
};

struct structures_request {
	struct arena *a; /* of the strings */
	const struct probe_oracle *oracle;
	/* Has the board instructions for the kind? NULL: for all. */
	bool (*exists)(const void *context, enum probe_kind kind);
	const void *context;
	/* Called with what is measured next. */
	void (*report)(void *to, const char *what);
	void *to;
};

/* ERR_OK also if nothing was found. */
int structures_find(const struct structures_request *q, struct structures *ret,
		    struct err *e);

/* Append as text for people; as a file of caches, with `about` in its first lines;
 * the curves as CSV. */
void structures_text(struct buffer *b, const struct structures *s);
void structures_file(struct buffer *b, const struct structures *s,
		     const char *about);
void structures_csv(struct buffer *b, const struct structures *s);

/* claims.c: the findings and the curves as claims (host/view/finding.h) of `like`,
 * whose run, board and ISA they have, sorted as a store has them; in `a`. */
struct view_claims structures_claims(struct arena *a,
				     const struct structures *s,
				     const struct claim *like);

/* Store them as a run of its own, with the environment, but for `pack`, of `like`, the
 * last of the runs that measured the probes.  The labels are those of kernels of earlier runs. */
int structures_store(struct arena *a, struct store *store, int64_t like,
		     const struct structures *s, struct err *e);

#endif
