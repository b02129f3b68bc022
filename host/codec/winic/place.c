/* Operand names of WINIC's files; see place.h. */
#include "host/codec/winic/place.h"
#include "host/isa/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char memory[] = "mem";

bool operand_listed(const struct operand *o)
{
	return !o->implicit && o->tied_to < 0 && o->kind != OPERAND_MEM &&
	       o->kind != OPERAND_OTHER;
}

/* A non-negative whole number without other text, or -1. */
static long place_number(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return *text < '0' || *text > '9' || *end != '\0' || n > 1000 ? -1 : n;
}

static bool name_itself(const char *name, char out[PLACE_ROOM])
{
	int n = snprintf(out, PLACE_ROOM, "%s", name);

	return n > 0 && n < PLACE_ROOM;
}

bool operand_place(const struct form *f, const char *name,
		   char place[PLACE_ROOM])
{
	long index = place_number(name);
	int n = 0;

	if (index < 0)
		return name_itself(name, place);
	if (index >= f->n_explicit)
		return false;
	if (f->operands[index].kind == OPERAND_MEM) {
		(void)snprintf(place, PLACE_ROOM, "%s%ld", memory, index);
		return true;
	}
	if (f->operands[index].tied_to >= 0)
		index = f->operands[index].tied_to;
	for (long i = 0; i < index; i++)
		n += operand_listed(&f->operands[i]);
	(void)snprintf(place, PLACE_ROOM, "%d", n);
	return true;
}

/* The operand that is read among those that share a place. */
static int place_reader_of(const struct form *f, int listed)
{
	if (f->operands[listed].read)
		return listed;
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].tied_to == listed && f->operands[i].read)
			return i;
	return listed;
}

bool operand_from_place(const struct form *f, const char *place, bool source,
			char name[PLACE_ROOM])
{
	long wanted = place_number(place);
	bool part = strncmp(place, memory, strlen(memory)) == 0;
	long index = part ? place_number(place + strlen(memory)) : -1;

	if (index >= 0) {
		(void)snprintf(name, PLACE_ROOM, "%ld", index);
		return index < f->n_explicit &&
		       f->operands[index].kind == OPERAND_MEM;
	}
	if (wanted < 0)
		return name_itself(place, name);
	for (int i = 0; i < f->n_explicit; i++) {
		if (!operand_listed(&f->operands[i]) || wanted-- > 0)
			continue;
		(void)snprintf(name, PLACE_ROOM, "%d",
			       source ? place_reader_of(f, i) : i);
		return true;
	}
	return false;
}
