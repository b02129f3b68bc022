/* What this process has from the one that started it, and its program. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "host/base/arena.h"

/* To be called first in main().  SIGCHLD gets its default action: where it is
 * ignored, waitpid() knows nothing of a child that ended.  Standard streams
 * that are closed fail as closed ones do, but their numbers are taken, so that
 * no file that is opened later becomes one of them.  Writing beyond a limit of
 * the size of files (ulimit -f) fails, instead of ending the process without a
 * message. */
void process_begin(void);

/* Call `handler` when the signal arrives, unless it is ignored, as under nohup
 * and in the background of a shell without job control. */
void process_catch(int signal_number, void (*handler)(int));

/* Absolute path of this program, or NULL and errno. */
char *process_program(struct arena *a);

#endif
