/* Text on standard output; see print.h. */
#include "host/base/print.h"

#include <stdio.h>
#include <string.h>

void print_wrapped(const char *text, int indent, int width)
{
	int at = 0;

	text += strspn(text, " ");
	while (*text != '\0') {
		int n = (int)strcspn(text, " ");

		if (at > 0 && at + 1 + n > width) {
			putchar('\n');
			at = 0;
		}
		at += at > 0 ? printf(" %.*s", n, text)
			     : printf("%*s%.*s", indent, "", n, text);
		text += n;
		text += strspn(text, " ");
	}
	if (at > 0)
		putchar('\n');
}
