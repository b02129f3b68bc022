/* Text on standard output; see print.h. */
#include "host/base/print.h"

#include <stdio.h>
#include <string.h>

/* Print the words up to the end of the line.  `at` is the column where the
 * first word goes. */
static void print_words(const char *text, int at, int indent, int width)
{
	const char *between = "";

	for (text += strspn(text, " "); *text != '\0' && *text != '\n';
	     text += strspn(text, " ")) {
		int n = (int)strcspn(text, " \n");

		if (*between && at + 1 + n > width) {
			printf("\n%*s", indent, "");
			at = indent;
			between = "";
		}
		at += printf("%s%.*s", between, n, text);
		between = " ";
		text += n;
	}
	(void)putchar('\n');
}

void print_item(const char *label, const char *text, int indent, int width)
{
	int at = printf("%-*s", indent, label);

	if (*label != '\0' && (int)strlen(label) >= indent)
		at += printf(" ");
	print_words(text, at, indent, width);
}

void print_wrapped(const char *text, int indent, int width)
{
	if (text[strspn(text, " ")] != '\0')
		print_item("", text, indent, width);
}

void print_paragraphs(const char *text, int width)
{
	while (*text != '\0') {
		int n = (int)strcspn(text, "\n");

		if (*text == ' ')
			printf("%.*s\n", n, text);
		else
			print_words(text, 0, 0, width);
		text += n + (text[n] == '\n');
	}
}
