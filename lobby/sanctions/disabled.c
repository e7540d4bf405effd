#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "storage/mod/mod.h"

struct disabled {
    json_t *names; /* the names of disabled commands and games, as keys; the values are not used */
    bool is_draining; /* no new games begin */
};

static struct disabled *disabled_get_state(const struct house *house)
{
    return PART_STATE(house, disabled);
}

bool disabled_allows_request(const struct request *request, const char *name)
{
    if (request->conn->person == NULL || request->conn->person->role != STORAGE_ROLE_PLAYER ||
        json_object_get(disabled_get_state(request->house)->names, name) == NULL) {
        return true;
    }
    answer_no(request, "off", _("%s is switched off for now: try again another day."), name);
    return false;
}

bool disabled_allows_new_game(const struct request *request, const char *game)
{
    if (!disabled_get_state(request->house)->is_draining) {
        return disabled_allows_request(request, game);
    }
    answer_no(request, "draining",
              _("No new games begin now: the house is about to close for a while."));
    return false;
}

static void set_disabled_in_memory(struct house *house, const char *name, bool is_disabled)
{
    if (is_disabled) {
        (void)json_object_set_new(disabled_get_state(house)->names, name, json_true());
    } else {
        (void)json_object_del(disabled_get_state(house)->names, name);
    }
}

void disabled_set(struct house *house, const char *name, bool is_disabled)
{
    stored_or_fail(house, storage_rule_set(house->storage, STORAGE_RULE_OFF, name, is_disabled));
    set_disabled_in_memory(house, name, is_disabled);
}

void disabled_set_draining(struct house *house, bool is_draining)
{
    disabled_get_state(house)->is_draining = is_draining;
}

static bool load_disabled_command_or_game(void *context, const char *name, int64_t value)
{
    set_disabled_in_memory(context, name, value != 0);
    return true;
}

static void load_disabled_commands_and_games(struct house *house)
{
    disabled_get_state(house)->names = json_object();
    stored_or_fail(house, storage_rules_each(house->storage, STORAGE_RULE_OFF,
                                             load_disabled_command_or_game, house));
}

static void clear_disabled_commands_and_games(struct house *house)
{
    json_decref(disabled_get_state(house)->names);
    disabled_get_state(house)->names = NULL;
}

static bool message_is_enabled(const struct request *request)
{
    return disabled_allows_request(request, json_string_value(json_object_get(request->body, "t")));
}

const struct need need_enabled = {.holds = message_is_enabled};

const struct part disabled_part = {
    .name = "disabled",
    .house_size = sizeof(struct disabled),
    .load = load_disabled_commands_and_games,
    .clear = clear_disabled_commands_and_games,
};
