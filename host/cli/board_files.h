/* The files of a new board, from what its user said. */
#ifndef CLI_BOARD_FILES_H
#define CLI_BOARD_FILES_H

#include "host/base/arena.h"
#include "host/base/err.h"

/* The texts of both files, board.conf.in and board.md.in.  @KEY@ stands for a
 * value.  A line that begins with @KEY? is left out if the value is empty, one
 * with @KEY! if it is not. */
extern const char board_conf_text[], board_readme_text[];

struct board_value {
	const char *key, *value; /* key NULL: the end */
};

/* Make <folder>/<name> with <isa>-<boot>.conf and README.md; a README.md that
 * is there is kept.  values: name, isa, boot and the other keys of the texts.
 * *ret_conf: the path of the .conf, owned by `a`.  ERR_USAGE if the .conf
 * exists, ERR_INPUT if <folder>/<name> cannot be made, ERR_SYSTEM if a file
 * cannot be written; then no new file is left. */
int board_files_write(struct arena *a, const struct board_value *values,
		      const char *folder, const char **ret_conf, struct err *e);

#endif
