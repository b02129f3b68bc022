/* Clauses, counters and a solver: what this room needs of CaDiCaL. */
#ifndef PORTS_SAT_H
#define PORTS_SAT_H

#include "host/base/arena.h"

struct sat;

struct sat *sat_new(void);
void sat_free(struct sat *s);

int sat_var(struct sat *s);

/* A clause of n literals. */
void sat_clause(struct sat *s, const int *literals, size_t n);
void sat_clause2(struct sat *s, int a, int b);
void sat_clause3(struct sat *s, int a, int b, int c);

/* A variable that is true just when one of the literals is. */
int sat_or(struct sat *s, const int *literals, size_t n);

/* Count true literals: *ret[j] is true just when more than j of them are, for
 * j < limit.  Returns how many outputs there are (at most n); those beyond
 * would be false, or are cut off at the limit. */
size_t sat_count(struct sat *s, struct arena *a, const int *literals, size_t n,
		 size_t limit, int **ret);

enum sat_answer { SAT_UNKNOWN = 0, SAT_YES = 10, SAT_NO = 20 };

/* Is there a solution under these assumptions?  Gives up after so many
 * conflicts (0: never). */
enum sat_answer sat_solve(struct sat *s, const int *assumptions, size_t n,
			  int conflicts);

/* Of the last SAT_YES: is the variable true? */
bool sat_value(struct sat *s, int variable);

/* Of the last SAT_NO: did it need this assumption? */
bool sat_failed(struct sat *s, int assumption);

#endif
