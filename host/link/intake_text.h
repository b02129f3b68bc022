/* The part of the intake that stores text: lines without a record, and text
 * around one.  For intake.c. */
#ifndef LINK_INTAKE_TEXT_H
#define LINK_INTAKE_TEXT_H

#include "host/link/intake.h"
#include "host/link/records.h"

/* Open a transaction if none is open. */
int intake_begin(struct intake *in, struct err *e);

/* Store a line that is not a record.  The last ones are shown in error
 * messages. */
int intake_text(struct intake *in, const char *line, size_t n, struct err *e);

/* Store text before (side 0) or behind (side 1) a record, if it is of another
 * shape than the last. */
int intake_around(struct intake *in, int side, const struct records_piece *p,
		  struct err *e);

/* intake_facts.c: store what an info record says of the core.  in->code if the
 * run is of another one. */
int intake_facts(struct intake *in, const struct wire_record *r, struct err *e);

#endif
