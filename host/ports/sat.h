/* Clauses, counters and a SAT solver (CaDiCaL). */
#ifndef PORTS_SAT_H
#define PORTS_SAT_H

#include <stdint.h>

#include "host/base/arena.h"

struct sat;

struct sat *sat_new(void);
void sat_free(struct sat *s);

/* A new variable: a positive number.  A literal is a variable or its
 * negative. */
int sat_var(struct sat *s);

/* Require that one of the literals is true. */
void sat_clause(struct sat *s, const int *literals, size_t n);
void sat_clause2(struct sat *s, int a, int b);
void sat_clause3(struct sat *s, int a, int b, int c);

/* A new variable that is true if and only if one of the literals is. */
int sat_or(struct sat *s, const int *literals, size_t n);

/* Count true literals: *ret[j] is true if and only if more than j literals are
 * true, for j < limit. Returns the number of outputs, at most min(n, limit).
 * *ret belongs to `a`. */
size_t sat_count(struct sat *s, struct arena *a, const int *literals, size_t n,
		 size_t limit, int **ret);

enum sat_answer { SAT_UNKNOWN = 0, SAT_YES = 10, SAT_NO = 20 };

/* Solve under n assumptions. Returns SAT_UNKNOWN after this many conflicts (0:
 * no limit), or after *steps of the solver, which becomes how many are left (NULL: no
 * limit).  Steps are counted, so the same problem takes as many on any machine. */
enum sat_answer sat_solve(struct sat *s, const int *assumptions, size_t n,
			  int conflicts, uint64_t *steps);

/* After SAT_YES: is the variable true? */
bool sat_value(struct sat *s, int variable);

/* After SAT_NO: was this assumption needed for the proof? */
bool sat_failed(struct sat *s, int assumption);

#endif
