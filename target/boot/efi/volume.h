/* The disk this application was started from: options are read from it, and
 * records go to a file on it, for machines without a serial line. */
#ifndef BOOT_EFI_VOLUME_H
#define BOOT_EFI_VOLUME_H

#include "common/wire.h"
#include "target/boot/efi/efi.h"

/* Find the disk; take the options of \anechoic\anechoic.conf and of the
 * load options.  Nothing of it need exist. */
void volume_options(const struct efi_system_table *st, efi_handle image);

/* Begin the first \anechoic\run-NNN.log that does not exist yet; false where
 * none can be written. */
bool volume_log_open(void);

/* Append to it; on return the bytes are on the disk.  The task priority must
 * be that of an application.  False: nothing more can be written. */
bool volume_log(const char *bytes, size_t n);

/* No more will be written. */
void volume_log_close(void);

/* Name of the file, or "none". */
void volume_describe(struct wire_line *w);

#endif
