/* Runtimes are on cards that stay in use while this program changes, so the
 * record that begins a log has the version of all others. */
#include "host/link/proto.h"

#include <inttypes.h>

int proto_check(const struct wire_record *info, const char *where, int code,
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
