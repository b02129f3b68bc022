/* Deletes faults of kernels that are to be measured again. */
#include "host/store/store_db.h"

int store_fault_remove(struct store *s, int64_t run, uint32_t kernel,
		       struct err *e)
{
	return store_write(s, e, "fault",
			   "DELETE FROM fault WHERE run = ? AND kernel = ?",
			   "ii", run, (int64_t)kernel);
}
