#include "daemon/screens/model/model.h"

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
    model_people_clear(&model->people);
    model_tables_clear(&model->tables);
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
    memcpy(out->timezone, row.timezone, sizeof out->timezone);
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
    out->presence = row.presence;
    out->rating = row.rating;
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

/* Returns a number of the message. If the message lacks it, returns `counted`: a core that sends
 * only rows has sent all rows. */
static int read_total(const json_t *message, const char *key, int counted)
{
    return json_is_integer(json_object_get(message, key))
               ? (int)model_get_number(message, key, 0, INT32_MAX)
               : counted;
}

static void apply_lobby_message(struct model *model, const json_t *message)
{
    int people = 0;
    model_people_read(message, &model->people);
    model_tables_read(message, &model->tables);
    for (int i = 0; i < model->people.count; i++) {
        people += model->people.rows[i].kind == PERSON_BOT ? 0 : 1;
    }
    if (json_is_array(json_object_get(message, "people")) ||
        json_object_get(message, "here") != NULL) {
        model->here = read_total(message, "here", people);
    }
    if (json_is_array(json_object_get(message, "tables")) ||
        json_object_get(message, "tables_all") != NULL) {
        model->tables_all = read_total(message, "tables_all", model->tables.total);
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

static void apply_absence(struct model *model, UNUSED const json_t *message)
{
    if (model->away_since_ms == 0) {
        model->away_since_ms = model->now_ms;
    }
    if (model->entered != NULL && model->entered->away_since_ms == 0) {
        model->entered->away_since_ms = model->now_ms;
    }
}

/* The house was not away, only slow. */
static void apply_end_of_absence(struct model *model, UNUSED const json_t *message)
{
    model->away_since_ms = 0;
    if (model->entered != NULL) {
        model->entered->away_since_ms = 0;
    }
}

/* The table's clocks go on only with the view, which comes later. */
static void apply_welcome_message(struct model *model, const json_t *message)
{
    model->away_since_ms = 0;
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
        {"bye", apply_goodbye_message},
        {"channels", model_apply_channels_message},
        {"chat", model_apply_chat_message},
        {"friends", apply_friends_message},
        {"hidden", model_hide_chat_lines},
        {"house_away", apply_absence},
        {"house_back", apply_end_of_absence},
        {"invite", apply_invitation_message},
        {"lobby", apply_lobby_message},
        {"mine", apply_own_tables},
        {"result", model_apply_result_message},
        {"review", apply_shared_replay_message},
        {"sheet", model_apply_score_sheet},
        {"table", model_apply_table_message},
        {"view", model_apply_view_message},
        {"welcome", apply_welcome_message},
        {"you", apply_own_account},
    };
    model->now_ms = now_ms;
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        if (strcmp(pushes[i].type, type) == 0) {
            pushes[i].take(model, message);
        }
    }
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

bool model_is_invited(const struct model *model, int64_t now_ms)
{
    return model->invite.table != 0 && now_ms < model->invite.until_ms &&
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

bool model_own_table_needs_presence(const struct mine_row *own_table)
{
    return own_table->is_live && (own_table->halt == HALT_NONE || own_table->halt == HALT_ROUND);
}
