/* Disks: a FAT file system laid out by mtools, and a partition table around
 * one. */
#ifndef IMAGE_DISK_H
#define IMAGE_DISK_H

#include "host/base/file.h"

/* A file of the disk; its folders are made as needed. */
struct disk_file {
	const char *path; /* "EFI/BOOT/BOOTAA64.EFI" */
	const void *bytes;
	size_t n;
};

/* A FAT32 file system with these files and at least as much room again as it
 * takes to be FAT32 at all.  ERR_SYSTEM when mtools are missing or fail;
 * *ret is empty then. */
int disk_fat(const struct disk_file *files, size_t n, struct buffer *ret,
	     struct err *e);

/* The file system as the only partition of a disk with a GUID partition
 * table. */
int disk_gpt(const struct buffer *partition, struct buffer *ret, struct err *e);

/* What a program makes of a file: argv, in which "@IN@" and "@OUT@" stand for
 * files, is run on `in`.  `package` is named when there is no such program. */
int disk_tool(const char *const *argv, const char *package,
	      const struct buffer *in, struct buffer *ret, struct err *e);

#endif
