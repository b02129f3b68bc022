/* How certain the ports of a form are: the mark that each file with ports
 * carries. Its words are in mark.c alone. */
#ifndef MODEL_MARK_H
#define MODEL_MARK_H

#include <stdbool.h>
#include <stdint.h>

/* The most certain first. */
enum mark_kind {
	MARK_NONE, /* no ports, or not known */
	/* The port search found them, and nothing else agrees with its
	 * mixes. */
	MARK_MEASURED,
	/* Those of a form that is the same in published tables; n_mixes mixes
	 * of this form agree with them. */
	MARK_CHECKED,
	/* Those of the form's class, or of its parts. */
	MARK_DERIVED,
	/* Those of published tables or of another tool's file. */
	MARK_PUBLISHED,
	/* The port search found them, and others are possible. */
	MARK_OPEN,
	MARK_N,
};

struct model_mark {
	enum mark_kind kind;
	uint32_t n_mixes; /* MARK_CHECKED */
};

enum { MARK_ROOM = 48 };

/* The words of a mark, "published, checked by 5 mixes", which may be in `room`.
 * "": MARK_NONE. */
const char *mark_text(struct model_mark mark, char room[MARK_ROOM]);

/* What mark_text() makes, read back.  False for anything else. */
bool mark_parse(const char *text, struct model_mark *ret);

/* The less certain of two. */
struct model_mark mark_weaker(struct model_mark x, struct model_mark y);

#endif
