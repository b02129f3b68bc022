#include "host/base/devices.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What the runtime finds in a tree: target/boot/bare/tree.c, mmode/env.c. */
static const struct device_key {
	const char *key;
	size_t device;
	const char *types; /* words, each between blanks */
} keys[] = {
	{ "uart", offsetof(struct devices, uart),
	  " ns16550a ns16550 snps,dw-apb-uart intel,xscale-uart "
	  "spacemit,pxa-uart arm,pl011 arm,sbsa-uart " },
	{ "clint", offsetof(struct devices, clint),
	  " riscv,clint0 sifive,clint0 thead,c900-clint " },
	{ "poweroff", offsetof(struct devices, poweroff), NULL },
};

const char *devices_types(const char *key)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i].key, key) == 0)
			return keys[i].types;
	return NULL;
}

static int check_type(struct arena *a, const struct conf *c,
		      const struct device_key *k, const char *type,
		      struct err *e)
{
	if (!k->types || strstr(k->types, arena_printf(a, " %s ", type)))
		return ERR_OK;
	return err_set(e, ERR_INPUT,
		       "%s:%d: '%s': the runtime has no driver of '%.40s'; it "
		       "has%.*s",
		       c->path, conf_line(c, k->key), k->key, type,
		       (int)strlen(k->types) - 1, k->types);
}

static int read_device(struct arena *a, const struct conf *c,
		       const struct device_key *k, struct device *ret,
		       struct err *e)
{
	const char *key = k->key, *value = conf_get(c, key);
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
			       c->path, conf_line(c, key), key);
	ret->type = arena_printf(a, "%.*s", (int)(at - value), value);
	return check_type(a, c, k, ret->type, e);
}

int devices_read(struct arena *a, const struct conf *c, struct devices *ret,
		 struct err *e)
{
	struct devices d = { .chip = conf_get(c, "chip") };
	const char *rate = conf_get(c, "timebase");

	d.any = d.chip || rate;
	if (!d.chip)
		d.chip = "";
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		struct device *device = (void *)((char *)&d + keys[i].device);

		if (read_device(a, c, &keys[i], device, e) != ERR_OK)
			return e->code;
		d.any |= *device->type != '\0';
	}
	*ret = d;
	return ERR_OK;
}
