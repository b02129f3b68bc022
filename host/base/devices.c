#include "host/base/devices.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int line_of(const struct conf *c, const char *key)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->entries[i].key, key) == 0)
			return c->entries[i].line;
	return 0;
}

static int read_device(struct arena *a, const struct conf *c, const char *key,
		       struct device *ret, struct err *e)
{
	const char *value = conf_get(c, key);
	const char *at = value ? strchr(value, '@') : NULL;
	char *end = NULL;

	*ret = (struct device){ .type = "" };
	if (!value)
		return ERR_OK;
	errno = 0;
	if (at && at > value)
		ret->address = strtoull(at + 1, &end, 0);
	if (!end || end == at + 1 || *end != '\0' || errno || ret->address == 0)
		return err_set(e, ERR_INPUT,
			       "%s:%d: '%s' must be TYPE@ADDRESS, such as "
			       "ns16550a@0x10000000",
			       c->path, line_of(c, key), key);
	ret->type = arena_printf(a, "%.*s", (int)(at - value), value);
	return ERR_OK;
}

int devices_read(struct arena *a, const struct conf *c, struct devices *ret,
		 struct err *e)
{
	struct devices d = { .chip = conf_get(c, "chip") };
	const char *rate = conf_get(c, "timebase");
	struct {
		const char *key;
		struct device *device;
	} keys[] = {
		{ "uart", &d.uart },
		{ "clint", &d.clint },
		{ "poweroff", &d.poweroff },
	};

	d.any = d.chip || rate;
	if (!d.chip)
		d.chip = "";
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		if (read_device(a, c, keys[i].key, keys[i].device, e) != ERR_OK)
			return e->code;
		d.any |= *keys[i].device->type != '\0';
	}
	*ret = d;
	return ERR_OK;
}
