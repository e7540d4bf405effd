#include "daemon/screens/model/model_parts.h"

#include "lobby/protocol/drawable.h"

#include <string.h>

void model_text(const json_t *value, char *out, size_t cap)
{
    drawable_text(value, out, cap);
}

int64_t model_number(const json_t *value, int64_t fallback)
{
    if (json_is_integer(value)) {
        return json_integer_value(value);
    }
    if (json_is_real(value)) {
        double real = json_real_value(value);
        return real > -1e15 && real < 1e15 ? (int64_t)real : fallback;
    }
    return fallback;
}

void model_key_text(const json_t *object, const char *key, char *out, size_t cap)
{
    model_text(json_object_get(object, key), out, cap);
}

int64_t model_key_number(const json_t *object, const char *key, int64_t min, int64_t max)
{
    int64_t number = model_number(json_object_get(object, key), min);
    return number < min ? min : number > max ? max : number;
}

bool model_key_true(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

enum person_kind model_kind_read(const json_t *object)
{
    char kind[16];
    model_key_text(object, "kind", kind, sizeof kind);
    return strcmp(kind, "bot") == 0     ? PERSON_BOT
           : strcmp(kind, "guest") == 0 ? PERSON_GUEST
                                        : PERSON_PLAYER;
}

struct row_rating model_rating_read(const json_t *object)
{
    bool is_known = json_is_number(json_object_get(object, "rating"));
    return (struct row_rating){
        .value = is_known ? (int32_t)model_key_number(object, "rating", -99999, 99999) : ROW_NONE,
        .is_provisional = model_key_true(object, "is_provisional"),
    };
}

/* `clock`, or `clock_s` of a house that does not say more. */
static struct clock_rule clock_read(const json_t *object)
{
    struct clock_rule rule;
    if (!clock_rule_from_json(json_object_get(object, "clock"), &rule)) {
        rule = clock_rule_of_seconds((uint32_t)model_key_number(object, "clock_s", 0, INT32_MAX));
    }
    return clock_rule_is_good(&rule) ? rule : (struct clock_rule){.kind = CLOCK_NONE};
}

bool model_table_read(const json_t *object, struct model_table *table)
{
    char word[MODEL_NAME_MAX];
    *table = (struct model_table){0};
    table->id = model_key_number(object, "id", 0, INT64_MAX);
    model_key_text(object, "game", word, sizeof word);
    table->game = game_find(word);
    table->players = (uint8_t)model_key_number(object, "players", 0, SEATS_MAX);
    table->seated = (uint8_t)model_key_number(object, "seated", 0, SEATS_MAX);
    table->bots = (uint8_t)model_key_number(object, "bots", 0, SEATS_MAX);
    table->clock = clock_read(object);
    model_key_text(object, "halt", word, sizeof word);
    table->halt = strcmp(word, "pause") == 0     ? HALT_PAUSE
                  : strcmp(word, "adjourn") == 0 ? HALT_ADJOURN
                  : strcmp(word, "house") == 0   ? HALT_HOUSE
                                                 : HALT_NONE;
    table->round = (uint16_t)model_key_number(object, "round", 0, UINT16_MAX);
    table->rounds = (uint16_t)model_key_number(object, "rounds", 0, UINT16_MAX);
    table->watchers = (uint16_t)model_key_number(object, "watchers", 0, UINT16_MAX);
    table->is_locked = model_key_true(object, "is_locked");
    if (!watch_rule_from_json(json_object_get(object, "watch"), &table->watch)) {
        table->watch = (struct watch_rule){.policy = WATCH_PUBLIC};
    }
    if (!fit_rule_from_json(json_object_get(object, "fit"), &table->fit)) {
        table->fit = (struct fit_rule){0};
    }
    model_key_text(object, "host", table->host, sizeof table->host);
    model_key_text(object, "state", word, sizeof word);
    table->phase = strcmp(word, "playing") == 0    ? TABLE_PLAYING
                   : strcmp(word, "finished") == 0 ? TABLE_FINISHED
                                                   : TABLE_OPEN;
    return table->game != NULL && table->id > 0;
}
