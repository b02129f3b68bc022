/* Where boards are: in the installed folder, in the user's, or in any folder.
 *
 *	--board qemu-virt	<share>/boards/qemu-virt, or the user's
 *	--board ./desk		the folder `desk`: a word with a slash
 *
 * The user's folder is $XDG_CONFIG_HOME/anechoic/boards, or
 * ~/.config/anechoic/boards.  It is left out if it is not this user's, as
 * root's HOME under sudo may be: a board's file has commands.  A board in it
 * hides the installed one of its name. */
#ifndef BASE_BOARD_PLACES_H
#define BASE_BOARD_PLACES_H

#include "host/base/board.h"

/* Path of the user's folder, which need not exist; NULL: there is no place for
 * it. */
char *boards_of_user(struct arena *a);

/* Make the user's folder, and those above it that are missing.  ERR_SYSTEM. */
int boards_make_user(struct arena *a, const char *folder, struct err *e);

/* The installed boards and the user's, ordered by name and file.  `share`: the
 * folder of installed files. */
int boards_list(struct arena *a, const char *share, struct board **ret_boards,
		size_t *ret_n, struct err *e);

/* Find the board of --board and --isa; see board_find().  Everything is owned
 * by `a`. */
int board_get(struct arena *a, const char *share, const char *name,
	      const char *isa, const struct board **ret, struct err *e);

#endif
