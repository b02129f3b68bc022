/* What a process does with memory and calls, and a runtime that owns the machine
 * does not. */
#include "target/boot.h"

/* Memory is what the image has, and it is everywhere. */
void *boot_memory(size_t n, bool huge)
{
	(void)n;
	(void)huge;
	return NULL;
}

bool boot_appear(uint32_t owner, uint64_t at, size_t n)
{
	(void)owner;
	(void)at;
	(void)n;
	return false;
}

/* A call of the firmware is a trap to it. */
bool boot_refuse_calls(void)
{
	return false;
}

/* There is one place. */
void *boot_move(void *code, size_t n_code, void *data, size_t n_data)
{
	(void)n_code;
	(void)data;
	(void)n_data;
	return code;
}
