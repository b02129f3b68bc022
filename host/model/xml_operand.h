/* Operands as uops.info's XML numbers them: from 1, a tied use and what it is
 * tied to are one, all parts of an address are one. */
#ifndef MODEL_XML_OPERAND_H
#define MODEL_XML_OPERAND_H

#include "host/isa/isa.h"

/* Which latency of a memory operand: of its base, its index, or of none. */
enum xml_part { XML_VALUE, XML_BASE, XML_INDEX, XML_N_PARTS };

/* Number of operand i, 0: it has none. */
int xml_operand(const struct form *f, int i, enum xml_part *ret_part);

#endif
