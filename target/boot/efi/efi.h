/* The part of the UEFI 2.10 interface a runtime uses; unused slots of the
 * tables are `void *`.  Every call returns 0 for success. */
#ifndef BOOT_EFI_EFI_H
#define BOOT_EFI_EFI_H

#include "common/types.h"
#include "efi_abi.h" /* of boot/efi/<isa>, by include path */

typedef uint64_t efi_status;
typedef void *efi_handle;

enum {
	EFI_LOADER_CODE = 1, /* memory types */
	EFI_LOADER_DATA = 2,
	EFI_BOOT_SERVICES_CODE = 3,
	EFI_BOOT_SERVICES_DATA = 4,
	EFI_CONVENTIONAL = 7,
	EFI_ALLOCATE_ANY = 0,
	EFI_TPL_NOTIFY = 16,
	EFI_RESET_SHUTDOWN = 2,
	EFI_PAGE = 4096,
};

#define EFI_ERROR_BIT        (UINT64_C(1) << 63)
#define EFI_BUFFER_TOO_SMALL (EFI_ERROR_BIT | 5)
#define EFI_NOT_READY        (EFI_ERROR_BIT | 6)

struct efi_guid {
	uint32_t a;
	uint16_t b, c;
	uint8_t d[8];
};

struct efi_table_header {
	uint64_t signature;
	uint32_t revision, bytes, crc, reserved;
};

struct efi_text_output {
	void *reset;
	efi_status(EFIAPI *output)(struct efi_text_output *,
				   const uint16_t *text);
};

struct efi_key {
	uint16_t scan_code;
	uint16_t character;
};

struct efi_text_input {
	void *reset;
	efi_status(EFIAPI *read_key)(struct efi_text_input *,
				     struct efi_key *ret);
	void *wait_for_key;
};

struct efi_serial_mode {
	uint32_t control_mask, timeout_us;
	uint64_t baud_rate;
	uint32_t fifo_depth, data_bits, parity, stop_bits;
};

struct efi_serial {
	uint32_t revision;
	void *reset;
	efi_status(EFIAPI *set_attributes)(struct efi_serial *, uint64_t baud,
					   uint32_t fifo, uint32_t timeout_us,
					   uint32_t parity, uint8_t data_bits,
					   uint32_t stop_bits);
	void *set_control;
	efi_status(EFIAPI *get_control)(struct efi_serial *, uint32_t *ret);
	efi_status(EFIAPI *write)(struct efi_serial *, uint64_t *bytes,
				  const void *p);
	efi_status(EFIAPI *read)(struct efi_serial *, uint64_t *bytes, void *p);
	struct efi_serial_mode *mode;
};

/* The image as it was started; device: what it was read from. */
struct efi_loaded_image {
	uint32_t revision;
	efi_handle parent;
	struct efi_system_table *system;
	efi_handle device;
	void *path;
	void *reserved;
	uint32_t options_bytes;
	const void *options;
};

#define EFI_FILE_READ      UINT64_C(1)
#define EFI_FILE_WRITE     UINT64_C(2)
#define EFI_FILE_CREATE    (UINT64_C(1) << 63)
#define EFI_FILE_DIRECTORY UINT64_C(0x10)

struct efi_file {
	uint64_t revision;
	efi_status(EFIAPI *open)(struct efi_file *, struct efi_file **ret,
				 const uint16_t *name, uint64_t mode,
				 uint64_t attributes);
	efi_status(EFIAPI *close)(struct efi_file *);
	void *remove;
	efi_status(EFIAPI *read)(struct efi_file *, uint64_t *bytes, void *p);
	efi_status(EFIAPI *write)(struct efi_file *, uint64_t *bytes,
				  const void *p);
	void *position[2];
	void *info[2];
	efi_status(EFIAPI *flush)(struct efi_file *);
};

struct efi_file_system {
	uint64_t revision;
	efi_status(EFIAPI *open_volume)(struct efi_file_system *,
					struct efi_file **ret);
};

#define EFI_MEMORY_XP UINT64_C(0x4000)  /* may not be executed */
#define EFI_MEMORY_RO UINT64_C(0x20000) /* may not be written */

struct efi_memory_attribute {
	void *get;
	efi_status(EFIAPI *set)(struct efi_memory_attribute *, uint64_t from,
				uint64_t bytes, uint64_t attributes);
	efi_status(EFIAPI *clear)(struct efi_memory_attribute *, uint64_t from,
				  uint64_t bytes, uint64_t attributes);
};

/* An item of the memory map, or the beginning of a longer one. */
struct efi_memory {
	uint32_t type;
	uint64_t from, virtual_from, n_pages, attributes;
};

struct efi_boot_services {
	struct efi_table_header header;
	uint64_t(EFIAPI *raise_tpl)(uint64_t tpl);
	void(EFIAPI *restore_tpl)(uint64_t tpl);
	efi_status(EFIAPI *allocate_pages)(unsigned how, unsigned type,
					   uint64_t pages, uint64_t *address);
	efi_status(EFIAPI *free_pages)(uint64_t address, uint64_t pages);
	efi_status(EFIAPI *get_memory_map)(uint64_t *bytes, void *map,
					   uint64_t *key, uint64_t *item,
					   uint32_t *version);
	void *pool[2];
	efi_status(EFIAPI *create_event)(uint32_t type, uint64_t tpl,
					 void *notify, void *context,
					 efi_handle *ret);
	void *events[5];
	void *install[3];
	efi_status(EFIAPI *handle_protocol)(efi_handle, const struct efi_guid *,
					    void **ret);
	void *reserved;
	void *locate[4];
	void *image[2];
	efi_status(EFIAPI *exit)(efi_handle, efi_status, uint64_t bytes,
				 const uint16_t *reason);
	void *unload;
	efi_status(EFIAPI *exit_boot_services)(efi_handle, uint64_t key);
	void *monotonic_count;
	efi_status(EFIAPI *stall)(uint64_t us);
	efi_status(EFIAPI *set_watchdog)(uint64_t s, uint64_t code,
					 uint64_t bytes, const uint16_t *data);
	void *controllers[2];
	void *protocols[5];
	efi_status(EFIAPI *locate_protocol)(const struct efi_guid *,
					    void *registration, void **ret);
};

struct efi_runtime_services {
	struct efi_table_header header;
	void *time[4];
	void *memory[2];
	void *variables[3];
	void *monotonic_count;
	void(EFIAPI *reset)(unsigned type, efi_status, uint64_t bytes,
			    const void *data);
};

struct efi_configuration {
	struct efi_guid guid;
	const void *table;
};

struct efi_system_table {
	struct efi_table_header header;
	const uint16_t *vendor;
	uint32_t revision;
	efi_handle in_handle;
	struct efi_text_input *in;
	efi_handle out_handle;
	struct efi_text_output *out;
	efi_handle error_handle;
	struct efi_text_output *error;
	struct efi_runtime_services *runtime;
	struct efi_boot_services *boot;
	uint64_t n_configuration;
	const struct efi_configuration *configuration;
};

_Static_assert(offsetof(struct efi_system_table, boot) == 96, "UEFI 4.3");
_Static_assert(offsetof(struct efi_memory, n_pages) == 24, "UEFI 7.2.3");
_Static_assert(offsetof(struct efi_boot_services, handle_protocol) == 152,
	       "UEFI 4.4");
_Static_assert(offsetof(struct efi_boot_services, exit_boot_services) == 232,
	       "UEFI 4.4");
_Static_assert(offsetof(struct efi_boot_services, locate_protocol) == 320,
	       "UEFI 4.4");
_Static_assert(offsetof(struct efi_runtime_services, reset) == 104, "UEFI 4.5");
_Static_assert(offsetof(struct efi_loaded_image, device) == 24, "UEFI 9.1");
_Static_assert(offsetof(struct efi_loaded_image, options) == 56, "UEFI 9.1");
_Static_assert(offsetof(struct efi_file, flush) == 80, "UEFI 13.5");

static inline bool efi_guid_is(const struct efi_guid *x,
			       const struct efi_guid *y)
{
	for (size_t i = 0; i < sizeof(*x); i++)
		if (((const uint8_t *)x)[i] != ((const uint8_t *)y)[i])
			return false;
	return true;
}

/* The configuration table of a kind, or NULL. */
static inline const void *efi_table(const struct efi_system_table *st,
				    const struct efi_guid *guid)
{
	for (uint64_t i = 0; i < st->n_configuration; i++)
		if (efi_guid_is(&st->configuration[i].guid, guid))
			return st->configuration[i].table;
	return NULL;
}

/* The device tree, unchecked, or NULL. */
static inline const void *efi_device_tree(const struct efi_system_table *st)
{
	/* EFI_DTB_TABLE_GUID, UEFI 2.10, 4.6.1.3. */
	static const struct efi_guid dtb = { 0xb1b621d5,
					     0xf19c,
					     0x41a5,
					     { 0x83, 0x0b, 0xd9, 0x15, 0x2c,
					       0x69, 0xaa, 0xe0 } };

	return efi_table(st, &dtb);
}

#endif
