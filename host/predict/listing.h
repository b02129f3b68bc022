/* Listings of Microsoft's compiler (cl /FA), as source.h needs them. */
#ifndef PREDICT_LISTING_H
#define PREDICT_LISTING_H

#include <stdbool.h>
#include <stddef.h>

/* Does the text look like such a listing?  It has a procedure:
 * "name PROC". */
bool listing_is(const char *text, size_t n);

/* Rewrite text[0..n) in place for LLVM's Intel syntax.  "name PROC" becomes
 * "name:".  Directives, data, comments and the words SHORT and FLAT: become
 * blanks.  '@', '?' and '$' in names become '_'.  All else stays where it is. */
void listing_clean(char *text, size_t n);

#endif
