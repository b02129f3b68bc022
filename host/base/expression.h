/* Regular expressions that come from users and from files.  The C library
 * compiles by recursion and copies what is repeated, so that a short expression
 * can take gigabytes and a long one the stack: what is too large is refused
 * before it is compiled. */
#ifndef BASE_EXPRESSION_H
#define BASE_EXPRESSION_H

#include <regex.h>

#include "common/types.h"

/* Compile an extended regular expression to test whether texts match it; where
 * they match is not kept (REG_NOSUB).  False: it is not valid, or too large;
 * `why` (room bytes) says which, and *ret needs no regfree().  Else free it
 * with regfree(). */
bool expression_compile(const char *text, regex_t *ret, char *why, size_t room);

#endif
