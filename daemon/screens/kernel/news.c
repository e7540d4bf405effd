#include "daemon/screens/kernel/news.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"

#include <string.h>

/* The table wants no watchers any more. */
static void sent_out(struct ui *ui, const json_t *message)
{
    char why[MODEL_TEXT_MAX];
    int64_t table = model_number(json_object_get(message, "table"), 0);
    if (ui->model->entered == NULL || ui->model->entered->row.id != table) {
        return;
    }
    model_text(json_object_get(message, "why"), why, sizeof why);
    model_leave(ui->model);
    screen_home(ui);
    screen_warn(ui, "%s", why);
}

/* Rings when it has become one's turn, at this table or another. */
static void turns_notice(struct ui *ui)
{
    const struct model_entered *entered = ui->model->entered;
    bool is_to_act = entered != NULL && entered->has_view && view_is_to_act(&entered->view);
    int turns = model_turns(ui->model);
    if ((is_to_act && !ui->was_to_act) || turns > ui->turns) {
        screen_bell(ui);
    }
    for (int i = 0; i < ui->model->mine_count && turns > ui->turns; i++) {
        const struct mine_row *mine = &ui->model->mine[i];
        bool is_here =
            (entered != NULL && entered->row.id == mine->table) || ui->going_back == mine->table;
        if (mine->is_turn && !is_here) {
            screen_notice(ui, _("It is your turn at #%lld: N or /next goes there"),
                          (long long)mine->table);
        }
    }
    ui->was_to_act = is_to_act;
    ui->turns = turns;
}

/* Stays in the talk where one is, and stands in the rule until a key is pressed. */
static void wall_show(struct ui *ui, const char *text)
{
    if (ui->plain.is_on) {
        screen_warn(ui, "%s", text);
    } else {
        screen_say(ui, text);
        screen_warn(ui, "%s", text);
    }
    screen_bell(ui);
}

static void notice_push(struct ui *ui, const json_t *message)
{
    char text[MODEL_TEXT_MAX];
    model_text(json_object_get(message, "text"), text, sizeof text);
    const char *kind = json_string_value(json_object_get(message, "kind"));
    if (kind != NULL && strcmp(kind, "motd") == 0) {
        screen_say(ui, text);
    } else if (kind != NULL && strcmp(kind, "wall") == 0) {
        wall_show(ui, text);
    } else if (kind != NULL && strcmp(kind, "warn") == 0) {
        screen_warn(ui, "%s", text);
    } else {
        screen_notice(ui, "%s", text);
    }
}

/* Rings for what is said to one alone, and says so of what has waited. */
static void tell_notice(struct ui *ui, const json_t *message)
{
    const char *channel = json_string_value(json_object_get(message, "channel"));
    const char *from = json_string_value(json_object_get(message, "from"));
    const struct person_row *you = model_person(ui->model, ui->model->you.name);
    if (channel == NULL || strcmp(channel, "tell") != 0 || from == NULL ||
        strcmp(from, ui->model->you.name) == 0) {
        return;
    }
    if (you == NULL || you->presence != PRESENCE_DND) {
        screen_bell(ui);
    }
    int kept = 0;
    const struct chat_log *log = &ui->model->chat[CHAT_LOBBY];
    for (int i = 0; i < log->count; i++) {
        kept += model_chat_line(log, i)->is_kept ? 1 : 0;
    }
    if (json_is_true(json_object_get(message, "kept")) && !ui->plain.is_on) {
        screen_notice(ui,
                      ngettext("%d message has waited for you: it stands in the lobby's talk.",
                               "%d messages have waited for you: they stand in the lobby's talk.",
                               (unsigned long)kept),
                      kept);
    }
}

static void invite_notice(struct ui *ui)
{
    const struct model *model = ui->model;
    if (model->invite.table == 0) {
        return;
    }
    screen_notice(ui, _("%s wants you at #%lld, %s: /accept sits down there, /decline does not"),
                  model->invite.from, (long long)model->invite.table, _(model->invite.game->title));
    screen_bell(ui);
}

/* What is said where one does not look is marked, but for what was said before one came. */
static void room_notice(struct ui *ui, const json_t *message)
{
    char name[MODEL_NAME_MAX];
    model_text(json_object_get(message, "channel"), name, sizeof name);
    bool is_lobby = strcmp(name, "lobby") == 0 || strcmp(name, "tell") == 0;
    int room = is_lobby ? CHAT_LOBBY : model_room(ui->model, name);
    bool is_new = model_number(json_object_get(message, "at"), 0) >= ui->plain.since_ms;
    if ((is_lobby || room != CHAT_LOBBY) && room != screen_room(ui) && is_new) {
        ui->room_news = (uint16_t)(ui->room_news | 1U << room);
    }
}

void ui_news_take(struct ui *ui, const char *type, const json_t *message)
{
    if (strcmp(type, "notice") == 0) {
        notice_push(ui, message);
    } else if (strcmp(type, "sent_out") == 0) {
        sent_out(ui, message);
    } else if (strcmp(type, "invite") == 0) {
        invite_notice(ui);
    } else if (strcmp(type, "chat") == 0) {
        tell_notice(ui, message);
        room_notice(ui, message);
    }
    turns_notice(ui);
}
