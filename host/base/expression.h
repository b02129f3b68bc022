/* Regular expressions that come from users and from files.  The C library
 * compiles by recursion and copies what is repeated, so that a short expression
 * can take gigabytes and a long one the stack: what is too large is refused
 * before it is compiled. */
#ifndef BASE_EXPRESSION_H
#define BASE_EXPRESSION_H

#include <regex.h>

#include "common/types.h"

/* Compile an extended expression that is only asked whether it matches.  False:
 * it is none, or too large; `why` (room bytes) says which.  Free it with
 * regfree(). */
bool expression_compile(const char *text, regex_t *ret, char *why, size_t room);

#endif
