#include "daemon/screens/table/table.h"

#include "daemon/base/i18n.h"

#include <string.h>

static void open_entered_table(struct ui *ui, int64_t table)
{
    if (ui->is_going_to_sit && table == ui->going_to) {
        ui_request(ui, "seat_take", json_object(), NULL, 0);
    }
    screen_open(ui, "table", table);
}

static void receive_answer_to_password(struct ui *ui, const struct ui_answer *answer)
{
    if (answer->is_ok) {
        open_entered_table(ui, answer->tag);
    } else {
        screen_warn_of_refusal(ui, answer);
    }
}

static void send_enter_request(struct ui *ui, const char *password, screen_answer *answer)
{
    json_t *fields = json_pack("{s:I}", "table", (json_int_t)ui->going_to);
    if (password != NULL) {
        json_object_set_new(fields, "password", json_string(password));
    }
    /* By entering this table, the person leaves the previous table. */
    if (ui->model->entered != NULL && ui->model->entered->row.id != ui->going_to) {
        model_leave_table(ui->model);
    }
    ui_request(ui, "table_enter", fields, answer, ui->going_to);
}

static void enter_table_with_password(struct ui *ui, UNUSED void *state, const char *password)
{
    if (password != NULL) {
        send_enter_request(ui, password, receive_answer_to_password);
    }
}

static void ask_for_password(struct ui *ui)
{
    screen_ask(ui, ASK_SECRET,
               text_format(&TEXT_OF(UI_QUESTION_MAX), _("Table #%lld is locked. Its password:"),
                           (long long)ui->going_to),
               NULL, enter_table_with_password);
}

static void receive_answer_to_enter(struct ui *ui, const struct ui_answer *answer)
{
    bool is_return = ui->going_back == answer->tag;
    ui->going_back = 0;
    if (answer->is_ok) {
        open_entered_table(ui, answer->tag);
    } else if (strcmp(answer->code, "locked") == 0 && answer->tag == ui->going_to && !is_return) {
        ask_for_password(ui);
    } else {
        screen_warn_of_refusal(ui, answer);
    }
}

void visit_table(struct ui *ui, int64_t table_id, bool takes_seat)
{
    const struct table_row *row = model_find_table(ui->model, table_id);
    bool is_mine = model_find_own_table(ui->model, table_id) != NULL;
    bool is_invited =
        ui->model->invite.table == table_id && model_is_invited(ui->model, ui->now_ms);
    ui->going_to = table_id;
    ui->is_going_to_sit = takes_seat && !is_mine;
    if (row != NULL && row->is_locked && !is_mine && !is_invited) {
        ask_for_password(ui);
    } else {
        send_enter_request(ui, NULL, receive_answer_to_enter);
    }
}

void visit_return_to_table(struct ui *ui, int64_t table_id)
{
    if (ui->model->entered == NULL && table_id > 0) {
        ui->going_back = table_id;
        ui->going_to = table_id;
        ui->is_going_to_sit = false;
        send_enter_request(ui, NULL, receive_answer_to_enter);
    }
}

/* Finds the next table where it is the person's turn. Searches from the table `after_table_id` on,
 * then from the first table. NULL if there is none. */
static const struct mine_row *find_next_table_with_own_turn(const struct model *model,
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

void visit_next_table_with_own_turn(struct ui *ui)
{
    int64_t here = ui->model->entered == NULL ? 0 : ui->model->entered->row.id;
    const struct mine_row *next = find_next_table_with_own_turn(ui->model, here);
    if (next == NULL) {
        screen_inform(ui, "%s",
                      here != 0 && model_count_tables_with_own_turn(ui->model) > 0
                          ? _("No other game waits for your move.")
                          : _("No game waits for your move."));
        return;
    }
    visit_table(ui, next->table, false);
}

static void return_to_lobby(struct ui *ui, const struct ui_answer *answer)
{
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
        return;
    }
    if (ui->model->entered != NULL && ui->model->entered->row.id == answer->tag) {
        model_leave_table(ui->model);
    }
    screen_return_to_lobby(ui);
}

static void leave_table(struct ui *ui)
{
    if (ui->model->entered == NULL) {
        screen_return_to_lobby(ui);
    } else {
        ui_request(ui, "table_leave", json_object(), return_to_lobby, ui->model->entered->row.id);
    }
}

/* The core has given the seat to a bot, so the person can leave the table. */
static void leave_after_giving_up_seat(struct ui *ui, const struct ui_answer *answer)
{
    if (ui->model->entered != NULL && ui->model->entered->row.id == answer->tag) {
        leave_table(ui);
    }
}

static const struct ask_key leave_keys[] = {
    {"l", N_("to the lobby")},
    {"g", N_("leave for good")},
    {NULL, NULL},
};

void visit_leave_for_good_after_asking(struct ui *ui, screen_answer *answer)
{
    const struct model_entered *entered = ui->model->entered;
    screen_ask_and_send(ui,
                        entered->details.is_rated
                            ? _("Leave for good? You rank below all who finish.")
                            : _("Leave for good? The game counts as one you left."),
                        &(struct ui_request){.type = "seat_leave",
                                             .fields = json_pack("{s:b}", "for_good", 1),
                                             .answer = answer,
                                             .is_for_success = true,
                                             .tag = entered->row.id});
}

/* Leaves the table, to the lobby or for good. */
static void leave_table_as_chosen(struct ui *ui, UNUSED void *state, const char *pressed_key)
{
    if (pressed_key == NULL || ui->model->entered == NULL) {
        return;
    }
    if (pressed_key[0] == 'g') {
        visit_leave_for_good_after_asking(ui, leave_after_giving_up_seat);
    } else {
        leave_table(ui);
    }
}

/* True if the table's game cannot go on without the person: the game is in play, is not halted, and
 * is not played turn by turn over days. */
static bool needs_own_presence(const struct table_row *table)
{
    return table->phase == TABLE_PLAYING &&
           (table->halt == HALT_NONE || table->halt == HALT_ROUND) &&
           clock_rule_is_for_one_sitting(&table->clock);
}

void visit_leave_table(struct ui *ui)
{
    const struct model_entered *table = ui->model->entered;
    if (table == NULL || table->you < 0 || !needs_own_presence(&table->row)) {
        leave_table(ui);
    } else if (table->details.is_lesson) {
        screen_ask(ui, ASK_SURE, _("Leave the lesson? It ends here."), NULL, leave_table_as_chosen);
    } else {
        screen_ask_for_key(
            ui,
            table->details.is_rated
                ? _("Leave? In the lobby your seat is kept; for good ranks you below all who "
                    "finish.")
                : _("Leave? In the lobby your seat is kept; for good counts as a game you left."),
            leave_keys, leave_table_as_chosen);
    }
}

void visit_new_table(struct ui *ui, const json_t *answer, uint8_t bot_count, enum bot_level level)
{
    for (uint8_t i = 0; i < bot_count; i++) {
        json_t *fields = json_object();
        if (level != BOT_LEVEL_NONE) {
            json_object_set_new(fields, "policy",
                                json_string(row_word_of_value(&bot_level_words, level)));
        }
        ui_request(ui, "bot_add", fields, NULL, 0);
    }
    if (bot_count > 0) {
        ui_request(ui, "table_start", json_object(), NULL, 0);
    }
    screen_open(ui, "table", model_read_number(json_object_get(answer, "table"), 0));
}

/* Shows the table of a game that has just begun; `game` is the game's index in the registry. */
static void show_begun_game(struct ui *ui, const struct ui_answer *answer)
{
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
        return;
    }
    ui->model->last_begun = game_at((uint8_t)answer->tag);
    screen_return_to_lobby(ui);
    screen_open(ui, "table", model_read_number(json_object_get(answer->json, "table"), 0));
}

void visit_begin_game(struct ui *ui, const char *request, const struct game_def *game)
{
    ui_request(ui, request, json_pack("{s:s}", "game", game->id), show_begun_game,
               option_find_game_index(game));
}

static void set_watch_rule(struct ui *ui, const struct watch_rule *rule)
{
    screen_send_request(ui, "table_set", json_pack("{s:o}", "watch", watch_rule_to_json(rule)),
                        NULL, 0);
}

void command_watching(struct ui *ui, const char *args)
{
    struct watch_rule rule = screen_model(ui)->entered->row.watch;
    bool is_talk = strncmp(args, "talk ", 5) == 0;
    if (args[0] == '\0') {
        screen_inform(ui, _("Who may watch this table: %s"),
                      option_write_watch_rule(&rule, &TEXT_OF(MODEL_TEXT_MAX)));
    } else if (is_talk ? watch_rule_parse_spectator_talk(args + 5, &rule)
                       : watch_rule_parse(args, &rule)) {
        set_watch_rule(ui, &rule);
    } else {
        screen_warn(ui, "%s",
                    _("Say public, delay, delay 10, friends or none; or talk all, talk apart or "
                      "talk off."));
    }
}

static const struct ask_key watching_keys[] = {
    {"p", N_("everybody")}, {"d", N_("a round behind")}, {"t", N_("ten moves behind")},
    {"f", N_("friends")},   {"n", N_("nobody")},         {NULL, NULL},
};

static void set_chosen_watch_policy(struct ui *ui, UNUSED void *state, const char *pressed_key)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (pressed_key == NULL || entered == NULL) {
        return;
    }
    struct watch_rule rule = {.policy = WATCH_PUBLIC, .talk = entered->row.watch.talk};
    if (pressed_key[0] == 'd' || pressed_key[0] == 't') {
        rule.policy = WATCH_DELAY;
        rule.moves = pressed_key[0] == 't' ? 10 : 0;
    } else if (pressed_key[0] == 'f' || pressed_key[0] == 'n') {
        rule.policy = pressed_key[0] == 'f' ? WATCH_FRIENDS : WATCH_NONE;
    }
    set_watch_rule(ui, &rule);
}

void watching_ask_who_may_watch(struct ui *ui)
{
    screen_ask_for_key(ui, _("Who may watch the game?"), watching_keys, set_chosen_watch_policy);
}
