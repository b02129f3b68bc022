/* What newlib's configure would write: its choices for a runtime that has no
 * wide characters, no floating point and no allocation.  Found before the
 * placeholder of the same name in newlib's own include folder. */
#ifndef __NEWLIB_H__
#define __NEWLIB_H__ 1

#include <_newlib_version.h>

#define _WANT_IO_LONG_LONG    1
#define _WANT_IO_C99_FORMATS  1
#define _WANT_REENT_SMALL     1
#define _MB_LEN_MAX           1
#define _NANO_FORMATTED_IO    1
#define _LITE_EXIT            1
#define _REENT_CHECK_VERIFY   1
#define _UNBUF_STREAM_OPT     1
#define _ATEXIT_DYNAMIC_ALLOC 1

#endif
