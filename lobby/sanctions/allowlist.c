#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "storage/mod/mod.h"

#include <stdio.h>
#include <string.h>

static bool add_allowlist_line(void *context, const char *name, UNUSED int64_t value)
{
    struct order *order = context;
    order_add_line(order, "%s", name);
    return true;
}

/* Writes the entry that the order names: a network in canonical form, "ip=192.0.2.0/24", or a key
 * as typed. Refuses any other target. */
static bool read_allowlist_entry(struct order *order, bool is_adding,
                                 char name[STORAGE_RULE_NAME_SIZE])
{
    struct net net;
    char text[STORAGE_ADDRESS_SIZE];
    const char *what = order->reason;
    if (strncmp(what, "ip=", 3) == 0 && net_parse(what + 3, &net)) {
        net_format(&net, text);
        (void)snprintf(name, STORAGE_RULE_NAME_SIZE, "ip=%s", text);
    } else if (strncmp(what, "key=SHA256:", 11) == 0 && strlen(what) < STORAGE_FINGERPRINT_SIZE &&
               (!is_adding || fingerprint_is_well_formed(what + 4))) {
        (void)snprintf(name, STORAGE_RULE_NAME_SIZE, "%.100s", what);
    } else {
        order_refuse(order, "bad", _("Type ip= and an address or a network, or key=SHA256:…"));
    }
    return order->code == NULL;
}

void mod_run_allowlist(struct order *order)
{
    struct house *house = order->house;
    char name[STORAGE_RULE_NAME_SIZE];
    bool is_adding = strcmp(order->word, "add") == 0;
    if (order->word[0] == '\0') {
        order->flags |= MOD_READS;
        stored_or_fail(house, storage_rules_each(house->storage, STORAGE_RULE_ALLOWED,
                                                 add_allowlist_line, order));
        if (json_array_size(order->lines) == 0) {
            order_add_line(order, _("Nothing is on the allowlist."));
        }
    } else if (!is_adding && strcmp(order->word, "remove") != 0) {
        order_refuse(order, "bad", _("Say add or remove: /allowlist add ip=…"));
    } else if (read_allowlist_entry(order, is_adding, name)) {
        stored_or_fail(house,
                       storage_rule_set(house->storage, STORAGE_RULE_ALLOWED, name, is_adding));
        gate_bans_mark_changed(house);
        order_add_line(order, is_adding ? _("Allowed: %s") : _("No longer allowed: %s"), name);
    }
}

struct allowing {
    const char *address;
    bool is_in;
};

static bool match_allowed_network(void *context, const char *name, UNUSED int64_t value)
{
    struct allowing *allowing = context;
    struct net net;
    allowing->is_in = strncmp(name, "ip=", 3) == 0 && net_parse(name + 3, &net) &&
                      net_contains(&net, allowing->address);
    return !allowing->is_in;
}

bool allowlist_has_address(struct house *house, const char *address)
{
    struct allowing allowing = {address, false};
    stored_or_fail(house, storage_rules_each(house->storage, STORAGE_RULE_ALLOWED,
                                             match_allowed_network, &allowing));
    return allowing.is_in;
}

static enum storage_result read_rule_of_key(struct house *house, const char *fingerprint,
                                            int64_t *is_allowed)
{
    char name[STORAGE_RULE_NAME_SIZE];
    (void)snprintf(name, sizeof(name), "key=%s", fingerprint);
    return storage_rule_read(house->storage, STORAGE_RULE_ALLOWED, name, is_allowed);
}

bool allowlist_has_conn(struct house *house, const struct conn *conn)
{
    int64_t is_allowed = 0;
    stored_or_fail(house, read_rule_of_key(house, conn->key_fingerprint, &is_allowed));
    return is_allowed != 0 || allowlist_has_address(house, conn->address);
}

void allowlist_read_ahead(struct house *house, const char *fingerprint)
{
    int64_t is_allowed = 0;
    stored_ahead(house, read_rule_of_key(house, fingerprint, &is_allowed));
    stored_ahead(house, storage_rules_each(house->storage, STORAGE_RULE_ALLOWED, NULL, NULL));
}
