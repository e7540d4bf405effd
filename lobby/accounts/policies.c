#include "lobby/accounts/accounts.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/house/house.h"

#include <string.h>

static const struct policy_def {
    const char *key; /* key of the present value in the meta table */
    const char
        *configured_key; /* key, in the meta table, of the value last read from the configuration */
    const char *values[4]; /* the valid values, then a NULL; the first value is the default */
} policies[] = {
    [POLICY_REGISTRATION] = {"registration", "registration_configured", {"open", "hold", "closed"}},
    [POLICY_GUESTS] = {"guests", "guests_configured", {"yes", "play-only", "no"}},
};

static bool stored_value_equals(struct house *house, const char *key, const char *expected)
{
    char value[STORAGE_META_SIZE];
    return stored(house, storage_meta_get(house->storage, key, value)) &&
           strcmp(value, expected) == 0;
}

const char *policy_value(struct house *house, enum policy policy)
{
    const struct policy_def *def = &policies[policy];
    for (const char *const *value = def->values; *value != NULL; value++) {
        if (stored_value_equals(house, def->key, *value)) {
            return *value;
        }
    }
    return def->values[0];
}

bool policy_has_value(struct house *house, enum policy policy, const char *value)
{
    return strcmp(policy_value(house, policy), value) == 0;
}

static void apply_configured_value(struct house *house, enum policy policy,
                                   const char *configured_value)
{
    const struct policy_def *def = &policies[policy];
    if (house->is_read_only || stored_value_equals(house, def->configured_key, configured_value)) {
        return;
    }
    stored_or_fail(house, storage_meta_set(house->storage, def->configured_key, configured_value));
    if (strcmp(configured_value, "keep") != 0) {
        stored_or_fail(house, storage_meta_set(house->storage, def->key, configured_value));
    }
}

static void policies_load(struct house *house)
{
    apply_configured_value(house, POLICY_REGISTRATION, house->config.house_registration);
    apply_configured_value(house, POLICY_GUESTS, house->config.house_guests);
    voice_set_guests_allowed(house, policy_has_value(house, POLICY_GUESTS, "yes"));
}

bool policy_set(struct house *house, const struct conn *requester, enum policy policy,
                const char *value)
{
    const struct policy_def *def = &policies[policy];
    const char *was = policy_value(house, policy);
    struct person *person = NULL;
    if (text_find_word(def->values, value) < 0) {
        return false;
    }
    stored_or_fail(house, storage_meta_set(house->storage, def->key, value));
    journal_write(house, requester, def->key,
                  JOURNAL_PAIRS("state", value, "was", was, "by", staff_name_of_conn(requester)));
    voice_set_guests_allowed(house, policy_has_value(house, POLICY_GUESTS, "yes"));
    INDEX_EACH(&persons_of(house)->by_name, person)
    {
        if (policy == POLICY_GUESTS && person->kind == PERSON_GUEST) {
            /* the lobby row of each guest shows whether guests may talk */
            person_mark_changed(house, person);
        }
    }
    return true;
}

static void message_registration(const struct request *request)
{
    answer_ok(request,
              json_pack("{s:s}", "state", policy_value(request->house, POLICY_REGISTRATION)));
}

const struct message_handler handler_registration = {message_registration};

const struct part policies_part = {
    .name = "policies",
    .load = policies_load,
};
