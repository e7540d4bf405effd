#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/lobby/lobby.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/people/people.h"
#include "daemon/screens/table/table.h"

#include <stdio.h>
#include <stdlib.h>
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

#define KEY_MAX 80 /* maximum length of a key's fingerprint in bytes */

static void show_ssh_keys(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                          const json_t *answer)
{
    const json_t *keys = json_object_get(answer, "keys");
    size_t count = json_array_size(keys);
    if (count == 0) {
        screen_add_chat_line(ui, "%s",
                             _("Your account has no key, only a password. /key add shows a code "
                               "with which a machine can add its key."));
    }
    for (size_t i = 0; i < count; i++) {
        char fingerprint[KEY_MAX], type[KEY_MAX];
        const json_t *key = json_array_get(keys, i);
        model_read_text(json_object_get(key, "fingerprint"), fingerprint, sizeof fingerprint);
        model_read_text(json_object_get(key, "type"), type, sizeof type);
        screen_add_chat_line(ui, _("Key %zu: %s %s"), i + 1, type, fingerprint);
    }
}

static void show_code_for_new_ssh_key(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                      const json_t *answer)
{
    char code[KEY_MAX];
    model_read_text(json_object_get(answer, "code"), code, sizeof code);
    screen_add_chat_line(ui,
                         _("Your code is %s. It is valid for ten minutes and for one machine. From "
                           "that machine, connect as \"new\" (ssh new@ and this house), and type "
                           "the code where a name is asked for."),
                         code);
}

static void show_removed_ssh_key(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                 const json_t *answer)
{
    char fingerprint[KEY_MAX];
    model_read_text(json_object_get(answer, "fingerprint"), fingerprint, sizeof fingerprint);
    screen_inform(ui, _("The key %s no longer opens your account."), fingerprint);
}

static void remove_key(struct ui *ui, const char *key)
{
    screen_send_and_handle_success(ui, "key_remove", json_pack("{s:s}", "key", key),
                                   show_removed_ssh_key, 0);
}

static void remove_key_if_confirmed(struct ui *ui, UNUSED void *state, const char *answer)
{
    if (answer != NULL) {
        remove_key(ui, screen_asked_about(ui));
    }
}

static void ask_before_removing_key(struct ui *ui, const char *key)
{
    struct text question = TEXT_OF(MODEL_TEXT_MAX);
    text_format(&question, _("Remove key %.40s? It then no longer opens your account."), key);
    screen_ask_about(ui, question.at, key, remove_key_if_confirmed);
}

enum {
    KEY_LIST,
    KEY_ADD,
    KEY_REMOVE
};

static const char *const key_words[] = {
    [KEY_LIST] = "list", [KEY_ADD] = "add", [KEY_REMOVE] = "remove", NULL};

static void run_key_command(struct ui *ui, const char *args)
{
    char what[16];
    const char *key = command_read_word(args, what, sizeof what);
    switch (what[0] == '\0' ? KEY_LIST : text_find_word(key_words, what)) {
    case KEY_LIST:
        screen_send_and_handle_success(ui, "keys", NULL, show_ssh_keys, 0);
        break;
    case KEY_ADD:
        screen_send_and_handle_success(ui, "key_add", NULL, show_code_for_new_ssh_key, 0);
        break;
    case KEY_REMOVE:
        if (key[0] == '\0') {
            screen_warn(ui, "%s", _("Give the key's number from /key list: /key remove 2"));
        } else if (screen_model(ui)->you.kind == PERSON_GUEST) {
            remove_key(ui, key); /* the core explains why it does not */
        } else {
            ask_before_removing_key(ui, key);
        }
        break;
    default:
        screen_warn(ui, "%s", _("SSH keys can be listed, added and removed: /key list"));
        break;
    }
}

const struct command key_command = {
    .name = "key",
    .args = N_("list|add|remove [number]"),
    .help = N_("See, add or remove the ssh keys that open your account. /key add shows a code for "
               "your other machine; /key remove 2 removes the second key."),
    .words = key_words,
    .run = run_key_command,
};

static void make_account_a_bots(struct ui *ui, UNUSED void *state, const char *answer)
{
    if (answer != NULL) {
        screen_send_and_show_notice(
            ui, "bot_account", NULL,
            N_("This account is now a bot's: it is shown as a bot and rated among bots."));
    }
}

static void run_botaccount_command(struct ui *ui, const char *args)
{
    const struct you_row *you = &screen_model(ui)->you;
    bool is_on = command_word_is(args, N_("on"));
    if (is_on && (you->kind != PERSON_PLAYER || you->role != ROLE_PLAYER)) {
        make_account_a_bots(ui, NULL, ""); /* the core explains why it does not */
    } else if (is_on) {
        screen_ask(ui, ASK_SURE, _("A bot's account for good? This cannot be undone."), NULL,
                   make_account_a_bots);
    } else {
        screen_warn(ui, "%s",
                    _("If a program plays with this account: /botaccount on, before its first "
                      "game. This cannot be undone."));
    }
}

static const char *const botaccount_words[] = {"on", NULL};

const struct command botaccount_command = {
    .name = "botaccount",
    .args = "on",
    .help = N_("Say that a program plays with this account. Only before its first game, and for "
               "good: the account is shown as a bot and rated among bots."),
    .words = botaccount_words,
    .run = run_botaccount_command,
};

static void run_finger_command(struct ui *ui, const char *args)
{
    char name[MODEL_NAME_MAX];
    (void)command_read_word(args, name, sizeof name);
    screen_open_about_person(ui, "profile", name);
}

const struct command finger_command = {
    .name = "finger",
    .args = N_("[player]"),
    .help = N_("Show a player's profile: ratings and last games. As in: /finger ada; /finger alone "
               "shows your own."),
    .completes = COMPLETE_NAMES,
    .run = run_finger_command,
};

/* Shows in one line how each possible place in the game would change the player's rating. */
static void show_rating_changes(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                const json_t *answer)
{
    char line[MODEL_TEXT_MAX], changes[MODEL_TEXT_MAX];
    struct text list = text_init(changes, sizeof changes), out = text_init(line, sizeof line);
    const json_t *places = json_object_get(answer, "places");
    double weight = json_number_value(json_object_get(answer, "weight"));
    if (!json_is_true(json_object_get(answer, "is_rated"))) {
        screen_add_chat_line(ui, "%s",
                             _("This game changes no rating: a rated game has a clock, the usual "
                               "options and at least two people with accounts."));
        return;
    }
    for (size_t i = 0; i < json_array_size(places); i++) {
        const json_t *place = json_array_get(places, i);
        text_put(&list, i > 0 ? " · " : "");
        text_format(&list, "%d. %+.1f", (int)model_read_number(json_object_get(place, "place"), 0),
                    json_number_value(json_object_get(place, "change")));
    }
    text_format(&out, _("How each place among the people would change your rating: %s"), changes);
    if (weight < 1.0) {
        text_put(&out, " ");
        text_format(&out, _("(with these people the game counts %.0f%% today)"), 100.0 * weight);
    }
    screen_add_chat_line(ui, "%s", line);
}

const struct command assess_command = {
    .name = "assess",
    .help = N_("Show how each place would change your rating."),
    .where = COMMAND_AT_TABLE,
    .request = "assess",
    .result = show_rating_changes,
};

static void run_leaders_command(struct ui *ui, const char *args)
{
    struct leader_filter filter = {0};
    char unknown[64];
    if (!leader_filter_parse(args, &filter, unknown, sizeof unknown)) {
        screen_warn(ui, _("There is no game \"%s\" here."), unknown);
        return;
    }
    screen_open(ui, "leaders", leader_filter_pack(&filter));
}

static const char *const leaders_more[] = {"all",     "month", "week", "season",
                                           "friends", "bots",  NULL};

const struct command leaders_command = {
    .name = "leaders",
    .args = N_("[game] [4p] [month|week|season] [friends] [bots]"),
    .help = N_("Show the best players of a game. As in: /leaders season 4p. Possible words, in any "
               "order: all, month, week, season, 4p, friends, bots."),
    .completes = COMPLETE_GAMES,
    .more = leaders_more,
    .run = run_leaders_command,
};

const struct command history_command = {
    .name = "history",
    .help = N_("Show the games you have finished, and replay them."),
    .opens = "history",
};

const struct command settings_command = {
    .name = "settings",
    .help = N_("Change colours, card signs, bell and password."),
    .opens = "settings",
};

static void run_theme_command(struct ui *ui, const char *args)
{
    const struct theme *theme = screen_chosen_theme(ui);
    enum theme_kind kind = theme_find(args);
    if (kind == THEME_KINDS) {
        screen_warn(ui, "%s", _("Themes are colour, mono and contrast: /theme mono"));
        return;
    }
    screen_set_theme(ui, kind, theme->is_ascii, screen_bell_is_on(ui));
}

static const char *const themes[] = {"colour", "mono", "contrast", NULL};

const struct command theme_command = {
    .name = "theme",
    .args = "colour|mono|contrast",
    .help = N_("Choose the colours. As in: /theme contrast"),
    .where = COMMAND_ANYWHERE,
    .words = themes,
    .run = run_theme_command,
};

static void switch_ascii_drawing(struct ui *ui, bool is_on)
{
    screen_set_theme(ui, (enum theme_kind)screen_chosen_theme(ui)->kind, is_on,
                     screen_bell_is_on(ui));
}

const struct command ascii_command = {
    .name = "ascii",
    .args = "on|off",
    .help = N_("Write suits as letters and frames as + - |."),
    .where = COMMAND_ANYWHERE,
    .turn = switch_ascii_drawing,
};

static void switch_bell(struct ui *ui, bool is_on)
{
    screen_set_theme(ui, (enum theme_kind)screen_chosen_theme(ui)->kind,
                     screen_chosen_theme(ui)->is_ascii, is_on);
}

const struct command bell_command = {
    .name = "bell",
    .args = "on|off",
    .help = N_("Ring when it is your turn or you get a message."),
    .where = COMMAND_ANYWHERE,
    .turn = switch_bell,
};

static const char *const languages[] = {
    I18N_ENGLISH,
#define LANGUAGE(tag, title) tag,
#include "daemon/base/languages.def"
#undef LANGUAGE
    NULL,
};

static void run_language_command(struct ui *ui, const char *args)
{
    struct text text = TEXT_OF(256);
    for (size_t i = 0; i < i18n_count_languages(); i++) {
        if (strcmp(args, i18n_language_tag(i)) == 0) {
            screen_set_language(ui, args);
            screen_inform(ui, "%s", _("The house speaks English to you from now on."));
            return;
        }
        text_put(&text, i == 0 ? "" : ", ");
        text_put(&text, i18n_language_tag(i));
    }
    if (args[0] == '\0') {
        screen_inform(ui, _("The house speaks these languages: %s. As in: /language de"), text.at);
    } else {
        screen_warn(ui, _("The house does not speak \"%s\". It speaks %s."), args, text.at);
    }
}

const struct command language_command = {
    .name = "language",
    .args = N_("[language]"),
    .help = N_("Choose the language the house speaks to you. As in: /language de; the choice is "
               "saved with your account."),
    .where = COMMAND_ANYWHERE,
    .words = languages,
    .run = run_language_command,
};

static void run_timezone_command(struct ui *ui, const char *args)
{
    const char *name = args[0] == '\0' ? zones_used() : zones_use(args);
    if (args[0] == '\0' && name[0] == '\0') {
        screen_inform(ui, "%s", _("Times are those of the house. As in: /timezone Europe/Berlin"));
    } else if (args[0] == '\0') {
        screen_inform(ui, _("Times are those of %s. As in: /timezone Europe/Berlin"), name);
    } else if (name == NULL) {
        screen_warn(ui, _("No time zone is called \"%s\". As in: /timezone Europe/Berlin"), args);
    } else {
        screen_set_timezone(ui, name);
        screen_inform(ui, _("Times are those of %s from now on."), name);
    }
}

const struct command timezone_command = {
    .name = "timezone",
    .args = N_("[zone]"),
    .help = N_("Choose the time zone of the times that you are shown. As in: /timezone "
               "Europe/Berlin; the choice is saved with your account."),
    .where = COMMAND_ANYWHERE,
    .run = run_timezone_command,
};

const struct command password_command = {
    .name = "password",
    .help = N_("Choose a new password."),
    .opens = "settings",
    .argument = 1,
};

const struct command plain_command = {
    .name = "plain",
    .args = "on|off",
    .help = N_("Show plain lines of text instead of drawn screens. For screen readers; the choice "
               "is saved with your account."),
    .where = COMMAND_ANYWHERE,
    .turn = screen_set_plain_mode,
};

const struct command telnet_command = {
    .name = "telnet",
    .args = "on|off",
    .help = N_("Let your account log in by telnet too. Others on the network can then read your "
               "password."),
    .turn = screen_set_telnet_permission,
};

static void print_screen_again(struct ui *ui)
{
    if (screen_is_plain(ui)) {
        screen_print_top_again(ui);
    } else {
        screen_inform(ui, "%s",
                      _("You already see the whole screen: /look is for plain mode (/plain on)."));
    }
}

const struct command look_command = {
    .name = "look",
    .help = N_("Print the whole screen again. In plain mode only."),
    .where = COMMAND_ANYWHERE,
    .act = print_screen_again,
};

static void return_to_previous_screen(struct ui *ui)
{
    if (screen_name_below_top(ui)[0] == '\0') {
        screen_inform(ui, "%s", _("There is nothing to go back to: /quit leaves the house."));
    } else if (screen_model(ui)->entered != NULL &&
               strcmp(screen_name_below_top(ui), "lobby") == 0) {
        visit_leave_table(ui);
    } else {
        screen_close(ui);
    }
}

const struct command back_command = {
    .name = "back",
    .help = N_("Go back to the previous screen. In plain mode also: leave a question unanswered."),
    .where = COMMAND_ANYWHERE,
    .act = return_to_previous_screen,
};

static void run_replay_command(struct ui *ui, const char *args)
{
    char *end;
    long long game = strtoll(args, &end, 10);
    if (end == args || *end != '\0' || game <= 0) {
        screen_warn(ui, "%s", _("Say which game, by its number in /history: /replay 812"));
        return;
    }
    screen_open(ui, "replay", game);
}

const struct command replay_command = {
    .name = "replay",
    .args = N_("game"),
    .help = N_("Go through a finished game step by step. By its number in /history: /replay 812"),
    .run = run_replay_command,
};
