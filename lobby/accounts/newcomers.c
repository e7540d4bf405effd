#include "lobby/accounts/newcomers.h"

#include "lobby/house/answers.h"
#include "lobby/house/journal.h"
#include "lobby/house/messages.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/protocol/json_read.h"
#include "lobby/sanctions/audit.h"
#include "lobby/sanctions/staff.h"
#include "storage/house/meta.h"

#include <string.h>

/* Keys of the stored values. */
static const char newcomers_policy_key[] = "registration";
static const char newcomers_configured_key[] = "registration_configured";

static const char *const newcomers_policy_names[] = {"open", "hold", "closed"};

static bool newcomers_stored_value_is(struct house *house, const char *name, const char *state)
{
    char value[STORAGE_META_SIZE];
    return stored(house, storage_meta_get(house->storage, name, value)) &&
           strcmp(value, state) == 0;
}

/* Applies the configured policy if it has changed in the configuration; otherwise what an admin has
 * set since stays, even after a restart of the core. */
static void newcomers_apply_config(struct house *house)
{
    const char *wanted = house->config.house_registration;
    if (newcomers_stored_value_is(house, newcomers_configured_key, wanted)) {
        return;
    }
    stored_or_fail(house, storage_meta_set(house->storage, newcomers_configured_key, wanted));
    if (strcmp(wanted, "keep") != 0) {
        stored_or_fail(house, storage_meta_set(house->storage, newcomers_policy_key, wanted));
    }
}

bool newcomers_policy_is(struct house *house, const char *state)
{
    return newcomers_stored_value_is(house, newcomers_policy_key, state);
}

const char *newcomers_policy_name(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(newcomers_policy_names); i++) {
        if (newcomers_policy_is(house, newcomers_policy_names[i])) {
            return newcomers_policy_names[i];
        }
    }
    return newcomers_policy_names[0];
}

void newcomers_tell_staff_of_held(struct house *house, const char *name)
{
    staff_notify(house, STORAGE_ROLE_MOD,
                 say(_("The new account %s is held: /release %s lets them talk."), name, name));
}

static void message_registration(const struct request *request)
{
    answer_ok(request, json_pack("{s:s}", "state", newcomers_policy_name(request->house)));
}

const struct message_handler handler_registration = {message_registration};

bool newcomers_set_policy(struct house *house, const struct conn *by, const char *state)
{
    const char *was = newcomers_policy_name(house);
    for (size_t i = 0; state != NULL && i < ARRAY_LEN(newcomers_policy_names); i++) {
        if (strcmp(newcomers_policy_names[i], state) == 0) {
            stored_or_fail(house, storage_meta_set(house->storage, newcomers_policy_key, state));
            journal_write(house, by, "registration",
                          JOURNAL_PAIRS("state", state, "was", was, "by", staff_name_of_conn(by)));
            return true;
        }
    }
    return false;
}

const struct part newcomers_part = {
    .name = "newcomers",
    .load_writes = true,
    .load = newcomers_apply_config,
};
