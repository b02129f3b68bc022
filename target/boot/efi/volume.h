/* The disk that this application was started from: holds its options, and a
 * file for records on machines without a serial line. */
#ifndef BOOT_EFI_VOLUME_H
#define BOOT_EFI_VOLUME_H

#include "common/wire.h"
#include "target/boot/efi/efi.h"

/* Find the disk; read the options of \anechoic\anechoic.conf and of the load
 * options.  All of these are optional. */
void volume_options(const struct efi_system_table *st, efi_handle image);

/* Create the first \anechoic\run-NNN.log that does not exist yet; false if none
 * can be written. */
bool volume_log_open(void);

/* Append to it; on return the bytes are on the disk.  The task priority must be
 * that of an application.  False: no more can be written. */
bool volume_log(const char *bytes, size_t n);

/* Close it. */
void volume_log_close(void);

/* Name of the file, or "none". */
void volume_describe(struct wire_line *w);

#endif
