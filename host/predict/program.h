/* Code as a list of instructions of the catalogue, whatever it came from. */
#ifndef PREDICT_PROGRAM_H
#define PREDICT_PROGRAM_H

#include "host/isa/isa.h"
#include "host/predict/source.h"

struct mc_parser; /* host/isa/mc_parse.h */

struct insn {
	struct instance instance; /* its form is NULL: no form has its opcode */
	const char *text;
	const char *symbol; /* that its address refers to, "" if none */
	uint32_t line;      /* of the source; 0: there is none */
	uint64_t address;
	uint8_t n_code;
	bool jumps;
	int32_t target; /* index of the instruction it jumps to, or -1 */
};

struct label {
	const char *name;
	uint32_t line;
	size_t insn; /* that follows */
};

/* Where a marked region begins, or the first instruction behind it. */
struct region_mark {
	bool begins;
	size_t insn;
};

struct program {
	const struct catalogue *c;
	const struct source *source; /* NULL: from bytes */
	size_t n;
	struct insn *insns;
	size_t n_labels;
	struct label *labels;
	/* Addresses are those at run time, but for multiples of a line. */
	bool placed;
	size_t n_marks; /* of bytes; those of text are the source's */
	struct region_mark *marks;
	size_t room, label_room, mark_room; /* allocated */
};

enum {
	PROGRAM_MAX_INSNS = 1 << 20,
	PROGRAM_LINE = 64, /* bytes of a line of code, on every core here */
};

/* Everything in *ret belongs to `a`, which may not be freed before. */
int program_from_text(struct arena *a, const struct catalogue *c,
		      struct mc_parser *parser, const struct source *s,
		      bool intel, struct program *ret, struct err *e);

/* What program_add_bytes() does with bytes that are no instruction. */
enum program_data {
	DATA_REFUSED,
	DATA_SKIPPED, /* an instruction of its own that nobody knows */
};

/* Machine code, appended to what is in *p; `name` for messages. */
int program_add_bytes(struct arena *a, struct program *p, const char *name,
		      const unsigned char *code, size_t n, uint64_t address,
		      enum program_data data, struct err *e);

/* Find where jumps go, by symbol or by address, once all code is there. */
void program_link(struct arena *a, struct program *p);

/* A name for the instruction with this index. */
void program_label(struct arena *a, struct program *p, const char *name,
		   uint32_t line, size_t insn);

#endif
