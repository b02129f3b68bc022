/* Numbered tasks that several processes do at the same time. */
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

#include "host/base/err.h"
#include "host/base/file.h"

struct workers_job {
	/* Do a task and add its result to `out`.  Runs in a worker process, which
	 * is a copy of this one: what it changes is seen there only. */
	int (*work)(void *data, size_t task, struct buffer *out, struct err *e);
	/* Take the result of a task, of n bytes.  Runs in this process, in the
	 * order of the tasks. */
	int (*take)(void *data, size_t task, const unsigned char *result,
		    size_t n, struct err *e);
	void *data;
};

/* CPUs on which this process may run, at least 1. */
size_t workers_cpus(void);

/* Do all tasks with at most n_workers processes; 1: in this process.  Returns the
 * first error in the order of the tasks, after take() had what its task had added
 * until then; no later task is taken.  ERR_SYSTEM if a process cannot be started or
 * ends early.  Returns after all workers have ended. */
int workers_run(const struct workers_job *j, size_t n_tasks, size_t n_workers,
		struct err *e);

#endif
