/* Reads port lists of OSACA's files. */
#include <string.h>

#include "host/codec/osaca/read.h"
#include "host/codec/osaca/write.h"

enum { MAX_USES = 64 };

int osaca_ports(struct osaca_reader *r, const yaml_node_t *list)
{
	size_t n = yaml_length(list);
	struct model_port *ports = ARENA_ARRAY(r->a, struct model_port, n + 1);

	if (n > MODEL_MAX_PORTS)
		return yaml_bad(&r->y, list, "at most 64 ports");
	for (size_t i = 0; i < n; i++) {
		const yaml_node_t *item = yaml_item(&r->y, list, i);
		const char *name = yaml_text(item);

		if (!name || *name == '\0')
			return yaml_bad(&r->y, item, "a list of port names");
		ports[i].name = arena_strdup(r->a, name);
		ports[i].pseudo = osaca_is_divider(name);
	}
	r->m->n_ports = n;
	r->m->ports = ports;
	return ERR_OK;
}

static bool add_port(struct osaca_reader *r, const char *name, size_t n,
		     model_ports *set)
{
	for (size_t i = 0; i < r->m->n_ports; i++)
		if (strlen(r->m->ports[i].name) == n &&
		    memcmp(r->m->ports[i].name, name, n) == 0) {
			*set |= (model_ports)1 << i;
			return true;
		}
	return false;
}

/* Read '015', one port per letter, or ['0', '10']. */
static bool read_set(struct osaca_reader *r, const yaml_node_t *node,
		     model_ports *set)
{
	const char *text = yaml_text(node);

	*set = 0;
	for (; text && *text != '\0'; text++)
		if (!add_port(r, text, 1, set))
			return false;
	for (size_t i = 0; i < yaml_length(node); i++) {
		const char *name = yaml_text(yaml_item(&r->y, node, i));

		if (!name || !add_port(r, name, strlen(name), set))
			return false;
	}
	return *set != 0;
}

/* Read [[cycles, ports], ...]. */
void osaca_pressure(struct osaca_reader *r, const yaml_node_t *list,
		    struct osaca_cost *ret)
{
	const model_ports pseudo = pseudo_ports(r->m);
	struct model_use uses[MAX_USES];
	size_t n = 0;

	if (yaml_is_null(list))
		return;
	if (list->type != YAML_SEQUENCE_NODE || yaml_length(list) > MAX_USES) {
		(void)yaml_bad(&r->y, list,
			       "port_pressure as a list of [cycles, ports]");
		return;
	}
	ret->has_ports = true;
	for (size_t i = 0; i < yaml_length(list); i++) {
		const yaml_node_t *pair = yaml_item(&r->y, list, i);
		struct model_use u = { .cycles = 1 };

		if (yaml_length(pair) < 2 ||
		    !yaml_number(&r->y, yaml_item(&r->y, pair, 0), &u.n_uops) ||
		    !read_set(r, yaml_item(&r->y, pair, 1), &u.ports)) {
			(void)yaml_bad(
				&r->y, pair,
				"cycles and known ports in port_pressure");
			return;
		}
		if (!(u.n_uops > 0))
			continue;
		if ((u.ports & ~pseudo) == 0) {
			u.cycles = u.n_uops;
			u.n_uops = 1;
		}
		uses[n++] = u;
	}
	ret->n_uses = n;
	ret->uses = arena_copy(r->a, uses, n * sizeof(*uses));
}
