/* Operand numbers of uops.info's XML. They start at 1. A tied use has the
 * number of its definition, and all parts of an address share a number. */
#ifndef CODEC_UOPS_OPERAND_H
#define CODEC_UOPS_OPERAND_H

#include "host/isa/catalogue.h"

/* Part of a memory operand that a latency starts from: base, index, or
 * neither. */
enum xml_part { XML_VALUE, XML_BASE, XML_INDEX, XML_N_PARTS };

/* What attributes of a latency from a part end in: cycles, cycles_addr,
 * cycles_addr_index. */
extern const char *const uops_part_ends[XML_N_PARTS];

struct uops_operands {
	int n; /* the highest number */
	/* Of each operand of the form: its number, 0 when it has none; its part
	 * of an address. */
	int number[FORM_MAX_OPERANDS];
	enum xml_part part[FORM_MAX_OPERANDS];
};

struct uops_operands uops_number_operands(const struct form *f);

#endif
