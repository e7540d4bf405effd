#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"

#include <stdio.h>
#include <string.h>

/* Commands for friends, direct messages and "do not disturb". */

#define LINE_BYTES 400

/* Shows what the core says about a direct message: its recipient is away, or the message waits. */
static void show_message_delivery(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                  const json_t *answer)
{
    char word[MODEL_TEXT_MAX];
    model_read_sentence(answer, "word", word, sizeof word);
    if (word[0] != '\0') {
        screen_inform(ui, "%s", word);
    }
}

static void run_tell_command(struct ui *ui, const char *args)
{
    char name[MODEL_NAME_MAX];
    const char *text = command_read_word(args, name, sizeof name);
    if (name[0] == '\0' || text[0] == '\0') {
        screen_warn(ui, "%s", _("Say to whom and what: /tell ada hello"));
        return;
    }
    screen_send_and_handle_success(ui, "tell", json_pack("{s:s, s:s}", "to", name, "text", text),
                                   show_message_delivery, 0);
}

const struct command tell_command = {
    .name = "tell",
    .args = N_("player text"),
    .help = N_("Send a message to one player alone. A player who is not here gets it later: /tell "
               "ada lunch?"),
    .completes = COMPLETE_NAMES,
    .run = run_tell_command,
};

const struct command friend_command = {
    .name = "friend",
    .args = N_("player"),
    .help = N_("Add a player to your friends. Friends are marked and listed first, and you are "
               "told when they come; they are not told: /friend ada"),
    .completes = COMPLETE_NAMES,
    .request = "friend_add",
    .field = "name",
    .missing = N_("Say who: /friend ada"),
    .done = N_("Added to your friends: you are told when they come; they are not told."),
};

const struct command unfriend_command = {
    .name = "unfriend",
    .args = N_("player"),
    .help = N_("Remove a player from your friends. The player is not told."),
    .completes = COMPLETE_FRIENDS,
    .request = "friend_remove",
    .field = "name",
    .missing = N_("Say who: /unfriend ada"),
    .done = N_("Removed from your friends."),
};

static void describe_friend(struct ui *ui, const struct friend_row *friend,
                            const json_t *friend_json)
{
    struct text out = TEXT_OF(LINE_BYTES);
    if (friend->is_here) {
        text_format(&out, "%s: ", friend->name);
        struct whereabouts_row where;
        (void)whereabouts_row_read(friend_json, &where);
        person_write_location(where.table, where.is_seated, &out);
        person_write_presence(where.presence, where.presence_text, where.idle_s, &out);
    } else {
        text_format(&out, _("%s: not here since %s"), friend->name,
                    words_write_day_and_time(friend->seen_ms, &TEXT_OF(64)));
    }
    screen_add_chat_line(ui, "%s.", out.at);
}

/* Describes the friends in the house (is_here), or the friends who are elsewhere. */
static void describe_friends(struct ui *ui, const json_t *friends, bool is_here)
{
    for (size_t i = 0; i < json_array_size(friends); i++) {
        const json_t *object = json_array_get(friends, i);
        struct friend_row friend;
        if (friend_row_read(object, &friend) && friend.is_here == is_here) {
            describe_friend(ui, &friend, object);
        }
    }
}

static void show_friends(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                         const json_t *answer)
{
    const json_t *friends = json_object_get(answer, "friends");
    if (json_array_size(friends) == 0) {
        screen_inform(ui, "%s", _("You have no friends yet. To add one: /friend ada"));
        return;
    }
    describe_friends(ui, friends, true);
    describe_friends(ui, friends, false);
}

static void run_friends_command(struct ui *ui, const char *args)
{
    if (args[0] == '\0') {
        screen_send_and_handle_success(ui, "friends", json_object(), show_friends, 0);
    } else if (strcmp(args, "notice") == 0 || strcmp(args, "quiet") == 0) {
        int is_on = strcmp(args, "notice") == 0;
        screen_send_and_show_notice(ui, "settings_set",
                                    json_pack("{s:{s:b}}", "settings", "arrivals", is_on),
                                    is_on ? N_("You are told when a friend comes.")
                                          : N_("You are not told when a friend comes."));
    } else {
        screen_warn(ui, "%s",
                    _("/friends lists your friends; /friends notice tells you when one comes; "
                      "/friends quiet does not."));
    }
}

static const char *const arrival_words[] = {"notice", "quiet", NULL};

const struct command friends_command = {
    .name = "friends",
    .args = "[notice|quiet]",
    .help = N_("List your friends: where they are, or since when away. /friends notice: you are "
               "told when one comes; /friends quiet: you are not."),
    .words = arrival_words,
    .run = run_friends_command,
};

static void run_away_command(struct ui *ui, const char *args)
{
    screen_send_and_show_notice(ui, "presence",
                                json_pack("{s:s, s:s}", "kind", "away", "text", args),
                                N_("You are away until you do something."));
}

const struct command away_command = {
    .name = "away",
    .args = N_("[text]"),
    .help = N_("Say that you are away. As in: /away coffee; it ends when you do something."),
    .run = run_away_command,
};

static void run_dnd_command(struct ui *ui, const char *args)
{
    char word[MODEL_NAME_MAX];
    const char *text = command_read_word(args, word, sizeof word);
    bool is_off = strcmp(word, "off") == 0;
    if (!is_off && strcmp(word, "on") != 0) {
        screen_warn(ui, "%s", _("Say on, with a text if you like, or off: /dnd on thinking"));
        return;
    }
    screen_send_and_show_notice(
        ui, "presence", json_pack("{s:s, s:s}", "kind", is_off ? "here" : "dnd", "text", text),
        is_off ? N_("\"Do not disturb\" is off.") : N_("Messages to you wait until /dnd off."));
}

static const char *const switch_words[] = {"on", "off", NULL};

const struct command dnd_command = {
    .name = "dnd",
    .args = N_("on|off [text]"),
    .help = N_("Ask not to be disturbed. Messages to you wait, nothing rings, nobody can invite "
               "you, as in: /dnd on thinking; /dnd off ends it."),
    .words = switch_words,
    .run = run_dnd_command,
};
