/* What a board says of itself, against its file. */
#ifndef CLI_BOARD_CHECK_H
#define CLI_BOARD_CHECK_H

#include "host/base/board.h"
#include "host/store/store.h"

/* Print a warning for each contradiction between the INFO record of a run and
 * the file of its board: fields of `info`, the core's numbers (midr; mvendorid,
 * marchid, mimpid; family and model) and `cpu`, the board that an image was
 * made for. */
int board_check(struct store *s, int64_t run, const struct board *b,
		struct err *e);

#endif
