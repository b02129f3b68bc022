/* A disk with a GUID partition table (UEFI 2.10, chapter 5) and one partition.
 * The identifiers are constants, so the same input makes the same disk.  Two
 * such disks in one machine cannot be distinguished by identifier.
 *
 *	sector 0	protective MBR
 *	1		header
 *	2..33		128 entries
 *	2048		the partition
 *	...		the entries again, the header again
 */
#include <string.h>

#include "common/crc32.h"
#include "common/types.h"
#include "host/image/disk.h"

enum {
	SECTOR = 512,
	N_ENTRIES = 128,
	ENTRY_BYTES = 128,
	TABLE_SECTORS = N_ENTRIES * ENTRY_BYTES / SECTOR,
	HEADER_BYTES = 92,
	FIRST_SECTOR = 2048, /* 1 MiB, a multiple or part of flash erase
			      * blocks */
	HEADER_CRC = 16,
	/* Protective MBR: UEFI 2.10, table 5.4. */
	MBR_RECORD = 446,
	MBR_TYPE_GPT = 0xee,
	/* Attribute "legacy BIOS bootable": U-Boot's distro boot prefers such a
	 * partition to the first one. */
	BOOTABLE = 1 << 2,
};

struct gpt_table {
	unsigned char entries[TABLE_SECTORS * SECTOR];
	uint64_t n_sectors; /* size of the disk */
	uint64_t first, last;
};

static void make_entry(struct gpt_table *t)
{
	/* EFI system partition, C12A7328-F81F-11D2-BA4B-00A0C93EC93B; EFI
	 * firmware and U-Boot read it. */
	static const unsigned char type[] = { 0x28, 0x73, 0x2a, 0xc1,
					      0x1f, 0xf8, 0xd2, 0x11,
					      0xba, 0x4b, 0x00, 0xa0,
					      0xc9, 0x3e, 0xc9, 0x3b };
	static const unsigned char id[] = { 'a',  'n',  'e',  'c',  'h',  'o',
					    0x01, 0x40, 0x80, 0x00, 0x00, 0x00,
					    0x00, 0x00, 0x00, 0x02 };
	static const char name[] = "anechoic";

	memcpy(t->entries, type, sizeof(type));
	memcpy(t->entries + 16, id, sizeof(id));
	disk_put(t->entries + 32, t->first, 8);
	disk_put(t->entries + 40, t->last, 8);
	disk_put(t->entries + 48, BOOTABLE, 8);
	for (size_t i = 0; i + 1 < sizeof(name); i++)
		t->entries[56 + 2 * i] = (unsigned char)name[i];
}

/* Write a header at sector `own`; `other` is the sector of its copy, `entries`
 * that of its entries. */
static void put_header(unsigned char *disk, const struct gpt_table *t,
		       uint64_t own, uint64_t other, uint64_t entries)
{
	static const unsigned char id[] = { 'a',  'n',  'e',  'c',  'h',  'o',
					    0x01, 0x40, 0x80, 0x00, 0x00, 0x00,
					    0x00, 0x00, 0x00, 0x01 };
	static const char signature[8] = { 'E', 'F', 'I', ' ',
					   'P', 'A', 'R', 'T' };
	unsigned char *h = disk + own * SECTOR;

	memcpy(h, signature, sizeof(signature));
	disk_put(h + 8, 0x00010000, 4); /* revision 1.0 */
	disk_put(h + 12, HEADER_BYTES, 4);
	disk_put(h + 24, own, 8);
	disk_put(h + 32, other, 8);
	disk_put(h + 40, 2 + TABLE_SECTORS, 8);
	disk_put(h + 48, t->n_sectors - TABLE_SECTORS - 2, 8);
	memcpy(h + 56, id, sizeof(id));
	disk_put(h + 72, entries, 8);
	disk_put(h + 80, N_ENTRIES, 4);
	disk_put(h + 84, ENTRY_BYTES, 4);
	disk_put(h + 88, crc32_update(0, t->entries, sizeof(t->entries)), 4);
	disk_put(h + HEADER_CRC, crc32_update(0, h, HEADER_BYTES), 4);
	memcpy(disk + entries * SECTOR, t->entries, sizeof(t->entries));
}

static void put_mbr(unsigned char *disk, uint64_t n_sectors)
{
	unsigned char *r = disk + MBR_RECORD;

	r[2] = 0x02; /* starts at head 0, sector 2 */
	r[4] = MBR_TYPE_GPT;
	memset(r + 5, 0xff, 3);
	disk_put(r + 8, 1, 4);
	disk_put(r + 12, n_sectors - 1, 4);
	disk[510] = 0x55;
	disk[511] = 0xaa;
}

int disk_gpt(const struct buffer *partition, struct buffer *ret, struct err *e)
{
	static const unsigned char zeros[SECTOR];
	struct gpt_table t = { .first = FIRST_SECTOR };
	struct buffer disk = { 0 };

	if (partition->n == 0 || partition->n % SECTOR ||
	    partition->n / SECTOR > UINT32_MAX / 2)
		return err_set(e, ERR_INPUT,
			       "the partition must have whole sectors of %d "
			       "bytes, not %zu bytes",
			       SECTOR, partition->n);
	t.last = FIRST_SECTOR + partition->n / SECTOR - 1;
	t.n_sectors = t.last + 1 + TABLE_SECTORS + 1;
	make_entry(&t);
	for (uint64_t i = 0; i < FIRST_SECTOR; i++)
		buffer_add(&disk, zeros, SECTOR);
	buffer_add(&disk, partition->bytes, partition->n);
	for (uint64_t i = t.last + 1; i < t.n_sectors; i++)
		buffer_add(&disk, zeros, SECTOR);
	put_mbr(disk.bytes, t.n_sectors);
	put_header(disk.bytes, &t, 1, t.n_sectors - 1, 2);
	put_header(disk.bytes, &t, t.n_sectors - 1, 1, t.last + 1);
	*ret = disk;
	return ERR_OK;
}
