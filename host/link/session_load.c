/* Sending a pack; see live.h. */
#include "host/link/live.h"

int live_load(struct live *s, struct err *e)
{
	return live_give_up(s, "a board that runs this pack", e);
}
