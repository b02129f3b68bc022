/* The user's cache directory: $XDG_CACHE_HOME/anechoic, or ~/.cache/anechoic.
 * Its files can be built again at any time; at most CACHE_MAX_FILES are kept,
 * those that were used last.
 *
 * The cache is off if the environment variable ANECHOIC_NO_CACHE is set, if
 * there is no such directory and none can be made, or if the directory, or the
 * one above it, is another user's, as root's HOME under sudo may be, or the
 * directory is one that others can write. */
#ifndef BASE_CACHE_H
#define BASE_CACHE_H

#include "host/base/arena.h"
#include "host/base/file.h"

enum { CACHE_MAX_FILES = 16 };

/* Path of the cache's file for this subject ("catalogue x86_64": its name
 * begins with the first word), owned by `a`. NULL: the cache is off. */
char *cache_path(struct arena *a, const char *subject);

/* Append what tells one state of a file from another: its path, device, inode,
 * size, times, and the change counter of an SQLite database. False: the file
 * cannot be read, or has changed so recently that a later change could look the
 * same. */
bool cache_identify(struct buffer *key, const char *path);

/* A file of the cache was used, or written: it is removed last. */
void cache_touch(const char *path);

/* Remove the files that were used longest ago. */
void cache_trim(const char *path);

#endif
