/* Cores of this machine that can measure at once without hearing each other. */
#ifndef LINK_CORES_H
#define LINK_CORES_H

#include <stddef.h>
#include <stdint.h>

/* Choose up to `most` (at most LINK_MAX_CORES) CPUs into ret_cpus: this one
 * first, then others that this process may run on, that are of the same make,
 * and that share no core with one chosen before - neither by what the system
 * says nor by what can be measured: a virtual machine need not know that its
 * CPUs are threads of one core, but each then takes longer while the other
 * works.  Takes about a twentieth of a second for each but the first.  Returns
 * how many; 0 when this CPU is not known.  Sources: sysfs-devices-system-cpu
 * of the Linux ABI documentation. */
size_t cores_choose(size_t most, uint32_t *ret_cpus);

/* Is `cpu` in a list of CPUs as sysfs has it, "0-3,8"?  False also where the
 * list ends in something else. */
int cores_listed(const char *list, uint32_t cpu);

/* Do times taken in turns, beside an idle and beside a busy neighbour, say
 * that the two share a core?  times[2 * i] is idle, times[2 * i + 1] busy;
 * the median over the pairs decides, so that what others do for a while, or
 * for less than a pair, does not. */
int cores_shared(const double *times, size_t n_pairs);

#endif
