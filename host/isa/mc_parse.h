/* LLVM's assembly parser behind plain C: text in, one call per instruction or
 * label out.
 *
 * Uses the numbers of opcodes and registers of host/isa/mc.h.  Its input may
 * be hostile: no directive that reads files, repeats lines or defines macros is
 * executed, and no expression is evaluated that LLVM cannot take; see
 * mc_guard.h. */
#ifndef ISA_MC_PARSE_H
#define ISA_MC_PARSE_H

#include "host/isa/mc.h"

struct mc_parser;

struct mc_statement {
	uint32_t line; /* line in the text, from 1 */
	/* A label's name, else the symbol an operand refers to, "" if none;
	 * valid during the call. */
	const char *name;
	bool is_label;
	bool branch; /* then `name` is the symbol of its target */
	/* Bytes that a directive wrote (.byte, .inst): any part of one
	 * instruction or more, or data. */
	bool is_raw;
	/* Machine code; symbols count as 0.  0 bytes: LLVM cannot encode it. */
	size_t n_code;
	unsigned char code[MC_MAX_CODE];
};

/* A nonzero result ends the parsing; mc_parse() returns it. */
typedef int (*mc_sink)(void *context, const struct mc_statement *s);

/* One instruction set with these features; ERR_SYSTEM if LLVM lacks it. */
int mc_parser_open(const char *triple, const char *cpu, const char *features,
		   struct mc_parser **ret_parser, struct err *e);
void mc_parser_close(struct mc_parser *p);

/* n bytes of assembly, followed by a NUL. */
struct mc_text {
	const char *name; /* of the file, for messages */
	const char *text;
	size_t n;
	unsigned dialect; /* 0: the assembler's usual; 1: its second (Intel) */
};

/* ERR_INPUT: "name:line:column: what". */
int mc_parse(struct mc_parser *p, const struct mc_text *x, mc_sink sink,
	     void *context, struct err *e);

#endif
