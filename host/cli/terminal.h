/* What a terminal shows of the standard output: folded lines, and colours. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Columns of the terminal that standard output, or descriptor `fd`, is; 0: it
 * is none. */
size_t terminal_columns(void);
size_t terminal_columns_of(int fd);

/* If standard output is a terminal, fold the lines that are longer than its
 * lines, and colour verdicts: ok green, any other yellow, a fault red. Nothing
 * is coloured if the environment variable NO_COLOR is not empty or TERM is
 * "dumb". Files and pipes receive what is printed, byte for byte. */
void terminal_start(void);

/* Write what is left.  Returns false if writing failed. */
bool terminal_end(void);

#endif
