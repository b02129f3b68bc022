/* Shared by the files that write a whole model as TableGen text. */
#ifndef CODEC_LLVM_WHOLE_TD_H
#define CODEC_LLVM_WHOLE_TD_H

#include "host/codec/llvm/whole.h"
#include "host/codec/llvm/write.h"

struct whole_td {
	struct whole *w;
	struct buffer *out; /* that of td */
	struct td td;
};

/* Write the model of an instruction set that has extensions in
 * sched_names_of(). */
int whole_td_write(const struct model *m, const struct catalogue *c,
		   struct buffer *ret, struct err *e);

/* Is this the first name of a family of vectors? */
bool whole_td_begins_family(const struct whole *w, size_t index);

/* The predicates of extensions that LLVM's CPU of the model's name lacks, with
 * blanks between; owned by t->td.a.  "" if LLVM has no such CPU. */
const char *whole_td_features(struct whole_td *t);

/* Append what has no cost: whole extensions, families of vectors, writes. */
void whole_td_put_unknown(struct whole_td *t);

/* Append the advances of all reads but those of such extensions. */
void whole_td_put_reads(struct whole_td *t);

#endif
