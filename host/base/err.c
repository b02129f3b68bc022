/* Error messages; see err.h. */
#include "host/base/err.h"

#include <stdarg.h>
#include <stdio.h>

int err_set(struct err *e, int code, const char *format, ...)
{
	if (e->code == ERR_OK) {
		va_list args;

		va_start(args, format);
		(void)vsnprintf(e->message, sizeof(e->message), format, args);
		va_end(args);
		e->code = code;
	}
	return code;
}

int err_exit_status(int code)
{
	switch (code) {
	case ERR_OK:
		return 0;
	case ERR_USAGE:
	case ERR_INPUT:
		return 2;
	default:
		return 1;
	}
}
