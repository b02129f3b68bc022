/* See mark.h. */
#include "host/model/mark.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const words[MARK_N] = {
	[MARK_NONE] = "",
	[MARK_MEASURED] = "measured",
	[MARK_CHECKED] = "published, checked by",
	[MARK_DERIVED] = "derived",
	[MARK_PUBLISHED] = "published",
	[MARK_OPEN] = "open",
};

const char *mark_text(struct model_mark mark, char room[MARK_ROOM])
{
	if (mark.kind != MARK_CHECKED)
		return words[mark.kind];
	(void)snprintf(room, MARK_ROOM, "%s %" PRIu32 " mixes",
		       words[MARK_CHECKED], mark.n_mixes);
	return room;
}

bool mark_parse(const char *text, struct model_mark *ret)
{
	struct model_mark mark = { .n_mixes = 0 };
	char room[MARK_ROOM];
	const char *digits = strpbrk(text, "0123456789");

	if (digits)
		for (; *digits >= '0' && *digits <= '9'; digits++)
			mark.n_mixes =
				mark.n_mixes * 10 + (uint32_t)(*digits - '0');
	for (int kind = MARK_MEASURED; kind < MARK_N; kind++) {
		mark.kind = (enum mark_kind)kind;
		if (strcmp(text, mark_text(mark, room)) != 0)
			continue;
		*ret = mark;
		return true;
	}
	return false;
}

struct model_mark mark_weaker(struct model_mark x, struct model_mark y)
{
	if (x.kind != y.kind)
		return x.kind > y.kind ? x : y;
	return x.n_mixes < y.n_mixes ? x : y;
}
