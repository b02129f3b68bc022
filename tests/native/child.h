/* A runtime as a child process: its console on pipes, its records decoded. */
#ifndef TESTS_NATIVE_CHILD_H
#define TESTS_NATIVE_CHILD_H

#include <sys/types.h>

#include "common/wire.h"

enum {
	CHILD_RECORDS_MAX = 128,
	/* Far longer than any step takes: the machine may be busy. */
	CHILD_TIMEOUT_MS = 240 * 1000,
};

struct child_record {
	char line[WIRE_LINE_MAX + 2];
	struct wire_record record; /* spans point into line */
};

struct child {
	pid_t pid;
	int in, out;
	size_t n_text; /* lines that were no records */
	uint64_t next_seq;
	size_t n_bytes, at; /* bytes read, and those of them that were used */
	char bytes[4096];
	size_t n_records;
	struct child_record records[CHILD_RECORDS_MAX];
};

/* Start `runtime` on a pack file, under `emulator` unless that is "". */
void child_start(struct child *c, const char *emulator, const char *runtime,
		 const char *pack);

/* Send a record; the sequence number does not matter to a runtime. */
void child_send(struct child *c, const char *bytes, size_t n);
void child_close_input(struct child *c);

/* Read the next record; NULL at the end of the stream. */
const struct wire_record *child_next(struct child *c);

/* Forget the records read so far: there is room for CHILD_RECORDS_MAX. */
void child_forget(struct child *c);

/* Read until a record of this kind, which is returned; NULL at the end of the
 * stream.  Records must be undamaged and their sequence without a gap. */
const struct wire_record *child_wait(struct child *c, const char *kind);

/* Read to the end; returns the exit status. */
int child_finish(struct child *c);

/* The i-th record of this kind among those read, or NULL. */
const struct wire_record *child_nth(const struct child *c, const char *kind,
				    size_t i);

/* Send a `load` (bytes, chunk), `sync` or `start` (from, to) record, and a
 * chunk of a pack of n bytes. */
void child_send_two(struct child *c, const char *kind, const uint64_t n[2]);
void child_send_chunk(struct child *c, const unsigned char *pack, size_t n,
		      uint64_t at);

#endif
