/* Finds cores of this machine that can measure in parallel without disturbing
 * each other. */
#ifndef LINK_CORES_H
#define LINK_CORES_H

#include <stddef.h>
#include <stdint.h>

/* Choose up to `most` (at most LINK_MAX_CORES) CPUs into ret_cpus: the current
 * one first, then CPUs that this process may run on, of the same kind, that
 * share no core with a chosen one.  Sharing is read from sysfs and also
 * measured, because a virtual machine may not know that its CPUs are SMT
 * siblings; siblings slow each other down.  Takes about 50 ms for each CPU
 * after the first.  Returns the number of CPUs; 0 if the current CPU is
 * unknown.  Source: sysfs-devices-system-cpu in the Linux ABI documentation. */
size_t cores_choose(size_t most, uint32_t *ret_cpus);

/* Is `cpu` in a CPU list in sysfs syntax, "0-3,8"?  Stops at the first syntax
 * error. */
int cores_listed(const char *list, uint32_t cpu);

/* Decide from alternating times whether two CPUs share a core: times[2 * i] was
 * measured while the other CPU was idle, times[2 * i + 1] while it was busy.
 * Uses the median of the ratios, so that disturbances by other programs do not
 * matter. */
int cores_shared(const double *times, size_t n_pairs);

#endif
