/* What the readers of uops.info's XML share: the state of one file. */
#ifndef CODEC_UOPS_READ_H
#define CODEC_UOPS_READ_H

#include "host/base/file.h"
#include "host/codec/codec.h"
#include "host/codec/uops/names.h"
#include "host/codec/uops/operand.h"
#include "host/codec/xml.h"

/* Architectures of a file whose names are kept; operands of an
 * instruction. */
enum { UOPS_MAX_NAMES = 64, UOPS_MAX_LISTED = 32 };

/* An operand of the file: its number and type, and the only register that it
 * can be, or a list of them. */
struct uops_listed {
	int number;
	char type[8]; /* reg, mem, imm, agen, flags, relbr */
	char text[XML_TEXT_ROOM];
};

/* An attribute's name with what follows it, uops_same_reg. */
struct uops_key {
	char text[40];
};
struct uops_key uops_key(const char *name, const char *suffix);

struct uops_reader {
	struct xml x;
	struct arena *a;
	const struct catalogue *c;
	struct model *m;
	struct model_port ports[MODEL_MAX_PORTS];
	char codes[MODEL_MAX_PORTS];
	struct buffer forms, latencies, same_latencies;
	const struct form *form;      /* form of the enclosing instruction, or
				  * NULL */
	struct uops_operands numbers; /* of its operands */
	size_t n_listed;
	struct uops_listed listed[UOPS_MAX_LISTED];
	/* The form, and its variant with one register for all sources. */
	struct model_form f, same;
	/* Forms that lose a port, or keep it, if their address has an
	 * index. */
	uint32_t n_lost[MODEL_MAX_PORTS], n_kept[MODEL_MAX_PORTS];
	const char *wanted; /* architecture that the user names, or NULL */
	const char *names_seen[UOPS_MAX_NAMES];
	size_t n_names_seen;
	bool has_list;  /* the file lists its ports, as our exports do */
	bool our_ports; /* inside <ports> of the architecture read */
	bool odd;       /* the instruction has a bad value: leave it out */
	bool measured, has_measurement; /* inside the architecture read */
	bool explicit_only; /* others may count implicit operands otherwise */
	const struct uops_names *names;
	struct skips skips;
	size_t n_read, n_unknown, n_partial;
};

/* Set *ret to the number >= 0 of an attribute; false if there is none. */
bool uops_number(struct uops_reader *r, const struct xml_tag *t,
		 const char *key, double *ret);

/* <operand>; and when all of them are read, number those of the form that have
 * no text in an instruction. */
void uops_read_operand(struct uops_reader *r, const struct xml_tag *t);
void uops_number_listed(struct uops_reader *r);

/* Throughput, slots and ports of a measurement, also of the form's variants,
 * into the form that is read. */
void uops_read_costs(struct uops_reader *r, const struct xml_tag *t);

/* A port of this program's exports: <port code="0" name="p0"/>. */
void uops_read_port(struct uops_reader *r, const struct xml_tag *t);

/* Remove ports that no form uses from the model of a file that lists none. */
void uops_drop_ports(struct uops_reader *r, struct model_form *forms, size_t n);

/* The ports of a measurement whose attributes end with `suffix`. */
void uops_read_ports(struct uops_reader *r, const struct xml_tag *t,
		     const char *suffix, struct model_form *f);

#endif
