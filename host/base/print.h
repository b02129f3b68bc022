/* Text on standard output. */
#ifndef BASE_PRINT_H
#define BASE_PRINT_H

/* The "s" behind a noun: "1 run", "2 runs". */
#define PLURAL(n) ((n) == 1 ? "" : "s")

/* Print the words of a text up to its first newline, in lines of at most
 * `width` columns, each indented by `indent` blanks.  A word that is too long
 * for a line has one of its own.  Prints nothing if there are no words. */
void print_wrapped(const char *text, int indent, int width);

/* The same with a label in the indentation of the first line.  A label that
 * fills it is followed by one blank.  Without words only the label is
 * printed. */
void print_item(const char *label, const char *text, int indent, int width);

/* Print paragraphs: wrap each line of the text to `width` columns, except lines
 * that begin with a blank, which are printed unchanged. */
void print_paragraphs(const char *text, int width);

#endif
