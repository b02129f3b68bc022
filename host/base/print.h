/* Text on standard output. */
#ifndef BASE_PRINT_H
#define BASE_PRINT_H

/* Print the words of a text in lines of at most `width` columns, each indented
 * by `indent` blanks.  Prints nothing if there are no words. */
void print_wrapped(const char *text, int indent, int width);

#endif
