#include "lobby/sanctions/allowlist.h"

#include "lobby/house/stored.h"
#include "lobby/sanctions/barring.h"
#include "lobby/sanctions/fingerprint.h"
#include "lobby/sanctions/mod_command.h"
#include "lobby/sanctions/net.h"
#include "storage/mod/rules.h"

#include <stdio.h>
#include <string.h>

static bool allow_say(void *context, const char *name, UNUSED int64_t value)
{
    struct order *order = context;
    order_say(order, "%s", name);
    return true;
}

/* Writes "ip=192.0.2.0/24" in its canonical form; a key stays as it is. */
static bool allow_name(struct order *order, bool is_add, char name[STORAGE_RULE_NAME_SIZE])
{
    struct net net;
    char text[STORAGE_ADDRESS_SIZE];
    const char *what = order->reason;
    if (strncmp(what, "ip=", 3) == 0 && net_read(what + 3, &net)) {
        net_write(&net, text);
        (void)snprintf(name, STORAGE_RULE_NAME_SIZE, "ip=%s", text);
    } else if (strncmp(what, "key=SHA256:", 11) == 0 && strlen(what) < STORAGE_FINGERPRINT_SIZE &&
               (!is_add || fingerprint_is_possible(what + 4))) {
        (void)snprintf(name, STORAGE_RULE_NAME_SIZE, "%.100s", what);
    } else {
        order_no(order, "bad", "%s",
                 _("Allowed are ip= and an address or network, or key=SHA256:…"));
    }
    return order->code == NULL;
}

static void allowlist_run(struct order *order)
{
    struct house *house = order->house;
    char name[STORAGE_RULE_NAME_SIZE];
    bool is_add = strcmp(order->word, "add") == 0;
    if (order->word[0] == '\0') {
        order->flags |= MOD_READS;
        stored_or_fail(house,
                       storage_rules_each(house->storage, STORAGE_RULE_ALLOWED, allow_say, order));
        if (json_array_size(order->lines) == 0) {
            order_say(order, "%s", _("Nothing is on the allowlist."));
        }
    } else if (!is_add && strcmp(order->word, "remove") != 0) {
        order_no(order, "bad", "%s", _("It is added to or removed from: /allowlist add ip=…"));
    } else if (allow_name(order, is_add, name)) {
        stored_or_fail(house, storage_rule_set(house->storage, STORAGE_RULE_ALLOWED, name, is_add));
        barring_changed(house);
        order_say(order, is_add ? _("Allowed: %s") : _("Not allowed any more: %s"), name);
    }
}

const struct mod_command mod_command_allowlist = {
    .parts = {PART_WORD_MAYBE, PART_TEXT_MAYBE},
    .run = allowlist_run,
};

struct allowing {
    const char *address;
    bool is_in;
};

static bool allow_look(void *context, const char *name, UNUSED int64_t value)
{
    struct allowing *allowing = context;
    struct net net;
    allowing->is_in = strncmp(name, "ip=", 3) == 0 && net_read(name + 3, &net) &&
                      net_has(&net, allowing->address);
    return !allowing->is_in;
}

bool allowed_has_address(struct house *house, const char *address)
{
    struct allowing allowing = {address, false};
    stored_or_fail(house,
                   storage_rules_each(house->storage, STORAGE_RULE_ALLOWED, allow_look, &allowing));
    return allowing.is_in;
}

bool allowed_is(struct house *house, const struct conn *conn)
{
    char name[STORAGE_RULE_NAME_SIZE];
    int64_t is_allowed = 0;
    (void)snprintf(name, sizeof(name), "key=%s", conn->key_fingerprint);
    stored_or_fail(house,
                   storage_rule_read(house->storage, STORAGE_RULE_ALLOWED, name, &is_allowed));
    return is_allowed != 0 || allowed_has_address(house, conn->address);
}
