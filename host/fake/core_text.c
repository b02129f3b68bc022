/* Words of .core files; see core.h. */
#include <stdlib.h>
#include <string.h>

#include "host/fake/core.h"

enum { NUMBER_ROOM = 32 };

char *core_trim(char *text)
{
	size_t n;

	while (*text == ' ' || *text == '\t')
		text++;
	n = strlen(text);
	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t' ||
			 text[n - 1] == '\r'))
		n--;
	text[n] = '\0';
	return text;
}

bool core_number(const char *text, double max, double *ret)
{
	size_t n = strlen(text);
	double value;

	/* Digits and one point: no signs, exponents, infinities. */
	if (n == 0 || n >= NUMBER_ROOM || strspn(text, "0123456789.") != n ||
	    strspn(text, "0123456789") == 0 ||
	    strchr(text, '.') != strrchr(text, '.'))
		return false;
	value = strtod(text, NULL);
	if (value > max)
		return false;
	*ret = value;
	return true;
}

int core_class(struct core *c, const char *name)
{
	for (size_t i = 0; i < c->n_classes; i++)
		if (strcmp(c->classes[i], name) == 0)
			return (int)i;
	if (c->n_classes == CORE_MAX_CLASSES || *name == '\0' ||
	    strlen(name) >= CORE_NAME_ROOM || strpbrk(name, " \t>"))
		return -1;
	memcpy(c->classes[c->n_classes], name, strlen(name) + 1);
	return (int)c->n_classes++;
}
