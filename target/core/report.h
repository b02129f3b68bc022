/* Records to the host: one console, one line buffer, one sequence. */
#ifndef CORE_REPORT_H
#define CORE_REPORT_H

#include "common/wire.h"

/* Choose the first console that is present; false: there is none. */
bool report_open(void);

/* Its name. */
const char *report_console(void);

/* Start a record; fill it through the returned line, then call report_send().
 * There is one line: a second call discards the first. */
struct wire_line *report_begin(const char *kind);

/* Finish the record and write it in one piece.  False, with nothing sent and
 * the sequence unchanged, when a field did not fit. */
bool report_send(void);

/* A second destination for every record, written before the console: a record
 * that the host answers has been written.  The function returns false when it
 * is full; then a message goes to the console, and further records only there. 
 * NULL: none. */
void report_tee(bool (*write)(const char *bytes, size_t n));

/* A record with the one field m. */
void report_message(const char *kind, const char *m);

/* Next byte from the host, or -1 if none has arrived. */
int report_read(void);

/* Wait until a byte may have arrived, at most about `ms`. */
void report_wait(unsigned ms);

/* Has the host closed its side for good? */
bool report_closed(void);

struct arch_fault;

/* Append what the fields of every record `fault` have in common: cause, code,
 * pc and addr. */
void report_fault(struct wire_line *w, const struct arch_fault *f);

#endif
