/* Sleeping and waking between two processes: futexes in shared memory. */
#include "host/guest/exchange.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void exchange_wait(_Atomic uint32_t *word, uint32_t value,
		   unsigned milliseconds)
{
	struct timespec most = { .tv_sec = milliseconds / 1000,
				 .tv_nsec = milliseconds % 1000 * 1000000L };

	(void)syscall(SYS_futex, word, FUTEX_WAIT, value, &most, NULL, 0);
}

void exchange_wake(_Atomic uint32_t *word)
{
	(void)syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
