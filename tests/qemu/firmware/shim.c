#include "tests/qemu/firmware/shim.h"

enum { MAX_IMAGE = 8 << 20 };

typedef efi_status load_fn(uint8_t policy, efi_handle parent, const void *path,
			   const void *bytes, uint64_t n, efi_handle *ret);
typedef efi_status start_fn(efi_handle, uint64_t *n, uint16_t **data);

/* UEFI 2.10, 9.1: what follows the fields that a runtime uses. */
struct loaded {
	struct efi_loaded_image known;
	const unsigned char *base;
	uint64_t bytes;
};

static struct {
	const unsigned char *base;
	uint64_t bytes;
	unsigned char image[MAX_IMAGE];
} shim;

bool shim_is_application(const void *code)
{
	const unsigned char *p = code;

	return p >= shim.base && p < shim.base + shim.bytes;
}

efi_status efi_main(efi_handle image, struct efi_system_table *st);

static efi_status read_image(struct efi_system_table *st, efi_handle device,
			     uint64_t *ret_bytes)
{
	static const struct efi_guid guid = { 0x964e5b22,
					      0x6459,
					      0x11d2,
					      { 0x8e, 0x39, 0x00, 0xa0, 0xc9,
						0x69, 0x72, 0x3b } };
	struct efi_file_system *fs;
	struct efi_file *root, *f;
	efi_status status;
	void *p;

	status = st->boot->handle_protocol(device, &guid, &p);
	if (status)
		return status;
	fs = p;
	status = fs->open_volume(fs, &root);
	if (status)
		return status;
	status = root->open(root, &f, (const uint16_t *)u"\\anechoic.efi",
			    EFI_FILE_READ, 0);
	if (status)
		return status;
	*ret_bytes = sizeof(shim.image);
	return f->read(f, ret_bytes, shim.image);
}

efi_status efi_main(efi_handle image, struct efi_system_table *st)
{
	static const struct efi_guid loaded = { 0x5b1b31a1,
						0x9562,
						0x11d2,
						{ 0x8e, 0x3f, 0x00, 0xa0, 0xc9,
						  0x69, 0x72, 0x3b } };
	struct efi_loaded_image *own, *other;
	efi_handle handle = NULL;
	efi_status status;
	uint64_t n;
	void *p;

	status = st->boot->handle_protocol(image, &loaded, &p);
	if (status)
		return status;
	own = p;
	status = read_image(st, own->device, &n);
	if (!status)
		status = ((load_fn *)st->boot->image[0])(
			0, image, NULL, shim.image, n, &handle);
	if (!status)
		status = st->boot->handle_protocol(handle, &loaded, &p);
	if (status)
		return status;
	other = p;
	shim.base = ((const struct loaded *)other)->base;
	shim.bytes = ((const struct loaded *)other)->bytes;
	other->device = own->device;
	status = shim_install(st);
	if (status)
		return status;
	return ((start_fn *)st->boot->image[1])(handle, NULL, NULL);
}
