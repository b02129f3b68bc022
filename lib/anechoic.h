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
 * Nothing here is global: a core may be used by one thread at a time, several
 * cores by several threads.  Strings and results live until their owner is
 * freed.  Link with `pkg-config --libs anechoic`. */
#ifndef ANECHOIC_H
#define ANECHOIC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	ANECHOIC_OK = 0,
	ANECHOIC_USAGE = -1,    /* arguments that make no sense */
	ANECHOIC_INPUT = -2,    /* text, code or model that cannot be read */
	ANECHOIC_FAILED = -3,   /* anything else, such as memory shortage */
	ANECHOIC_MESSAGE = 600, /* room for a message */
};

/* Where the model of a core comes from: one of the first three. */
struct anechoic_source {
	const char *database; /* of measurements */
	const char *file;     /* model.json, or another tool's */
	const char *cpu;      /* LLVM's name of it, or "native" */
	const char *board;    /* of the database; NULL: the newest run's */
	const char *isa;      /* x86_64 aarch64 riscv64; NULL: the source's, or
			       * this machine's */
};

struct anechoic;

/* Load a model.  `message` has ANECHOIC_MESSAGE bytes and says what is wrong
 * unless ANECHOIC_OK is returned; so everywhere below. */
int anechoic_open(const struct anechoic_source *source,
		  struct anechoic **ret_core, char *message);
void anechoic_close(struct anechoic *core);

struct anechoic_options {
	int intel;            /* syntax of x86 text, until it says otherwise */
	int bounds_only;      /* do not simulate */
	int equal_split;      /* every port of a uop gets the same part */
	const char *function; /* look for the loop there; NULL: anywhere */
	unsigned first_line, last_line; /* 0: not by lines */
};

struct anechoic_result;

/* Predict the loop in a compiler's assembly, an object file, or machine code
 * without a file around it.  `name` is for messages; options may be NULL.  The
 * result may outlive neither the core nor anechoic_free(). */
int anechoic_predict_text(struct anechoic *core, const char *name,
			  const char *text,
			  const struct anechoic_options *options,
			  struct anechoic_result **ret_result, char *message);
int anechoic_predict_object(struct anechoic *core, const char *name,
			    const void *bytes, size_t n,
			    const struct anechoic_options *options,
			    struct anechoic_result **ret_result, char *message);
int anechoic_predict_code(struct anechoic *core, const void *code, size_t n,
			  const struct anechoic_options *options,
			  struct anechoic_result **ret_result, char *message);
void anechoic_free(struct anechoic_result *result);

/* Cycles per iteration; 0 where a bound is not known. */
struct anechoic_bounds {
	double cycles; /* what is predicted */
	double throughput, ports, front_end;
	double carried, critical_path;
	double simulated;
	size_t n_instructions;
	size_t n_assumed; /* of them, those about which something is assumed */
	const char *why;
};
const struct anechoic_bounds *anechoic_bounds(const struct anechoic_result *r);

/* The result as "text", "json", "html" or "dot"; NULL for any other format, or
 * if memory is short. */
const char *anechoic_print(struct anechoic_result *result, const char *format);

#ifdef __cplusplus
}
#endif

#endif
