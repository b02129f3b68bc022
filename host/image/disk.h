/* Builds disks: a FAT file system, made with mtools, and a partition table. */
#ifndef IMAGE_DISK_H
#define IMAGE_DISK_H

#include "host/base/file.h"

/* A file of the disk.  Its folders are created. */
struct disk_file {
	const char *path; /* "EFI/BOOT/BOOTAA64.EFI" */
	const void *bytes;
	size_t n;
};

/* Write a number, the lowest byte first. */
static inline void disk_put(unsigned char *p, uint64_t v, unsigned n_bytes)
{
	for (unsigned i = 0; i < n_bytes; i++)
		p[i] = (unsigned char)(v >> 8 * i);
}

/* Make a FAT32 file system with these files.  Its free space is at least the
 * size of the smallest FAT32 file system.  ERR_SYSTEM with empty *ret if mtools
 * are missing or fail. */
int disk_fat(const struct disk_file *files, size_t n, struct buffer *ret,
	     struct err *e);

/* Make a disk with a GUID partition table and one partition. */
int disk_gpt(const struct buffer *partition, struct buffer *ret, struct err *e);

/* Run a program on a file: in argv, "@IN@" and "@OUT@" stand for files that
 * hold `in` and receive *ret.  `package` is the Debian package named in the
 * message if the program is missing. */
int disk_tool(const char *const *argv, const char *package,
	      const struct buffer *in, struct buffer *ret, struct err *e);

#endif
