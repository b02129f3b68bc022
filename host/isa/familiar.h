/* Forms of common instructions, for what is shown first. */
#ifndef ISA_FAMILIAR_H
#define ISA_FAMILIAR_H

#include "common/types.h"

/* At most a screen of names of forms, of those that most programs are made of:
 * additions, products, quotients, loads, stores, and vectors.  NULL-terminated.
 * A CPU may lack some. */
extern const char *const x86_64_familiar[];
extern const char *const aarch64_familiar[];
extern const char *const riscv64_familiar[];

/* Is the form in the list? */
bool familiar_has(const char *const *list, const char *form);

#endif
