#include "daemon/screens/model/model.h"

#include "daemon/screens/model/model_parts.h"

#include <stdlib.h>
#include <string.h>

struct model *model_new(void)
{
    return calloc(1, sizeof(struct model));
}

void model_free(struct model *model)
{
    if (model == NULL) {
        return;
    }
    model_leave(model);
    for (int i = 0; i < CHAT_CHANNELS; i++) {
        model_chat_clear(&model->chat[i]);
        free(model->chat[i].lines);
    }
    free(model->people);
    free(model->tables);
    free(model->friends);
    free(model->unfit);
    free(model);
}

static enum person_role role_read(const json_t *object)
{
    char role[16];
    model_key_text(object, "role", role, sizeof role);
    return strcmp(role, "admin") == 0 ? ROLE_ADMIN
           : strcmp(role, "mod") == 0 ? ROLE_MOD
                                      : ROLE_PLAYER;
}

void model_set_you(struct model *model, const json_t *you)
{
    if (!json_is_object(you)) {
        return;
    }
    struct model_you *out = &model->you;
    model_key_text(you, "name", out->name, sizeof out->name);
    out->kind = (uint8_t)model_kind_read(you);
    out->role = (uint8_t)role_read(you);
    out->has_password = model_key_true(you, "has_password");
    out->has_totp = model_key_true(you, "has_totp");
    out->is_new = model_key_true(you, "is_new");
    if (json_object_get(you, "recovery") != NULL) { /* told once: it stays until it was seen */
        model_key_text(you, "recovery", out->recovery, sizeof out->recovery);
        out->is_recovered = model_key_true(you, "is_recovered");
    }
    const json_t *settings = json_object_get(you, "settings");
    out->has_ascii = json_is_boolean(json_object_get(settings, "ascii"));
    out->is_ascii = model_key_true(settings, "ascii");
    out->has_bell = json_is_boolean(json_object_get(settings, "bell"));
    out->is_bell = model_key_true(settings, "bell");
    out->is_plain = model_key_true(settings, "plain");
    out->is_telnet = model_key_true(settings, "telnet");
    out->is_without_arrivals = json_is_false(json_object_get(settings, "arrivals"));
    model_key_text(settings, "theme", out->theme, sizeof out->theme);
    model_key_text(settings, "language", out->language, sizeof out->language);
}

static enum person_presence presence_read(const json_t *object)
{
    char presence[16];
    model_key_text(object, "presence", presence, sizeof presence);
    return strcmp(presence, "away") == 0  ? PRESENCE_AWAY
           : strcmp(presence, "dnd") == 0 ? PRESENCE_DND
                                          : PRESENCE_HERE;
}

/* Where the name is, or where it belongs. */
static int person_index(const struct model *model, const char *name, bool *is_there)
{
    int low = 0, high = model->people_count;
    *is_there = false;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = strcmp(model->people[middle].name, name);
        if (order == 0) {
            *is_there = true;
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int table_index(const struct model *model, int64_t id, bool *is_there)
{
    int low = 0, high = model->table_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (model->tables[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *is_there = low < model->table_count && model->tables[low].id == id;
    return low;
}

/* Makes room at an index of a growing array whose element has that size. Returns the array, NULL
 * (and it stays as it was) when memory is out or it is at its limit. Grown in steps of 32, so that
 * a quiet house stays small. */
static void *array_insert(void *array, int *count, int limit, int index, size_t size)
{
    if (*count >= limit) {
        return NULL;
    }
    if (array == NULL || *count % 32 == 0) {
        void *grown = realloc(array, (size_t)(*count + 32) * size);
        if (grown == NULL) {
            return NULL;
        }
        array = grown;
    }
    char *at = (char *)array + (size_t)index * size;
    memmove(at + size, at, (size_t)(*count - index) * size);
    (*count)++;
    return array;
}

static void array_remove(void *array, int *count, int index, size_t size)
{
    if (array != NULL) {
        char *at = (char *)array + (size_t)index * size;
        memmove(at, at + size, (size_t)(*count - index - 1) * size);
        (*count)--;
    }
}

static void person_put(struct model *model, const json_t *object, int64_t now_ms)
{
    struct model_person person = {.kind = (uint8_t)model_kind_read(object)};
    model_key_text(object, "name", person.name, sizeof person.name);
    if (person.name[0] == '\0') {
        return;
    }
    person.rating = model_rating_read(object);
    person.table = model_key_number(object, "table", 0, INT64_MAX);
    person.is_seated = model_key_true(object, "seated");
    person.active_ms = now_ms - 1000 * model_key_number(object, "idle_s", 0, INT32_MAX);
    person.role = (uint8_t)role_read(object);
    person.presence = (uint8_t)presence_read(object);
    model_key_text(object, "presence_text", person.presence_text, sizeof person.presence_text);
    bool is_there;
    int index = person_index(model, person.name, &is_there);
    void *array = is_there ? model->people
                           : array_insert(model->people, &model->people_count, MODEL_PEOPLE_MAX,
                                          index, sizeof person);
    if (array == NULL) {
        return;
    }
    model->people = array;
    model->people[index] = person;
}

static bool is_unfit(const struct model *model, int64_t table)
{
    for (int i = 0; i < model->unfit_count; i++) {
        if (model->unfit[i] == table) {
            return true;
        }
    }
    return false;
}

static void unfit_push(struct model *model, const json_t *message)
{
    size_t i;
    json_t *table;
    model->unfit_count = 0;
    if (model->unfit == NULL) {
        model->unfit = calloc(MODEL_UNFIT_MAX, sizeof *model->unfit);
    }
    json_array_foreach(json_object_get(message, "tables"), i, table)
    {
        if (model->unfit != NULL && model->unfit_count < MODEL_UNFIT_MAX) {
            model->unfit[model->unfit_count++] = model_number(table, 0);
        }
    }
    for (int at = 0; at < model->table_count; at++) {
        model->tables[at].is_unfit = is_unfit(model, model->tables[at].id);
    }
}

static void invite_push(struct model *model, const json_t *message, int64_t now_ms)
{
    char game[MODEL_NAME_MAX];
    model_key_text(message, "game", game, sizeof game);
    model_key_text(message, "from", model->invite.from, sizeof model->invite.from);
    model->invite.game = game_find(game);
    model->invite.table =
        model->invite.game != NULL ? model_key_number(message, "table", 0, INT64_MAX) : 0;
    model->invite.until_ms = now_ms + 1000 * model_key_number(message, "for_s", 0, 86400);
}

static void table_put(struct model *model, const json_t *object)
{
    struct model_table table;
    if (!model_table_read(object, &table)) {
        return;
    }
    bool is_there;
    int index = table_index(model, table.id, &is_there);
    void *array = is_there ? model->tables
                           : array_insert(model->tables, &model->table_count, MODEL_TABLES_MAX,
                                          index, sizeof table);
    if (array == NULL) {
        return;
    }
    model->tables = array;
    model->tables[index] = table;
    model->tables[index].is_unfit = is_unfit(model, table.id);
}

static void lobby_push(struct model *model, const json_t *message, int64_t now_ms)
{
    if (model_key_true(message, "reset")) {
        model->people_count = 0;
        model->table_count = 0;
        free(model->people);
        free(model->tables);
        model->people = NULL;
        model->tables = NULL;
    }
    size_t i;
    json_t *row;
    bool is_there;
    json_array_foreach(json_object_get(message, "gone_people"), i, row)
    {
        char name[MODEL_NAME_MAX];
        model_text(row, name, sizeof name);
        int index = person_index(model, name, &is_there);
        if (is_there) {
            array_remove(model->people, &model->people_count, index, sizeof *model->people);
        }
    }
    json_array_foreach(json_object_get(message, "gone_tables"), i, row)
    {
        int index = table_index(model, model_number(row, 0), &is_there);
        if (is_there) {
            array_remove(model->tables, &model->table_count, index, sizeof *model->tables);
        }
    }
    json_array_foreach(json_object_get(message, "people"), i, row)
    {
        person_put(model, row, now_ms);
    }
    json_array_foreach(json_object_get(message, "tables"), i, row)
    {
        table_put(model, row);
    }
}

static void mine_push(struct model *model, const json_t *message)
{
    model->mine_count = 0;
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(message, "tables"), i, row)
    {
        char game[MODEL_NAME_MAX];
        model_key_text(row, "game", game, sizeof game);
        const struct game_def *def = game_find(game);
        if (def != NULL && model->mine_count < MODEL_MINE_MAX) {
            model->mine[model->mine_count++] = (struct model_mine){
                .table = model_key_number(row, "table", 0, INT64_MAX),
                .game = def,
                .is_turn = model_key_true(row, "turn"),
                .due_ms = model_key_number(row, "due_at", 0, INT64_MAX),
            };
        }
    }
}

static void friends_push(struct model *model, const json_t *message)
{
    size_t i;
    json_t *name;
    model->friend_count = 0;
    if (model->friends == NULL) {
        model->friends = calloc(MODEL_FRIENDS_MAX, sizeof *model->friends);
    }
    json_array_foreach(json_object_get(message, "names"), i, name)
    {
        if (model->friends != NULL && model->friend_count < MODEL_FRIENDS_MAX) {
            model_text(name, model->friends[model->friend_count++], MODEL_NAME_MAX);
        }
    }
}

void model_leave_review(struct model *model)
{
    model->review = (struct model_review){0};
}

static void review_push(struct model *model, const json_t *message)
{
    struct model_review *review = &model->review;
    const json_t *people = json_object_get(message, "people");
    *review = (struct model_review){
        .game_id = model_key_number(message, "game_id", 0, INT64_MAX),
        .step = (uint32_t)model_key_number(message, "step", 0, UINT16_MAX),
        .seat = (int8_t)model_key_number(message, "seat", SPECTATOR, SEATS_MAX - 1),
        .people = (uint16_t)json_array_size(people),
    };
    model_key_text(message, "leader", review->leader, sizeof review->leader);
    review->is_led = model_key_true(message, "is_led");
}

static void welcome_push(struct model *model, const json_t *message)
{
    model->review = (struct model_review){0}; /* told again if it is not over */
    model_key_text(message, "house", model->house, sizeof model->house);
    model_set_you(model, json_object_get(message, "you"));
}

void model_push(struct model *model, const char *type, const json_t *message, int64_t now_ms)
{
    if (strcmp(type, "lobby") == 0) {
        lobby_push(model, message, now_ms);
    } else if (strcmp(type, "mine") == 0) {
        mine_push(model, message);
    } else if (strcmp(type, "friends") == 0) {
        friends_push(model, message);
    } else if (strcmp(type, "unfit") == 0) {
        unfit_push(model, message);
    } else if (strcmp(type, "invite") == 0) {
        invite_push(model, message, now_ms);
    } else if (strcmp(type, "channels") == 0) {
        model_rooms_push(model, message);
    } else if (strcmp(type, "chat") == 0) {
        model_chat_push(model, message);
    } else if (strcmp(type, "hidden") == 0) {
        model_chat_hide(model, message);
    } else if (strcmp(type, "table") == 0) {
        model_entered_push(model, message);
    } else if (strcmp(type, "view") == 0) {
        model_view_push(model, message, now_ms);
    } else if (strcmp(type, "sheet") == 0) {
        model_sheet_push(model, message);
    } else if (strcmp(type, "result") == 0) {
        model_result_push(model, message);
    } else if (strcmp(type, "review") == 0) {
        review_push(model, message);
    } else if (strcmp(type, "welcome") == 0) {
        welcome_push(model, message);
    } else if (strcmp(type, "you") == 0) {
        model_set_you(model, json_object_get(message, "you"));
    } else if (strcmp(type, "bye") == 0) {
        model->is_over = true;
        model_key_text(message, "why", model->bye, sizeof model->bye);
    }
}

const struct model_person *model_person(const struct model *model, const char *name)
{
    bool is_there;
    int index = person_index(model, name, &is_there);
    return is_there ? &model->people[index] : NULL;
}

const struct model_table *model_table(const struct model *model, int64_t id)
{
    bool is_there;
    int index = table_index(model, id, &is_there);
    return is_there ? &model->tables[index] : NULL;
}

const struct model_mine *model_mine(const struct model *model, int64_t table)
{
    for (int i = 0; i < model->mine_count; i++) {
        if (model->mine[i].table == table) {
            return &model->mine[i];
        }
    }
    return NULL;
}

bool model_hides(const struct model *model, const struct model_table *table)
{
    return table->is_unfit && table->phase == TABLE_OPEN && model_mine(model, table->id) == NULL &&
           (model->entered == NULL || model->entered->row.id != table->id);
}

bool model_is_invited(const struct model *model, int64_t now_ms)
{
    return model->invite.table != 0 && now_ms < model->invite.until_ms &&
           model_table(model, model->invite.table) != NULL &&
           model_mine(model, model->invite.table) == NULL;
}

bool model_is_friend(const struct model *model, const char *name)
{
    for (int i = 0; i < model->friend_count; i++) {
        if (strcmp(model->friends[i], name) == 0) {
            return true;
        }
    }
    return false;
}

int model_people_in(const struct model *model)
{
    int people = 0;
    for (int i = 0; i < model->people_count; i++) {
        people += model->people[i].kind == PERSON_BOT ? 0 : 1;
    }
    return people;
}

const struct model_mine *model_next_turn(const struct model *model, int64_t after)
{
    int start = 0;
    for (int i = 0; i < model->mine_count; i++) {
        start = model->mine[i].table == after ? i + 1 : start;
    }
    for (int i = 0; i < model->mine_count; i++) {
        const struct model_mine *mine = &model->mine[(start + i) % model->mine_count];
        if (mine->is_turn && mine->table != after) {
            return mine;
        }
    }
    return NULL;
}

int model_turns(const struct model *model)
{
    int turns = 0;
    for (int i = 0; i < model->mine_count; i++) {
        turns += model->mine[i].is_turn ? 1 : 0;
    }
    return turns;
}

bool model_table_needs_you(const struct model_table *table)
{
    return table->phase == TABLE_PLAYING && table->halt == HALT_NONE &&
           table->clock.kind != CLOCK_DAYS;
}
