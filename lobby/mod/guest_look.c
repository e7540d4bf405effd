#include "lobby/mod/guest_look.h"

#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/sanctions/sources.h"
#include "storage/accounts/sign_ins.h"

#include <string.h>

#define ROWS_MAX 50 /* rows of one answer */

static bool add_guest_sanction(void *context, const struct storage_sanction *sanction)
{
    struct order *order = context;
    json_t *rows = json_object_get(order->data, "sanctions");
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, i, row)
    {
        if (json_integer_value(json_object_get(row, "id")) == sanction->id) {
            return true;
        }
    }
    order_add_line(order, "%s: %p", sanction_target_text(sanction),
                   say_sentence(sanction_sentence(sanction)));
    (void)json_array_append_new(rows, sanction_to_json(sanction, true));
    return json_array_size(rows) < ROWS_MAX;
}

/* Lists the sanctions that apply to this guest, whether they are in the house or not. */
static void add_guest_sanctions(struct order *order)
{
    struct house *house = order->house;
    struct sources sources;
    stored_or_fail(house, storage_sanctions_on_person(house->storage, 0, order->target.name,
                                                      add_guest_sanction, order));
    sources_read_target(house, &order->target, &sources);
    for (size_t i = 0; i < sources.count; i++) {
        stored_or_fail(house, storage_sanctions_at_source(house->storage, sources.at[i],
                                                          add_guest_sanction, order));
    }
}

void guest_show_identity(struct order *order)
{
    const struct storage_guest *guest = &order->target.guest;
    bool is_here = person_is_here(order->target.person);
    order->data = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:I,s:b,s:[]}", "name", order->target.name,
                            "kind", "guest", "address", guest->address, "net", guest->net, "key",
                            guest->fingerprint, "transport", guest->transport, "seen",
                            (json_int_t)guest->seen_ms, "is_here", (int)is_here, "sanctions");
    if (guest->address[0] == '\0') {
        order_add_line(order, _("%s · a guest, gone for more than a day"), order->target.name);
    } else {
        order_add_line(order, _("%s · a guest from %s by %s · seen %p · %p"), order->target.name,
                       guest->address, guest->transport, say_time(guest->seen_ms),
                       say_translated(is_here ? _("in the house") : _("not here")));
    }
    if (guest->fingerprint[0] != '\0') {
        order_add_line(order, _("with the key %s"), guest->fingerprint);
    }
    add_guest_sanctions(order);
}

static bool add_guest_from_network(void *context, const struct storage_guest *guest)
{
    struct order *order = context;
    order_add_line(order, _("%s · %s by %s · %p · seen %p"), guest->name, guest->address,
                   guest->transport, order_key_word(guest->fingerprint), say_time(guest->seen_ms));
    (void)json_array_append_new(
        order->data, json_pack("{s:s,s:s,s:s,s:I}", "name", guest->name, "address", guest->address,
                               "key", guest->fingerprint, "last", (json_int_t)guest->seen_ms));
    return json_array_size(order->data) < ROWS_MAX;
}

void guest_show_connections(struct order *order)
{
    const struct storage_guest *guest = &order->target.guest;
    if (guest->net[0] != '\0') {
        stored_or_fail(order->house, storage_guests_each(order->house->storage, guest->net,
                                                         add_guest_from_network, order));
    }
}

static bool add_related_account(void *context, const struct storage_sign_in *row)
{
    struct order *order = context;
    order_add_line(order, _("%s · %s · %p · last %p"), row->name, row->address,
                   order_key_word(row->fingerprint), say_time(row->last_ms));
    (void)json_array_append_new(
        order->data, json_pack("{s:s,s:s,s:s,s:I}", "name", row->name, "address", row->address,
                               "key", row->fingerprint, "last", (json_int_t)row->last_ms));
    return json_array_size(order->data) < ROWS_MAX;
}

void guest_show_related_accounts(struct order *order)
{
    const struct storage_guest *guest = &order->target.guest;
    order->data = json_array();
    if (guest->address[0] != '\0') {
        stored_or_fail(order->house,
                       storage_sign_ins_by_source(order->house->storage, guest->address,
                                                  guest->fingerprint, add_related_account, order));
    }
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("No account shares an address or a key with %s."),
                       order->target.name);
    }
}
