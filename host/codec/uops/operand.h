/* Operand numbers of uops.info's XML. They start at 1. A tied use has the
 * number of its definition, and all parts of an address share a number. */
#ifndef CODEC_UOPS_OPERAND_H
#define CODEC_UOPS_OPERAND_H

#include "host/isa/catalogue.h"

/* Part of a memory operand that a latency starts from: base, index, or
 * neither. */
enum xml_part { XML_VALUE, XML_BASE, XML_INDEX, XML_N_PARTS };

/* The number of operand i, 0 when it has none; *ret_part: its part of an
 * address. */
int xml_operand(const struct form *f, int i, enum xml_part *ret_part);

#endif
