#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/lobby/lobby.h"
#include "daemon/screens/model/model.h"

#include <stdio.h>
#include <string.h>

#define LINES_MAX 65536
#define CHAT_LAST 20

void command_help(struct ui *ui, const char *args)
{
    const struct command *command = args[0] != '\0' ? command_find(args + (args[0] == '/')) : NULL;
    if (args[0] == '\0' || strcmp(args, "all") == 0) {
        screen_open(ui, "help", args[0] == '\0' ? 0 : HELP_ALL);
    } else if (command == NULL || command->role > screen_model(ui)->you.role) {
        screen_warn(ui, _("There is no command \"%s\". ? lists them."), args);
    } else {
        const struct usage usage = {"/", command->name, command->args, _(command->help)};
        struct text out = TEXT_OF(MODEL_TEXT_MAX);
        usage_write_entry(&usage, &out);
        screen_inform(ui, "%s", out.at);
    }
}

/* Adds the lines to the open chat channel. */
static void add_lines_to_chat(struct ui *ui, struct lines *lines)
{
    const char *at = lines->text.at;
    for (size_t left = lines->text.len; left > 0;) {
        size_t len = strcspn(at, "\n");
        screen_add_chat_line(ui, "%.*s", (int)len, at);
        at += len + 1;
        left -= len + 1;
    }
}

/* Writes "ada #7, bob": the people of the list with their tables, as many as there is room for. */
static void write_names(const struct house_lists *lists, struct text *out)
{
    for (int i = 0; i < lists->people.count; i++) {
        const struct person_row *person = &lists->people.rows[i];
        if (person->kind == PERSON_BOT || out->len + MODEL_NAME_MAX + 24 > out->cap) {
            continue;
        }
        text_format_list_item(out, "%s", person->name);
        if (person->table > 0) {
            text_put(out, " #");
            text_put_number(out, person->table);
        }
    }
}

void command_list_people(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                         const json_t *answer)
{
    struct house_lists lists = {0};
    house_lists_read(&lists, answer);
    if (lists.people.total == 0) {
        screen_inform(ui, "%s", _("Nobody in the house has a name that begins so."));
    } else if (screen_is_plain(ui)) {
        house_print_people(screen_model(ui), &lists, screen_get_plain_lines(ui));
    } else {
        struct text names = TEXT_OF(MODEL_TEXT_MAX - 64);
        struct lines more;
        write_names(&lists, &names);
        screen_add_chat_line(
            ui, ngettext("%d person is in: %s", "%d people are in: %s", (unsigned long)lists.here),
            lists.here, names.at);
        lines_init(&more, LINES_MAX);
        house_print_unlisted_people(&lists.people, &more);
        add_lines_to_chat(ui, &more);
        lines_clear(&more);
    }
    house_lists_clear(&lists);
}

void command_list_tables(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                         const json_t *answer)
{
    struct house_lists lists = {0};
    struct lines lines;
    house_lists_read(&lists, answer);
    lines_init(&lines, LINES_MAX);
    house_print_tables(screen_model(ui), &lists, &lines);
    add_lines_to_chat(ui, &lines);
    lines_clear(&lines);
    house_lists_clear(&lists);
}

/* Sends chat to the entered table, or to the channel open in the lobby. Without words, prints the
 * last chat lines in plain mode. */
void command_chat(struct ui *ui, const char *args)
{
    const struct model *model = screen_model(ui);
    if (args[0] != '\0') {
        screen_say(ui, args);
    } else if (screen_is_plain(ui)) {
        chat_print_last_lines(model,
                              model->entered != NULL ? CHAT_TABLE : screen_current_channel(ui),
                              CHAT_LAST, screen_get_plain_lines(ui));
    } else {
        screen_begin_typing(ui, "");
    }
}

void command_me(struct ui *ui, const char *args)
{
    if (args[0] == '\0') {
        screen_warn(ui, "%s", _("Say what you do: /me gets some coffee"));
        return;
    }
    screen_send_and_show_notice(
        ui, "say",
        json_pack("{s:s, s:s, s:s}", "to", screen_chat_recipient(ui), "kind", "me", "text", args),
        NULL);
}

/* Commands for chat channels. */

/* Copies a typed channel name, and adds the "#" if it was not typed. */
static void read_channel_name(const char *args, char name[MODEL_NAME_MAX])
{
    snprintf(name, MODEL_NAME_MAX, "%s%.31s", args[0] == '#' ? "" : "#", args);
}

static void show_joined_channel(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                const json_t *answer)
{
    const struct model *model = screen_model(ui);
    char name[MODEL_NAME_MAX];
    model_read_text(json_object_get(answer, "channel"), name, sizeof name);
    int room = model_find_channel(model, name);
    if (room == CHAT_LOBBY) {
        return;
    }
    screen_show_channel(ui, room);
    screen_inform(ui, _("Your chat in the lobby now goes to %s; /join #lobby switches back."),
                  name);
}

void command_join(struct ui *ui, const char *args)
{
    char name[MODEL_NAME_MAX];
    read_channel_name(args, name);
    int room = model_find_channel(screen_model(ui), name);
    if (args[0] == '\0') {
        screen_warn(ui, "%s", _("Say which channel: /join #tea"));
    } else if (strcmp(name, "#lobby") == 0) {
        screen_show_channel(ui, CHAT_LOBBY);
        screen_inform(ui, "%s", _("Your chat goes to the lobby again."));
    } else if (room != CHAT_LOBBY) {
        screen_show_channel(ui, room);
        screen_inform(ui, _("Your chat now goes to %s."), name);
    } else {
        screen_send_and_handle_success(ui, "join", json_pack("{s:s}", "channel", name),
                                       show_joined_channel, 0);
    }
}

/* Leaves the named channel; without a name, leaves the channel on the screen. */
void command_part(struct ui *ui, const char *args)
{
    char name[MODEL_NAME_MAX];
    int room = screen_current_channel(ui);
    if (args[0] == '\0' && room == CHAT_LOBBY) {
        screen_warn(ui, "%s", _("Say which channel: /part #tea"));
        return;
    }
    read_channel_name(args[0] != '\0' ? args : model_channel_name(screen_model(ui), room), name);
    screen_send_and_show_notice(ui, "part", json_pack("{s:s}", "channel", name),
                                N_("You have left the channel."));
}

void command_show_channels(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                           const json_t *answer)
{
    const json_t *rows = json_object_get(answer, "channels");
    if (json_array_size(rows) == 0) {
        screen_inform(ui, "%s", _("There is no channel yet: /join #tea creates one."));
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        char name[MODEL_NAME_MAX];
        int here = (int)model_read_number(json_object_get(row, "here"), 0);
        int members = (int)model_read_number(json_object_get(row, "members"), 0);
        model_read_text(json_object_get(row, "name"), name, sizeof name);
        screen_add_chat_line(ui,
                             json_is_true(json_object_get(row, "is_in"))
                                 ? ngettext("%s: %d member, %d here, you are in it.",
                                            "%s: %d members, %d here, you are in it.",
                                            (unsigned long)members)
                                 : ngettext("%s: %d member, %d here.", "%s: %d members, %d here.",
                                            (unsigned long)members),
                             name, members, here);
    }
}
