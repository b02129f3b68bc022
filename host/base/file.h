/* Reading and writing of whole files.  A reader sees the old file or the new
 * one, never a part. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "host/base/arena.h"
#include "host/base/err.h"

/* Read a file of at most `limit` bytes into the arena (16-byte aligned, a NUL
 * after the last byte); "-" is standard input.  ERR_INPUT if it cannot be read
 * or is too long. */
int file_read(struct arena *a, const char *path, size_t limit,
	      unsigned char **ret_bytes, size_t *ret_n, struct err *e);

/* The same of a text: ERR_INPUT, too, if it has a NUL byte. */
int file_read_text(struct arena *a, const char *path, size_t limit,
		   char **ret_text, size_t *ret_n, struct err *e);

/* Cut the first line off the text at *at, which ends with a NUL, and move *at behind
 * it.  Returns the line without "\n" or "\r\n"; NULL at the end of the text. */
char *text_take_line(char **at);

/* Append the rest of an open file, of at most `limit` bytes, to the buffer;
 * `path` is its name in messages. */
struct buffer;
int file_read_open(int fd, const char *path, size_t limit, struct buffer *b,
		   struct err *e);

/* Write a file: a new one in the same folder, then fsync and rename; "-" is
 * standard output.  A file that is there keeps its permissions, and its owner
 * if that is possible; a link stays, and its target is written.  Devices, pipes
 * and files whose folder takes no new ones are written directly.  ERR_INPUT if
 * the file cannot be opened, ERR_SYSTEM if it cannot be written. */
int file_write(const char *path, const void *bytes, size_t n, struct err *e);

/* The path to which a path leads by symbolic links, in the arena; a file of
 * that name may be missing.  Without links it is `path` itself. */
const char *file_target(struct arena *a, const char *path);

/* Give an open file the owner and the permissions of the file that it is to
 * replace, as far as this user may. */
struct stat;
void file_keep_rights(int fd, const struct stat *old);

/* Write all bytes to an open file, also if it takes several calls.  False, and
 * errno: a call failed. */
bool file_put(int fd, const void *bytes, size_t n);

/* Read n bytes of an open file, or as many as are left; *ret_n: how many.
 * False, and errno: a call failed. */
bool file_get(int fd, void *bytes, size_t n, size_t *ret_n);

/* A growing byte buffer.  Zero-initialise before use. */
struct buffer {
	unsigned char *bytes;
	size_t n, room;
};

/* The place after the last byte, with room for n more. */
unsigned char *buffer_reserve(struct buffer *b, size_t n);

void buffer_add(struct buffer *b, const void *p, size_t n);
void buffer_printf(struct buffer *b, const char *format, ...) PRINTF_LIKE(2, 3);
void buffer_free(struct buffer *b);

/* The bytes as text, valid until the buffer changes: a NUL is behind them,
 * which is none of its n bytes. */
const char *buffer_text(struct buffer *b);

/* Move the bytes, and a NUL behind them, to the arena; the buffer is free. */
char *buffer_take(struct arena *a, struct buffer *b);

/* The same for items of `size` bytes each; *ret_n: how many there are. */
void *buffer_take_list(struct arena *a, struct buffer *b, size_t size,
		       size_t *ret_n);

#endif
