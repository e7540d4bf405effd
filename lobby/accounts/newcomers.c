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

/* Names of values kept with the data. */
static const char newcomers_now[] = "registration";
static const char newcomers_configured[] = "registration_configured";

static const char *const newcomers_states[] = {"open", "hold", "closed"};

static bool newcomers_kept_is(struct house *house, const char *name, const char *state)
{
    char value[STORAGE_META_SIZE];
    return stored(house, storage_meta_get(house->storage, name, value)) &&
           strcmp(value, state) == 0;
}

/* Applies the configured value if it has changed since it was last applied; otherwise what an admin
 * has set since stays, even after a restart of the core. */
static void newcomers_configure(struct house *house)
{
    const char *wanted = house->config.house_registration;
    if (newcomers_kept_is(house, newcomers_configured, wanted)) {
        return;
    }
    stored_or_fail(house, storage_meta_set(house->storage, newcomers_configured, wanted));
    if (strcmp(wanted, "keep") != 0) {
        stored_or_fail(house, storage_meta_set(house->storage, newcomers_now, wanted));
    }
}

bool newcomers_are(struct house *house, const char *state)
{
    return newcomers_kept_is(house, newcomers_now, state);
}

const char *newcomers_state(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(newcomers_states); i++) {
        if (newcomers_are(house, newcomers_states[i])) {
            return newcomers_states[i];
        }
    }
    return newcomers_states[0];
}

void newcomers_tell_held(struct house *house, const char *name)
{
    staff_tell(house, STORAGE_ROLE_MOD,
               say(_("%s is new here and held: /release %s lets them talk."), name, name));
}

static void message_registration(const struct request *request)
{
    answer_ok(request, json_pack("{s:s}", "state", newcomers_state(request->house)));
}

const struct message_handler handler_registration = {message_registration};

bool newcomers_set(struct house *house, const struct conn *by, const char *state)
{
    const char *was = newcomers_state(house);
    for (size_t i = 0; state != NULL && i < ARRAY_LEN(newcomers_states); i++) {
        if (strcmp(newcomers_states[i], state) == 0) {
            stored_or_fail(house, storage_meta_set(house->storage, newcomers_now, state));
            journal_write(house, by, "registration",
                          JOURNAL_PAIRS("state", state, "was", was, "by", staff_name(by)));
            return true;
        }
    }
    return false;
}

const struct part newcomers_part = {
    .name = "newcomers",
    .load_writes = true,
    .load = newcomers_configure,
};
