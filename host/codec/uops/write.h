/* What the writers of uops.info's XML share. */
#ifndef CODEC_UOPS_WRITE_H
#define CODEC_UOPS_WRITE_H

#include "host/base/file.h"
#include "host/codec/uops/operand.h"
#include "host/isa/catalogue.h"
#include "host/model/model.h"

struct uops_writer {
	struct buffer *out;
	const struct catalogue *c;
	/* The architecture that is written. */
	const struct model *m;
	model_ports pseudo;          /* its units that are no ports */
	char codes[MODEL_MAX_PORTS]; /* one character for each of its ports */
	size_t at;                   /* the next of its forms to write */
};

/* Append key="text", its characters escaped. */
void uops_attribute(struct uops_writer *w, const char *key, const char *text);

/* Append <operand>, of the operands of the form that have this number. */
void uops_operand(struct uops_writer *w, const struct form *f,
		  const struct uops_operands *numbers, int number);

#endif
