/* libanechoic: cycles of a loop on a core, and the reasons.
 *
 *	struct anechoic *core;
 *	struct anechoic_result *r;
 *	char why[ANECHOIC_MESSAGE];
 *
 *	if (anechoic_open(&(struct anechoic_source){ .cpu = "skylake",
 *						     .isa = "x86_64" },
 *			  &core, why) != ANECHOIC_OK)
 *		...
 *	if (anechoic_predict_text(core, "x.s", text, NULL, &r, why) == 0)
 *		printf("%g cycles: %s\n", anechoic_bounds(r)->cycles,
 *		       anechoic_bounds(r)->why);
 *
 * The program's locale changes neither what is read nor what is printed, and
 * the library leaves it as it is.
 *
 * Threads: nothing here is global.  A core and its results may be used by one
 * thread at a time, several cores by several threads, also from the first call
 * on.  A program that registers targets of the same libLLVM by itself, or
 * installs a handler of LLVM for memory shortage, does so before other threads
 * call this library.
 *
 * Stack: a thread needs ANECHOIC_STACK bytes (musl's default is 128 KiB:
 * pthread_attr_setstacksize()).
 *
 * Memory: shortage is ANECHOIC_FAILED, or NULL of anechoic_print(), here and in
 * LLVM; what was given out before stays valid, no file stays open, and later
 * calls work.  LLVM, interrupted in its work, loses what it had allocated for
 * it.  Where the system's LLVM cannot be unwound, its shortage ends the
 * program.
 *
 * Strings and results live until their owner is freed.  Link with
 * `pkg-config --libs anechoic`. */
#ifndef ANECHOIC_H
#define ANECHOIC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	ANECHOIC_OK = 0,
	ANECHOIC_USAGE = -1,    /* contradictory arguments */
	ANECHOIC_INPUT = -2,    /* text, code or model that cannot be read */
	ANECHOIC_FAILED = -3,   /* anything else, such as memory shortage */
	ANECHOIC_MESSAGE = 600, /* room for a message */
	/* Stack on which every call runs.  With LLVM 19 on x86-64 calls use
	 * 31 KiB, 72 KiB if operands are nested as deeply as is allowed
	 * (`library_stack -measure`); LLVM makes up most of it. */
	ANECHOIC_STACK = 256 << 10,
};

/* Source of a core's model: exactly one of database, file and cpu. */
struct anechoic_source {
	const char *database; /* measurements of this program */
	const char *file;     /* model.json, or a model of another tool */
	const char *cpu;      /* LLVM's name of the CPU, or "native" */
	const char *board; /* in the database; NULL: that of the newest run */
	/* x86_64 aarch64 riscv64; NULL: the source's, or this machine's */
	const char *isa;
	/* Published tables for what the model lacks: LLVM's name of a CPU, a
	 * model file, or "none"; NULL: LLVM's of the model's CPU, if any. */
	const char *tables;
};

struct anechoic;

/* Load a model into *ret_core, which anechoic_close() frees. A model that was
 * loaded before comes from the user's cache directory, unless the environment
 * variable ANECHOIC_NO_CACHE is set. Returns
 * ANECHOIC_OK or an error code. `message` points to ANECHOIC_MESSAGE bytes and
 * receives the error message; this holds for all functions below. */
int anechoic_open(const struct anechoic_source *source,
		  struct anechoic **ret_core, char *message);
void anechoic_close(struct anechoic *core);

/* Marks that enclose the loop. */
enum {
	ANECHOIC_MARKS_ANY = 0,  /* of any kind, or none */
	ANECHOIC_MARKS_OSACA,    /* comments, or IACA's bytes */
	ANECHOIC_MARKS_LLVM_MCA, /* comments */
	ANECHOIC_MARKS_NONE,     /* marks are ignored */
};

struct anechoic_options {
	int intel;            /* x86 text starts in Intel syntax; 0: as its
			       * directives or its operands say */
	int bounds_only;      /* no simulation */
	int equal_split;      /* split each uop equally over its ports */
	const char *function; /* search only this function; NULL: all */
	unsigned first_line, last_line; /* 0: no line range */
	int marker;                     /* ANECHOIC_MARKS_... */
	int any_alignment; /* predict the worst alignment of streams, too */
};

struct anechoic_result;

/* An object file in memory.  The bytes and the name stay the caller's, and are not
 * needed after the call that takes them. */
struct anechoic_object {
	const char *name; /* for messages */
	const void *bytes;
	size_t n;
};

/* Predict the loop in assembly text (also a listing of Microsoft's compiler, or
 * what objdump -d prints), in an object file, or in plain machine code. `name`
 * is used in messages; options may be NULL. *ret_result is freed with
 * anechoic_free(), before the core is closed. */
int anechoic_predict_text(struct anechoic *core, const char *name,
			  const char *text,
			  const struct anechoic_options *options,
			  struct anechoic_result **ret_result, char *message);
int anechoic_predict_object(struct anechoic *core,
			    const struct anechoic_object *object,
			    const struct anechoic_options *options,
			    struct anechoic_result **ret_result, char *message);
int anechoic_predict_code(struct anechoic *core, const void *code, size_t n,
			  const struct anechoic_options *options,
			  struct anechoic_result **ret_result, char *message);
void anechoic_free(struct anechoic_result *result);

/* Cycles per iteration; 0: this bound is unknown. */
struct anechoic_bounds {
	double cycles; /* the prediction */
	double throughput, ports, front_end;
	double carried, critical_path;
	double simulated;
	size_t n_instructions;
	size_t n_assumed; /* instructions with an assumption among them */
	const char *why;
	double worst_cycles; /* at the worst alignment; 0: not asked for */
};
const struct anechoic_bounds *anechoic_bounds(const struct anechoic_result *r);

/* The result as "text", "json", "html" or "dot"; NULL for any other format, or
 * if memory is short. */
const char *anechoic_print(struct anechoic_result *result, const char *format);

#ifdef __cplusplus
}
#endif

#endif
