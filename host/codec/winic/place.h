/* Operand names of WINIC's files. The operand list of a form contains the
 * explicit operands in LLVM's order. A tied use is merged with its definition,
 * and memory operands are left out. A latency names an explicit operand by its
 * position in that list, an implicit one by its register, and a part of a
 * memory operand as "mem" with LLVM's index ("mem1"). */
#ifndef CODEC_WINIC_PLACE_H
#define CODEC_WINIC_PLACE_H

#include "host/isa/catalogue.h"

enum { PLACE_ROOM = 80 };

/* Is the operand in the list of its form? */
bool operand_listed(const struct operand *o);

/* Convert the name of an operand in a claim to its name in a file, and back. A
 * tied use shares the position of its definition, so the way back needs
 * `source`. Returns false when the form has no such operand. */
bool operand_place(const struct form *f, const char *name,
		   char place[PLACE_ROOM]);
bool operand_from_place(const struct form *f, const char *place, bool source,
			char name[PLACE_ROOM]);

#endif
