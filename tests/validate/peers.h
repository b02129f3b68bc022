/* What other programs say of a loop, where they are installed. */
#ifndef TESTS_VALIDATE_PEERS_H
#define TESTS_VALIDATE_PEERS_H

#include "tests/validate/subject.h"

struct peer {
	const char *name;
	const char *program; /* NULL: not installed */
	const char *cpu;     /* as the program calls it */
	/* Cycles of an iteration of the loop in the file; below zero: it does
	 * not say. */
	double (*ask)(const struct peer *p, const char *path);
};

enum { PEERS_MCA, PEERS_OSACA, PEERS_N };

extern const struct peer peers[PEERS_N]; /* neither program nor CPU */

/* The name of an LLVM CPU in OSACA; NULL: it has none. */
const char *peers_osaca_arch(const char *cpu);

double peers_ask(const struct peer *p, const struct program *program,
		 const struct loop *loop);

#endif
