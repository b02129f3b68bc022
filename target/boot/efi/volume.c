#include "target/boot/efi/volume.h"

#include <string.h>

#include "target/core/options.h"

enum {
	MAX_TEXT = 4096,
	MAX_RUNS = 999,
	NAME_DIGITS = 4, /* offset of the number in "run-NNN.log" */
};

static struct {
	struct efi_file *root;
	struct efi_file *log;
	char name[sizeof("run-NNN.log")];
	char text[MAX_TEXT];
} volume = {
	.name = "run-000.log",
};

/* Load options are UCS-2 if they are text.  An entry of the boot menu may have
 * any bytes; these parse as words that are no options. */
static void take_load_options(const struct efi_loaded_image *li)
{
	const uint8_t *bytes = li->options;
	size_t n = li->options_bytes / sizeof(uint16_t);

	if (!bytes)
		return;
	if (n > sizeof(volume.text))
		n = sizeof(volume.text);
	for (size_t i = 0; i < n; i++)
		volume.text[i] = bytes[2 * i + 1] ? '?' : (char)bytes[2 * i];
	options_take(volume.text, n);
}

static void take_file(void)
{
	struct efi_file *root = volume.root;
	struct efi_file *f;
	uint64_t n = sizeof(volume.text);

	if (root->open(root, &f, u"\\anechoic\\anechoic.conf", EFI_FILE_READ,
		       0))
		return;
	if (f->read(f, &n, volume.text) == 0 && n <= sizeof(volume.text))
		options_take(volume.text, (size_t)n);
	(void)f->close(f);
}

void volume_options(const struct efi_system_table *st, efi_handle image)
{
	/* EFI_LOADED_IMAGE_PROTOCOL_GUID, and that of the simple file system:
	 * UEFI 2.10, 9.1 and 13.4. */
	static const struct efi_guid loaded = { 0x5b1b31a1,
						0x9562,
						0x11d2,
						{ 0x8e, 0x3f, 0x00, 0xa0, 0xc9,
						  0x69, 0x72, 0x3b } };
	static const struct efi_guid system = { 0x964e5b22,
						0x6459,
						0x11d2,
						{ 0x8e, 0x39, 0x00, 0xa0, 0xc9,
						  0x69, 0x72, 0x3b } };
	struct efi_loaded_image *li;
	struct efi_file_system *fs;
	void *p;

	if (st->boot->handle_protocol(image, &loaded, &p))
		return;
	li = p;
	if (li->device && !st->boot->handle_protocol(li->device, &system, &p)) {
		fs = p;
		if (fs->open_volume(fs, &volume.root))
			volume.root = NULL;
	}
	if (volume.root)
		take_file();
	take_load_options(li);
}

/* Open a file of the folder; `mode` is read only to test for existence. */
static struct efi_file *open_run(struct efi_file *folder, uint64_t mode)
{
	uint16_t name[sizeof(volume.name)];
	struct efi_file *f;

	for (size_t i = 0; i < ARRAY_LEN(name); i++)
		name[i] = (unsigned char)volume.name[i];
	return folder->open(folder, &f, name, mode, 0) ? NULL : f;
}

static void number_run(unsigned n)
{
	char *digit = volume.name + NAME_DIGITS;

	digit[0] = (char)('0' + n / 100);
	digit[1] = (char)('0' + n / 10 % 10);
	digit[2] = (char)('0' + n % 10);
}

bool volume_log_open(void)
{
	const uint64_t mode = EFI_FILE_READ | EFI_FILE_WRITE | EFI_FILE_CREATE;
	struct efi_file *root = volume.root;
	struct efi_file *folder;

	if (!root ||
	    root->open(root, &folder, u"\\anechoic", mode, EFI_FILE_DIRECTORY))
		return false;
	for (unsigned n = 1; n <= MAX_RUNS && !volume.log; n++) {
		struct efi_file *old;

		number_run(n);
		old = open_run(folder, EFI_FILE_READ);
		if (old) {
			(void)old->close(old);
			continue;
		}
		volume.log = open_run(folder, mode);
		if (!volume.log)
			break;
	}
	(void)folder->close(folder);
	return volume.log != NULL;
}

bool volume_log(const char *bytes, size_t n)
{
	struct efi_file *f = volume.log;
	uint64_t took = n;

	return f && f->write(f, &took, bytes) == 0 && took == n &&
	       f->flush(f) == 0;
}

void volume_log_close(void)
{
	if (volume.log)
		(void)volume.log->close(volume.log);
	volume.log = NULL;
}

void volume_describe(struct wire_line *w)
{
	wire_word(w, "log", volume.log ? volume.name : "none");
}
