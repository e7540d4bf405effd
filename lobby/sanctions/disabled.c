#include "lobby/sanctions/disabled.h"

#include "lobby/house/answers.h"
#include "lobby/house/parts.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "storage/mod/rules.h"

#include <stdio.h>

struct disabled {
    json_t *names;    /* of what is disabled; its values mean nothing */
    bool is_draining; /* no new games may begin */
};

static struct disabled *disabled_of(const struct house *house)
{
    return PART_STATE(house, disabled);
}

bool disabled_admits(const struct request *request, const char *name)
{
    if (request->conn->person == NULL || request->conn->person->role != STORAGE_ROLE_PLAYER ||
        json_object_get(disabled_of(request->house)->names, name) == NULL) {
        return true;
    }
    answer_no_say(request, "off", _("%s is switched off for now: try again another day."), name);
    return false;
}

bool disabled_lets_begin(const struct request *request, const char *game)
{
    if (!disabled_of(request->house)->is_draining) {
        return disabled_admits(request, game);
    }
    answer_no(request, "draining",
              _("No new games begin now: the house is about to close for a while."));
    return false;
}

static void disabled_keep(struct house *house, const char *name, bool is_off)
{
    if (is_off) {
        (void)json_object_set_new(disabled_of(house)->names, name, json_true());
    } else {
        (void)json_object_del(disabled_of(house)->names, name);
    }
}

void disabled_set(struct house *house, const char *name, bool is_off)
{
    stored_or_fail(house, storage_rule_set(house->storage, STORAGE_RULE_OFF, name, is_off));
    disabled_keep(house, name, is_off);
}

void disabled_drain(struct house *house, bool is_draining)
{
    disabled_of(house)->is_draining = is_draining;
}

static bool disabled_read(void *context, const char *name, int64_t value)
{
    disabled_keep(context, name, value != 0);
    return true;
}

static void disabled_load(struct house *house)
{
    disabled_of(house)->names = json_object();
    stored_or_fail(house,
                   storage_rules_each(house->storage, STORAGE_RULE_OFF, disabled_read, house));
}

static void disabled_clear(struct house *house)
{
    json_decref(disabled_of(house)->names);
    disabled_of(house)->names = NULL;
}

static bool disabled_admit(const struct request *request, const struct message_def *message)
{
    return message->commands[0] == '\0' || disabled_admits(request, message->type);
}

const struct part disabled_part = {
    .name = "disabled",
    .house_size = sizeof(struct disabled),
    .load = disabled_load,
    .clear = disabled_clear,
    .admit = disabled_admit,
};
