/* When writes take their operands: advances of reads; see whole.h. */
#include <string.h>

#include "host/codec/llvm/whole.h"
#include "host/codec/llvm/write.h"
#include "host/isa/catalogue.h"

/* The form's register operands that are read, in LLVM's order; their number. */
static int read_operands(const struct form *form, int *ret)
{
	int n = 0;

	for (int i = 0; i < form->n_explicit; i++)
		if (form->operands[i].read &&
		    (form->operands[i].kind == OPERAND_REG ||
		     form->operands[i].reg_class != CLASS_NONE))
			ret[n++] = i;
	return n;
}

/* The reads of a class, in order; their number. */
static int class_reads(const struct whole *w, const char *class_name,
		       struct whole_name **ret)
{
	int n = 0;

	for (const char *at = class_name; *at != '\0';) {
		size_t length = whole_name_length(at);
		struct whole_name *x = whole_find(w, at, length);

		if (x && x->read && n < FORM_MAX_OPERANDS)
			ret[n++] = x;
		at += length + (at[length] == '_');
		if (length == 0)
			break;
	}
	return n;
}

/* Every form must say the same of a read, else it has none. */
static void vote(struct whole *w, struct whole_name *read, long advance,
		 const struct whole_name *write)
{
	if (read->n_writes == 0) {
		read->advance = advance;
		read->writes = ARENA_ARRAY(w->a, const char *, w->n_names + 1);
	}
	if (read->advance != advance)
		read->split = true;
	for (size_t i = 0; i < read->n_writes; i++)
		if (read->writes[i] == write->name)
			return;
	read->writes[read->n_writes++] = write->name;
}

void whole_add_reads(struct whole *w, const struct form *form,
		     const struct model_form *f, const char *class_name,
		     int result)
{
	int operands[FORM_MAX_OPERANDS];
	struct whole_name *reads[FORM_MAX_OPERANDS];
	int n = read_operands(form, operands);
	long cycles[FORM_MAX_OPERANDS], most = 0;

	/* Opcodes of the code generator have other operands. */
	if (form->variant || result < 0 || form->access != 0 ||
	    class_reads(w, class_name, reads) != n)
		return;
	for (int i = 0; i < n; i++) {
		struct model_span s = model_latency(f, operands[i], result);

		if (!td_whole_span(&s, &cycles[i]))
			return;
		most = cycles[i] > most ? cycles[i] : most;
	}
	for (int i = 0; i < n; i++)
		vote(w, reads[i], most - cycles[i],
		     whole_write_of(w, class_name));
}
