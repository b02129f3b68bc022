/* The records of a board, and requirements on them.  A requirement that does
 * not hold ends the program with its name; each case is a process. */
#ifndef TESTS_QEMU_RECORDS_H
#define TESTS_QEMU_RECORDS_H

#include "common/wire.h"

enum { MAX_LINES = 4096 };

struct console {
	size_t n;
	char *lines[MAX_LINES];
};

__attribute__((noreturn)) void fail(const char *what, const char *detail);

/* The n-th record of a kind, starting with 0; false when there are fewer. */
bool find(const struct console *c, const char *kind, size_t n,
	  struct wire_record *ret);

/* The first record of a kind about kernel k. */
struct wire_record about(const struct console *c, const char *kind, uint64_t k);

uint64_t number(const struct wire_record *r, const char *key);
void want_word(const struct wire_record *r, const char *key, const char *want);

/* Every record arrived, in order: no gap up to bye. */
void want_whole(const struct console *c);

/* Cycles of one instruction: the slope between any two lengths is exact. */
void want_slope(const struct wire_record *r, uint64_t cycles);

/* The core retired the instructions of the bodies and no others. */
void want_alone(const struct wire_record *r);

/* The samples of both boots are equal. */
void want_same(const struct console *one, const struct console *two);

#endif
