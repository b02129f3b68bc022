/* Listings of Microsoft's compiler (cl /FA), as source.h needs them. */
#ifndef PREDICT_LISTING_H
#define PREDICT_LISTING_H

#include <stdbool.h>
#include <stddef.h>

/* Does the text look like such a listing?  It has a procedure:
 * "name PROC". */
bool listing_is(const char *text, size_t n);

/* Rewrite text[0..n) in place into what LLVM's Intel syntax has: labels and
 * instructions stay where they are, and the rest becomes blanks.  '@', '?' and
 * '$' in names become '_'. */
void listing_clean(char *text, size_t n);

#endif
