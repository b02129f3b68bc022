/* Operands as WINIC's files name them.  The list of a form holds explicit
 * operands in LLVM's order, tied uses merged with what they are tied to,
 * memory left out.  A latency names an operand by its place in that list; an
 * implicit one by its register; part of a memory operand, which has no place,
 * as "mem" with LLVM's index ("mem1"). */
#ifndef MODEL_OPERAND_PLACE_H
#define MODEL_OPERAND_PLACE_H

#include "host/isa/isa.h"

enum { PLACE_ROOM = 80 };

bool operand_listed(const struct operand *o);

/* Name in a file of the operand a claim names so, and back again; a tied use
 * shares the place of its definition, so the way back needs to know which of
 * them is meant.  False where the form has no such operand. */
bool operand_place(const struct form *f, const char *name,
		   char place[PLACE_ROOM]);
bool operand_from_place(const struct form *f, const char *place, bool source,
			char name[PLACE_ROOM]);

#endif
