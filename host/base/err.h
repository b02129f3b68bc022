/* Errors: a negative code, and a message.  The function that detects the error
 * writes the message; the CLI prints it once and turns the code into an exit
 * status. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "common/types.h"

enum err_code {
	ERR_OK = 0,
	ERR_USAGE = -1,       /* bad command line: exit 2 */
	ERR_INPUT = -2,       /* bad file, form, board, database: exit 2 */
	ERR_FAILED = -3,      /* a measurement or check failed: exit 1 */
	ERR_SYSTEM = -4,      /* system error, e.g. a full disk: exit 1 */
	ERR_INTERRUPTED = -5, /* Ctrl-C: exit 1, results are stored */
};

struct err {
	int code;
	char message[600];
};

/* Store a message and return `code`.  The message says where, what is wrong
 * and, if it is not obvious, what to do.  A message that is already there
 * stays, so callers can pass an error on. */
int err_set(struct err *e, int code, const char *format, ...) PRINTF_LIKE(3, 4);

/* Exit status of an error code: 0, 1 or 2. */
int err_exit_status(int code);

#endif
