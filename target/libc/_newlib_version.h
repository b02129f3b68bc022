/* The version cmake/newlib.cmake unpacks. */
#ifndef _NEWLIB_VERSION_H__
#define _NEWLIB_VERSION_H__   1

#define _NEWLIB_VERSION       "3.3.0"
#define __NEWLIB__            3
#define __NEWLIB_MINOR__      3
#define __NEWLIB_PATCHLEVEL__ 0

#endif
