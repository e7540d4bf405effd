#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"
#include "daemon/screens/model/model.h"

#include <string.h>

/* Leaves a table that no longer admits spectators. */
static void leave_table_closed_to_spectators(struct ui *ui, const json_t *message)
{
    char why[MODEL_TEXT_MAX];
    int64_t table = model_read_number(json_object_get(message, "table"), 0);
    if (ui->model->entered == NULL || ui->model->entered->row.id != table) {
        return;
    }
    model_read_sentence(message, "why", why, sizeof why);
    model_leave_table(ui->model);
    screen_return_to_lobby(ui);
    screen_warn(ui, "%s", why);
}

/* Rings the bell when the person's turn has come, at this table or another. */
static void report_new_turns(struct ui *ui)
{
    const struct model_entered *entered = ui->model->entered;
    bool is_to_act = model_viewer_is_asked_to_move(entered);
    int turns = model_count_tables_with_own_turn(ui->model);
    if ((is_to_act && !ui->was_to_act) || turns > ui->turns) {
        screen_ring_bell(ui);
    }
    for (int i = 0; i < ui->model->mine_count && turns > ui->turns; i++) {
        const struct mine_row *mine = &ui->model->mine[i];
        bool is_here =
            (entered != NULL && entered->row.id == mine->table) || ui->going_back == mine->table;
        if (mine->is_turn && !is_here) {
            screen_inform(ui, _("It is your turn at #%lld: press N or type /next to go there"),
                          (long long)mine->table);
        }
    }
    ui->was_to_act = is_to_act;
    ui->turns = turns;
}

/* Shows a warning of the house until it could be read and a key is pressed. */
static void show_warning_of_house(struct ui *ui, const char *text)
{
    screen_warn(ui, "%s", text);
    screen_keep_notice_until_read(ui);
}

/* Shows an announcement of staff in the open chat, and as a warning. */
static void show_announcement(struct ui *ui, const char *text)
{
    if (!ui->plain.is_on) {
        screen_add_chat_line(ui, "%s", text);
    }
    show_warning_of_house(ui, text);
    screen_ring_bell(ui);
}

static void show_notice_from_core(struct ui *ui, const json_t *message)
{
    enum {
        NOTICE_MOTD,
        NOTICE_WALL,
        NOTICE_WARN
    };
    static const char *const kinds[] = {
        [NOTICE_MOTD] = "motd", [NOTICE_WALL] = "wall", [NOTICE_WARN] = "warn", NULL};
    char text[MODEL_TEXT_MAX];
    model_read_text(json_object_get(message, "text"), text, sizeof text);
    switch (text_find_word(kinds, json_string_value(json_object_get(message, "kind")))) {
    case NOTICE_MOTD:
        screen_add_chat_line(ui, "%s", text);
        break;
    case NOTICE_WALL:
        show_announcement(ui, text);
        break;
    case NOTICE_WARN:
        model_read_sentence(message, "text", text, sizeof text);
        show_warning_of_house(ui, text);
        break;
    default:
        model_read_sentence(message, "text", text, sizeof text);
        screen_inform(ui, "%s", text);
        break;
    }
}

/* Rings the bell for a direct message, and says how many messages have arrived while the person was
 * away. */
static void report_direct_message(struct ui *ui, const struct chat_row *row)
{
    if (row_value_of_word(&chat_place_words, row->channel) != CHAT_PLACE_DIRECT ||
        row->from[0] == '\0' || strcmp(row->from, ui->model->you.name) == 0) {
        return;
    }
    if (ui->model->you.presence != PRESENCE_DND) {
        screen_ring_bell(ui);
    }
    int kept = 0;
    const struct chat_log *log = &ui->model->chat[CHAT_LOBBY];
    for (int i = 0; i < log->count; i++) {
        kept += model_chat_get_line(log, i)->is_kept ? 1 : 0;
    }
    if (row->is_kept && !ui->plain.is_on) {
        screen_inform(ui,
                      ngettext("%d message has waited for you: read it in the lobby's chat.",
                               "%d messages have waited for you: read them in the lobby's chat.",
                               (unsigned long)kept),
                      kept);
    }
}

static void show_invitation(struct ui *ui, UNUSED const json_t *message)
{
    const struct model *model = ui->model;
    if (model->invite.table == 0) {
        return;
    }
    screen_inform(ui, _("%s invites you to #%lld, %s: /accept sits down there, /decline refuses"),
                  model->invite.from, (long long)model->invite.table, _(model->invite.game->title));
    screen_ring_bell(ui);
}

/* Marks a channel that is not on the screen as unread, unless the chat line is older than this
 * session. */
static void mark_unread_channel(struct ui *ui, const struct chat_row *row)
{
    size_t place = row_value_of_word(&chat_place_words, row->channel);
    bool is_lobby = place == CHAT_PLACE_LOBBY || place == CHAT_PLACE_DIRECT;
    int room = is_lobby ? CHAT_LOBBY : model_find_channel(ui->model, row->channel);
    bool is_new = row->at_ms >= ui->plain.since_ms;
    if ((is_lobby || room != CHAT_LOBBY) && room != screen_current_channel(ui) && is_new) {
        ui->room_news = (uint16_t)(ui->room_news | 1U << room);
    }
}

static void report_chat_line(struct ui *ui, const json_t *message)
{
    struct chat_row row;
    (void)chat_row_read(message, &row);
    report_direct_message(ui, &row);
    mark_unread_channel(ui, &row);
    ui_plain_print_chat_line(ui, message);
}

static void end_session(struct ui *ui, UNUSED const json_t *message)
{
    ui->is_done = true;
}

static void note_own_tables(struct ui *ui, UNUSED const json_t *message)
{
    ui->plain.has_house = true;
}

/* Rows for which the screen waits are drawn at once. */
static void draw_awaited_rows(struct ui *ui, UNUSED const json_t *message)
{
    ui->is_urgent = ui->is_urgent || ui->awaits_rows;
}

/* Removes a notice that the change of the table outdates: at once in the person's turn, otherwise
 * when it could be read, as bots move fast. */
static void drop_outdated_notice(struct ui *ui, UNUSED const json_t *message)
{
    bool is_turn = model_viewer_is_asked_to_move(ui->model->entered);
    if (ui->is_notice_passing && ui->notice_end_ms > 0) {
        int64_t read_ms = ui->notice_end_ms - UI_NOTICE_MS + UI_NOTICE_READ_MS;
        ui->notice_end_ms = is_turn ? 0 : read_ms;
        ui->is_notice_passing = false;
    }
}

static void receive_welcome(struct ui *ui, UNUSED const json_t *message)
{
    ui_apply_settings(ui);
    ui_forget_watched_lobby(ui);
}

void ui_report_pushed_message(struct ui *ui, const char *type, const json_t *message)
{
    static const struct {
        const char *type;
        void (*take)(struct ui *ui, const json_t *message);
    } pushes[] = {
        {"bye", end_session},
        {"chat", report_chat_line},
        {"invite", show_invitation},
        {"lobby", draw_awaited_rows},
        {"mine", note_own_tables},
        {"notice", show_notice_from_core},
        {"sent_out", leave_table_closed_to_spectators},
        {"table", drop_outdated_notice},
        {"view", drop_outdated_notice},
        {"welcome", receive_welcome},
    };
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        if (strcmp(pushes[i].type, type) == 0) {
            pushes[i].take(ui, message);
        }
    }
    report_new_turns(ui);
}
