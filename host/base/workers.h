/* Numbered tasks that several processes do at the same time. */
#ifndef BASE_WORKERS_H
#define BASE_WORKERS_H

#include "host/base/err.h"
#include "host/base/file.h"

struct workers_job {
	/* Do a task and add its result to `out`.  Runs in a copy of this
	 * process; with one worker or one task in this process.  Must not
	 * change `data`. */
	int (*work)(void *data, size_t task, struct buffer *out, struct err *e);
	/* Take the result of a task, of n bytes.  Runs in this process, in the
	 * order of the tasks. */
	int (*take)(void *data, size_t task, const unsigned char *result,
		    size_t n, struct err *e);
	void *data;
};

/* CPUs on which this process may run, at least 1. */
size_t workers_cpus(void);

/* Do all tasks with at most n_workers processes; 1: in this process.  Of
 * several errors, that of the lowest task is returned.  take() has the part of
 * that task's result that there is, unless its process died; later results are
 * dropped, and their workers killed.  ERR_SYSTEM if a process ends early.  If
 * the system does not allow so many processes, fewer do the tasks.  No worker
 * is left on return. */
int workers_run(const struct workers_job *j, size_t n_tasks, size_t n_workers,
		struct err *e);

#endif
