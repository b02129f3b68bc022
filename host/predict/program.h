/* A program as a list of decoded instructions, from text, object files or
 * bytes. */
#ifndef PREDICT_PROGRAM_H
#define PREDICT_PROGRAM_H

#include "host/isa/instance.h"
#include "host/predict/source.h"

struct mc_parser; /* host/isa/mc_parse.h */

struct insn {
	struct instance instance; /* form is NULL: no form has this opcode */
	const char *text;
	const char *symbol; /* that the address refers to, or "" */
	uint32_t line;      /* in the source; 0: unknown */
	uint64_t address;
	uint8_t n_code;
	bool jumps;
	bool calls, returns;
	const unsigned char *code; /* n_code bytes; of text, symbols are 0 */
	int32_t target; /* instruction that it jumps to or calls, or -1 */
};

struct code_label {
	const char *name;
	uint32_t line;
	size_t insn; /* the instruction after the label */
};

/* Start of a marked region, or the first instruction after it. */
struct region_mark {
	bool begins;
	size_t insn;
};

struct program {
	const struct catalogue *c;
	const struct source *source; /* NULL: decoded from bytes */
	size_t n;
	struct insn *insns;
	size_t n_labels;
	struct code_label *labels;
	bool textless; /* bytes are decoded without their text */
	/* Are run-time addresses known modulo the size of a cache line? */
	bool placed;
	size_t n_marks; /* marks in bytes; marks in text are in `source` */
	struct region_mark *marks;
	size_t room, label_room, mark_room; /* allocated entries */
};

enum {
	PROGRAM_MAX_INSNS = 1 << 20,
	/* Bytes in a line of code; the same on all supported cores. */
	PROGRAM_LINE = 64,
};

/* Parse and decode a source file in its dialect; AUTO: as its directives say.
 * Everything in *ret belongs to `a`; s must
 * outlive it. ERR_INPUT with the line of an instruction that does not
 * assemble. */
int program_from_text(struct arena *a, const struct catalogue *c,
		      struct mc_parser *parser, const struct source *s,
		      struct program *ret, struct err *e);

/* How program_add_bytes() treats bytes that do not decode. */
enum program_data {
	DATA_REFUSED,
	DATA_SKIPPED, /* append an instruction without a form */
};

/* Decode machine code and append it to *p. */
int program_add_bytes(struct arena *a, struct program *p,
		      const struct code *code, uint64_t address,
		      enum program_data data, struct err *e);

/* Resolve the targets of jumps by symbol or address. Call it once, after all
 * code was added. */
void program_link(struct arena *a, struct program *p);

/* Name the instruction with this index. */
void program_label(struct arena *a, struct program *p, const char *name,
		   uint32_t line, size_t insn);

/* The first instruction from `first` on that is not before `key`, in the order
 * that is_before() knows; p->n: none. */
size_t program_search(const struct program *p, size_t first,
		      bool (*is_before)(const struct insn *x, uint64_t key),
		      uint64_t key);

/* ---- disassembly.c: what objdump prints -------------------------------- */

/* Is the text a disassembly, of GNU objdump -d or llvm-objdump -d? */
bool disassembly_is(const char *text, size_t n);

/* Decode the machine code that the disassembly shows, and take its symbols as
 * labels.  Everything in *ret belongs to `a`.  Bytes that do not decode become
 * an instruction without a form.  ERR_INPUT, with the line, if the machine code
 * is missing (--no-show-raw-insn). */
int program_from_disassembly(struct arena *a, const struct catalogue *c,
			     const struct code *text, struct program *ret,
			     struct err *e);

/* ---- object.c: object files -------------------------------------------- */

/* Do the bytes start an object file? */
bool object_is(const unsigned char *bytes, size_t n);

/* Decode all code of the file and collect its symbols. Bytes that do not decode
 * become an instruction without a form. ERR_INPUT when the file is damaged or
 * for another ISA. */
int program_from_object(struct arena *a, const struct catalogue *c,
			const struct code *file, struct program *ret,
			struct err *e);

#endif
