/* Variants of forms that are slow to decode; see decoding.h. */
#include "host/isa/decoding.h"

#include <stdio.h>
#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"

static const struct variant decoded = {
	.suffix = "decoded",
	.family = FAMILY_DECODED,
	.unchained = "for its decoding alone",
};

void decoding_variants(const struct catalogue *c, const struct form *form,
		       struct variant_list *ret)
{
	const struct isa_decoding *d = c->isa->decoding;
	unsigned char code[MC_MAX_CODE];
	struct instance x;
	size_t n;

	if (!d || form->variant || !form_example(c, form, 0, &x))
		return;
	n = instance_encode(c, &x, code, sizeof(code));
	if (n > 0 && d->is_slow(c, code, n))
		variant_add(ret, &decoded);
}

bool decoding_is_long(const struct form *form)
{
	return form_family(form) == FAMILY_DECODED;
}

bool decoding_long(const char *form, char ret[DECODING_ROOM])
{
	int n = snprintf(ret, DECODING_ROOM, "%s/%s", form, decoded.suffix);

	return n > 0 && n < DECODING_ROOM;
}

bool decoding_short(const char *form, char ret[DECODING_ROOM])
{
	size_t n = strcspn(form, "/");

	if (n >= DECODING_ROOM || form[n] == '\0' ||
	    strcmp(form + n + 1, decoded.suffix) != 0)
		return false;
	memcpy(ret, form, n);
	ret[n] = '\0';
	return true;
}

bool decoding_like(const struct isa_decoding *d, const char *form,
		   char ret[DECODING_ROOM])
{
	size_t n = 0, slow = strlen(d->slow_word), fast = strlen(d->fast_word);
	bool any = false;

	while (*form != '\0') {
		bool here = strncmp(form, d->slow_word, slow) == 0;

		if (n + (here ? fast : 1) >= DECODING_ROOM)
			return false;
		memcpy(ret + n, here ? d->fast_word : form, here ? fast : 1);
		n += here ? fast : 1;
		form += here ? slow : 1;
		any |= here;
	}
	ret[n] = '\0';
	return any;
}
