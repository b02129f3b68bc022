/* See of_cpu.h. */
#include "host/cli/of_cpu.h"

#include <string.h>

#include "host/isa/isa.h"

/* One form: of n characters, perhaps with a count before it. */
static bool has_form(const struct catalogue *c, const char *name, size_t n)
{
	size_t count = strspn(name, "0123456789");
	char form[ISA_NAME_ROOM];
	const struct form *f;

	if (count > 0 && name[count] == 'x') {
		name += count + 1;
		n -= count + 1;
	}
	if (n >= sizeof(form))
		return true;
	memcpy(form, name, n);
	form[n] = '\0';
	f = catalogue_form(c, form);
	if (!f) {
		/* Of a reference, with a variant that the catalogue lacks. */
		form[strcspn(form, "/")] = '\0';
		f = catalogue_form(c, form);
	}
	return !f || f->status != FORM_UNSUPPORTED;
}

bool of_cpu_has(const struct catalogue *c, const char *name)
{
	while (c && *name != '\0') {
		size_t step = strcspn(name, "+");

		if (!has_form(c, name, strcspn(name, "@+")))
			return false;
		name += step + (name[step] == '+');
	}
	return true;
}
