/* Records of a line; see records.h. */
#include "host/link/records.h"

#include <inttypes.h>
#include <string.h>

enum { ESCAPE = 0x1b, DELETE = 0x7f };

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == DELETE;
}

/* The number of bytes of the sequence behind an Escape.  ECMA-48 5.4: `[`,
 * parameters and intermediate bytes (0x20 to 0x3f), a final byte; other
 * sequences are intermediate bytes (0x20 to 0x2f) and a final byte. */
static size_t sequence_length(const char *text, size_t n)
{
	bool is_csi = n > 0 && text[0] == '[';
	char last = is_csi ? '?' : '/';
	size_t i = is_csi;

	while (i < n && text[i] >= ' ' && text[i] <= last)
		i++;
	return i < n && !is_control(text[i]) ? i + 1 : i;
}

size_t records_plain(const char *text, size_t n, char *plain)
{
	size_t n_plain = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == ESCAPE)
			i += sequence_length(text + i + 1, n - i - 1);
		else if (!is_control(text[i]))
			plain[n_plain++] = text[i];
	}
	return n_plain;
}

/* A terminal program writes control sequences into a record where it goes on in
 * the terminal's next line.  The plain line is read only where the line itself
 * has no record: a damaged sequence could swallow a record's mark. */
void records_open(struct records *r, const char *line, size_t n)
{
	struct wire_record first;

	r->line = line;
	r->n = n;
	r->at = 0;
	if (wire_parse(line, n, &first) == WIRE_OK)
		return;
	n = records_plain(line, n, r->plain);
	if (n == r->n || wire_parse(r->plain, n, &first) != WIRE_OK)
		return;
	r->line = r->plain;
	r->n = n;
}

bool records_next(struct records *r, struct records_piece *ret)
{
	struct records_piece piece = { .text = r->line + r->at };
	size_t left = r->n - r->at;
	int parsed;

	if (left == 0)
		return false;
	parsed = wire_parse(piece.text, left, &piece.record);
	piece.is_record = parsed == WIRE_OK;
	piece.is_damaged = parsed == WIRE_BAD_CRC;
	piece.shares_line = piece.is_record || r->at > 0;
	piece.n_text = piece.is_record ? piece.record.start : left;
	piece.bytes = piece.text + piece.n_text;
	piece.n_bytes =
		piece.is_record ? piece.record.end - piece.record.start : 0;
	r->at += piece.n_text + piece.n_bytes;
	*ret = piece;
	return true;
}

/* Runtimes are on cards that stay in use while this program changes, so the
 * record that begins a log has the version of all others. */
int records_check(const struct wire_record *info, const char *where, int code,
		  struct err *e)
{
	uint64_t proto;

	if (!wire_get_u64(info, "proto", &proto))
		return err_set(e, code, "%sinfo record without proto", where);
	if (proto < WIRE_OLDEST || proto > WIRE_VERSION)
		return err_set(
			e, code,
			"%sthe runtime writes wire version %" PRIu64
			", this program reads versions %d to %d; use the "
			"anechoic that made the image, or make the image "
			"again with this one",
			where, proto, WIRE_OLDEST, WIRE_VERSION);
	return ERR_OK;
}
