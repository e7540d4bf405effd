#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"

#include <stdio.h>
#include <string.h>

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

static void run_join_channel_command(struct ui *ui, const char *args)
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

const struct command join_command = {
    .name = "join",
    .args = N_("#channel"),
    .help = N_("Join a chat channel, or create one. Your chat in the lobby then goes to the "
               "channel: /join #tea"),
    .completes = COMPLETE_CHANNELS,
    .run = run_join_channel_command,
};

/* Leaves the named channel; without a name, leaves the channel on the screen. */
static void run_leave_channel_command(struct ui *ui, const char *args)
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

const struct command part_command = {
    .name = "part",
    .args = N_("[#channel]"),
    .help =
        N_("Leave a chat channel. The channel that is shown, or the channel you name: /part #tea"),
    .completes = COMPLETE_CHANNELS,
    .run = run_leave_channel_command,
};

static void show_channels(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
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

const struct command channels_command = {
    .name = "channels",
    .help = N_("List the chat channels and how many members each has."),
    .request = "channels",
    .result = show_channels,
};
