/* Which values are of forms that a CPU has, for commands with --cpu. */
#ifndef CLI_OF_CPU_H
#define CLI_OF_CPU_H

#include <stdbool.h>

struct catalogue;

/* Has the CPU of the catalogue all forms that the name of a value consists of:
 * "ADD64rr", "A@2>0+B@1>0" or "2xMOV64rm+MOV64mr"?  Also true of names that are
 * of no form.  c NULL: every CPU. */
bool of_cpu_has(const struct catalogue *c, const char *name);

#endif
