#include "daemon/screens/model/model.h"

#include "daemon/screens/model/model_chat.h"
#include "daemon/screens/model/model_entered.h"
#include "daemon/screens/model/model_read.h"

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
    model_leave_table(model);
    for (int i = 0; i < CHAT_CHANNELS; i++) {
        model_chat_clear(&model->chat[i]);
        free(model->chat[i].lines);
    }
    free(model->people);
    free(model->tables);
    free(model);
}

static void read_settings(struct model_you *out, const json_t *settings)
{
    struct settings_row row;
    (void)settings_row_read(settings, &row);
    out->has_ascii = row.ascii != ROW_UNSET;
    out->is_ascii = row.ascii == true;
    out->plays_last_card = row.plays_last_card;
    out->has_bell = row.bell != ROW_UNSET;
    out->is_bell = row.bell == true;
    out->is_plain = row.is_plain;
    out->is_telnet = row.is_telnet;
    if (out->kind != PERSON_GUEST || row.pace != PACE_NORMAL) {
        out->pace = row.pace; /* a restarted core has forgotten what a guest chose */
    }
    memcpy(out->theme, row.theme, sizeof out->theme);
    memcpy(out->language, row.language, sizeof out->language);
}

void model_set_own_account(struct model *model, const json_t *you)
{
    struct you_row row;
    struct model_you *out = &model->you;
    if (!json_is_object(you)) {
        return;
    }
    (void)you_row_read(you, &row);
    memcpy(out->name, row.name, sizeof out->name);
    out->kind = row.kind;
    out->role = row.role;
    out->has_password = row.has_password;
    out->has_totp = row.has_totp;
    out->is_new = row.is_new;
    if (row.recovery[0] != '\0') { /* the core sends a recovery code only once, so it is kept until
                                      the person has seen it */
        memcpy(out->recovery, row.recovery, sizeof out->recovery);
        out->is_recovered = row.is_recovered == true;
        out->recovery_replaces_used = out->is_recovered;
    }
    read_settings(out, row.settings);
}

/* Returns the index of the person with that name, or the index at which to insert the person. */
static int find_person_index(const struct model *model, const char *name, bool *is_found)
{
    int low = 0, high = model->people_count;
    *is_found = false;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = strcmp(model->people[middle].name, name);
        if (order == 0) {
            *is_found = true;
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

static int find_table_index(const struct model *model, int64_t id, bool *is_found)
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
    *is_found = low < model->table_count && model->tables[low].id == id;
    return low;
}

/* Makes room for an element of `size` bytes at an index of a growing array, in steps of 32
 * elements. Returns the array; NULL, with the array unchanged, if memory runs out or the limit is
 * reached. */
static void *insert_element(void *array, int *count, int limit, int index, size_t size)
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

static void remove_element(void *array, int *count, int index, size_t size)
{
    if (array != NULL) {
        char *at = (char *)array + (size_t)index * size;
        memmove(at, at + size, (size_t)(*count - index - 1) * size);
        (*count)--;
    }
}

static void store_person(struct model *model, const json_t *object)
{
    struct person_row person;
    if (!person_row_read(object, &person)) {
        return;
    }
    bool is_there;
    int index = find_person_index(model, person.name, &is_there);
    void *array = is_there ? model->people
                           : insert_element(model->people, &model->people_count, MODEL_PEOPLE_MAX,
                                            index, sizeof person);
    if (array == NULL) {
        return;
    }
    model->people = array;
    model->people[index] = person;
}

static bool person_is_ineligible_at_table(const struct model *model, int64_t table_id)
{
    for (int i = 0; i < model->ineligible_count; i++) {
        if (model->ineligible[i] == table_id) {
            return true;
        }
    }
    return false;
}

static void apply_ineligible_tables(struct model *model, const json_t *message)
{
    const json_t *tables = json_object_get(message, "tables");
    model->ineligible_count = 0;
    for (size_t i = 0; i < json_array_size(tables) && i < MODEL_INELIGIBLE_MAX; i++) {
        model->ineligible[model->ineligible_count++] =
            model_read_number(json_array_get(tables, i), 0);
    }
    for (int i = 0; i < model->table_count; i++) {
        model->tables[i].is_unfit = person_is_ineligible_at_table(model, model->tables[i].id);
    }
}

static void apply_invitation_message(struct model *model, const json_t *message)
{
    char game[MODEL_NAME_MAX];
    model_get_text(message, "game", game, sizeof game);
    model_get_text(message, "from", model->invite.from, sizeof model->invite.from);
    model->invite.game = game_find(game);
    model->invite.table =
        model->invite.game != NULL ? model_get_number(message, "table", 0, INT64_MAX) : 0;
    model->invite.until_ms = model->now_ms + 1000 * model_get_number(message, "for_s", 0, 86400);
}

static void store_table(struct model *model, const json_t *object)
{
    struct table_row table;
    if (!model_read_table(object, &table)) {
        return;
    }
    bool is_there;
    int index = find_table_index(model, table.id, &is_there);
    void *array = is_there ? model->tables
                           : insert_element(model->tables, &model->table_count, MODEL_TABLES_MAX,
                                            index, sizeof table);
    if (array == NULL) {
        return;
    }
    model->tables = array;
    model->tables[index] = table;
    model->tables[index].is_unfit = person_is_ineligible_at_table(model, table.id);
}

static void apply_lobby_message(struct model *model, const json_t *message)
{
    if (model_get_flag(message, "reset")) {
        model->people_count = 0;
        model->table_count = 0;
        free(model->people);
        free(model->tables);
        model->people = NULL;
        model->tables = NULL;
    }
    const json_t *people = json_object_get(message, "gone_people");
    const json_t *tables = json_object_get(message, "gone_tables");
    bool is_there;
    for (size_t i = 0; i < json_array_size(people); i++) {
        char name[MODEL_NAME_MAX];
        model_read_text(json_array_get(people, i), name, sizeof name);
        int index = find_person_index(model, name, &is_there);
        if (is_there) {
            remove_element(model->people, &model->people_count, index, sizeof *model->people);
        }
    }
    for (size_t i = 0; i < json_array_size(tables); i++) {
        int index =
            find_table_index(model, model_read_number(json_array_get(tables, i), 0), &is_there);
        if (is_there) {
            remove_element(model->tables, &model->table_count, index, sizeof *model->tables);
        }
    }
    people = json_object_get(message, "people");
    tables = json_object_get(message, "tables");
    for (size_t i = 0; i < json_array_size(people); i++) {
        store_person(model, json_array_get(people, i));
    }
    for (size_t i = 0; i < json_array_size(tables); i++) {
        store_table(model, json_array_get(tables, i));
    }
}

static void apply_own_tables(struct model *model, const json_t *message)
{
    model->mine_count = (int)row_list_read(&mine_row_def, json_object_get(message, "tables"),
                                           model->mine, MODEL_MINE_MAX);
}

static void apply_friends_message(struct model *model, const json_t *message)
{
    const json_t *names = json_object_get(message, "names");
    model->friend_count = 0;
    for (size_t i = 0; i < json_array_size(names) && i < MODEL_FRIENDS_MAX; i++) {
        model_read_text(json_array_get(names, i), model->friends[model->friend_count++],
                        MODEL_NAME_MAX);
    }
}

void model_leave_shared_replay(struct model *model)
{
    model->shared_replay = (struct model_shared_replay){0};
}

static void apply_shared_replay_message(struct model *model, const json_t *message)
{
    struct model_shared_replay *review = &model->shared_replay;
    const json_t *people = json_object_get(message, "people");
    *review = (struct model_shared_replay){
        .game_id = model_get_number(message, "game_id", 0, INT64_MAX),
        .step = (uint32_t)model_get_number(message, "step", 0, UINT16_MAX),
        .seat = (int8_t)model_get_number(message, "seat", SPECTATOR, SEATS_MAX - 1),
        .people = (uint16_t)json_array_size(people),
    };
    model_get_text(message, "leader", review->leader, sizeof review->leader);
    review->is_led = model_get_flag(message, "is_led");
}

static void apply_welcome_message(struct model *model, const json_t *message)
{
    model->shared_replay = (struct model_shared_replay){
        0}; /* the core sends the shared replay again if the replay still goes on */
    model_get_text(message, "house", model->house, sizeof model->house);
    model_set_own_account(model, json_object_get(message, "you"));
}

static void apply_own_account(struct model *model, const json_t *message)
{
    model_set_own_account(model, json_object_get(message, "you"));
}

static void apply_goodbye_message(struct model *model, const json_t *message)
{
    model->is_over = true;
    model_read_sentence(message, "why", model->bye, sizeof model->bye);
}

void model_apply_pushed_message(struct model *model, const char *type, const json_t *message,
                                int64_t now_ms)
{
    static const struct {
        const char *type;
        void (*take)(struct model *model, const json_t *message);
    } pushes[] = {
        {"bye", apply_goodbye_message},         {"channels", model_apply_channels_message},
        {"chat", model_apply_chat_message},     {"friends", apply_friends_message},
        {"hidden", model_hide_chat_lines},      {"invite", apply_invitation_message},
        {"lobby", apply_lobby_message},         {"mine", apply_own_tables},
        {"result", model_apply_result_message}, {"review", apply_shared_replay_message},
        {"sheet", model_apply_score_sheet},     {"table", model_apply_table_message},
        {"unfit", apply_ineligible_tables},     {"view", model_apply_view_message},
        {"welcome", apply_welcome_message},     {"you", apply_own_account},
    };
    model->now_ms = now_ms;
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        if (strcmp(pushes[i].type, type) == 0) {
            pushes[i].take(model, message);
        }
    }
}

const struct person_row *model_find_person(const struct model *model, const char *name)
{
    bool is_there;
    int index = find_person_index(model, name, &is_there);
    return is_there ? &model->people[index] : NULL;
}

const struct table_row *model_find_table(const struct model *model, int64_t id)
{
    bool is_there;
    int index = find_table_index(model, id, &is_there);
    return is_there ? &model->tables[index] : NULL;
}

const struct mine_row *model_find_own_table(const struct model *model, int64_t table_id)
{
    for (int i = 0; i < model->mine_count; i++) {
        if (model->mine[i].table == table_id) {
            return &model->mine[i];
        }
    }
    return NULL;
}

bool model_table_is_hidden(const struct model *model, const struct table_row *table)
{
    return table->is_unfit && table->phase == TABLE_OPEN &&
           model_find_own_table(model, table->id) == NULL &&
           (model->entered == NULL || model->entered->row.id != table->id);
}

bool model_is_invited(const struct model *model, int64_t now_ms)
{
    return model->invite.table != 0 && now_ms < model->invite.until_ms &&
           model_find_table(model, model->invite.table) != NULL &&
           model_find_own_table(model, model->invite.table) == NULL;
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

int model_count_people(const struct model *model)
{
    int people = 0;
    for (int i = 0; i < model->people_count; i++) {
        people += model->people[i].kind == PERSON_BOT ? 0 : 1;
    }
    return people;
}

const struct mine_row *model_find_next_table_with_own_turn(const struct model *model,
                                                           int64_t after_table_id)
{
    int start = 0;
    for (int i = 0; i < model->mine_count; i++) {
        start = model->mine[i].table == after_table_id ? i + 1 : start;
    }
    for (int i = 0; i < model->mine_count; i++) {
        const struct mine_row *mine = &model->mine[(start + i) % model->mine_count];
        if (mine->is_turn && mine->table != after_table_id) {
            return mine;
        }
    }
    return NULL;
}

int model_count_tables_with_own_turn(const struct model *model)
{
    int turns = 0;
    for (int i = 0; i < model->mine_count; i++) {
        turns += model->mine[i].is_turn ? 1 : 0;
    }
    return turns;
}

bool model_table_needs_own_presence(const struct table_row *table)
{
    return table->phase == TABLE_PLAYING &&
           (table->halt == HALT_NONE || table->halt == HALT_ROUND) &&
           clock_rule_is_for_one_sitting(&table->clock);
}
