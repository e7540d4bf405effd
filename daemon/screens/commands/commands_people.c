#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/lobby/lobby.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"

#include <stdio.h>
#include <string.h>

/* Commands for friends, direct messages and "do not disturb". */

#define LINE_BYTES 400

/* Shows what the core says about a direct message: its recipient is away, or the message waits. */
static void show_message_delivery(struct ui *ui, const struct ui_answer *answer)
{
    char word[MODEL_TEXT_MAX];
    model_read_sentence(answer->json, "word", word, sizeof word);
    if (word[0] != '\0') {
        screen_inform(ui, "%s", word);
    }
}

void command_tell(struct ui *ui, const char *args)
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

void command_show_friends(struct ui *ui, const struct ui_answer *answer)
{
    const json_t *friends = json_object_get(answer->json, "friends");
    if (json_array_size(friends) == 0) {
        screen_inform(ui, "%s", _("You have no friends yet. To add one: /friend ada"));
        return;
    }
    describe_friends(ui, friends, true);
    describe_friends(ui, friends, false);
}

/* Anything but the choices on and off. */
void command_dnd(struct ui *ui, UNUSED const char *args)
{
    screen_warn(ui, "%s", _("Say on, with a text if you like, or off: /dnd on thinking"));
}

#define KEY_MAX 80 /* maximum length of a key's fingerprint in bytes */

void command_show_ssh_keys(struct ui *ui, const struct ui_answer *answer)
{
    const json_t *keys = json_object_get(answer->json, "keys");
    size_t count = json_array_size(keys);
    if (count == 0) {
        screen_add_chat_line(ui, "%s",
                             _("Your account has no key, only a password. /key add shows a code "
                               "with which a machine can add its key."));
    }
    for (size_t i = 0; i < count; i++) {
        char fingerprint[KEY_MAX], type[KEY_MAX];
        const json_t *key = json_array_get(keys, i);
        model_get_text(key, "fingerprint", fingerprint, sizeof fingerprint);
        model_get_text(key, "type", type, sizeof type);
        screen_add_chat_line(ui, _("Key %zu: %s %s"), i + 1, type, fingerprint);
    }
}

void command_show_code_for_new_ssh_key(struct ui *ui, const struct ui_answer *answer)
{
    char code[KEY_MAX];
    model_get_text(answer->json, "code", code, sizeof code);
    screen_add_chat_line(ui,
                         _("Your code is %s. It is valid for ten minutes and for one machine. From "
                           "that machine, connect as \"new\" (ssh new@ and this house), and type "
                           "the code where a name is asked for."),
                         code);
}

static void show_removed_ssh_key(struct ui *ui, const struct ui_answer *answer)
{
    char fingerprint[KEY_MAX];
    model_get_text(answer->json, "fingerprint", fingerprint, sizeof fingerprint);
    screen_inform(ui, _("The key %s no longer opens your account."), fingerprint);
}

static void ask_before_removing_key(struct ui *ui, const char *key)
{
    struct text question = TEXT_OF(MODEL_TEXT_MAX);
    text_format(&question, _("Remove key %.40s? It then no longer opens your account."), key);
    screen_ask_and_send(ui, question.at,
                        &(struct ui_request){.type = "key_remove",
                                             .fields = json_pack("{s:s}", "key", key),
                                             .answer = show_removed_ssh_key,
                                             .is_for_success = true});
}

void command_remove_ssh_key(struct ui *ui, const char *key)
{
    if (key[0] == '\0') {
        screen_warn(ui, "%s", _("Give the key's number from /key list: /key remove 2"));
    } else if (screen_model(ui)->you.kind == PERSON_GUEST) {
        /* the core explains why it does not */
        screen_send_and_show_notice(ui, "key_remove", json_pack("{s:s}", "key", key), NULL);
    } else {
        ask_before_removing_key(ui, key);
    }
}

void command_botaccount(struct ui *ui, const char *args)
{
    const struct you_row *you = &screen_model(ui)->you;
    bool is_on = command_word_is(args, N_("on"));
    if (is_on && (you->kind != PERSON_PLAYER || you->role != ROLE_PLAYER)) {
        /* the core explains why it does not */
        screen_send_and_show_notice(ui, "bot_account", NULL, NULL);
    } else if (is_on) {
        screen_ask_and_send(
            ui, _("A bot's account for good? This cannot be undone."),
            &(struct ui_request){.type = "bot_account",
                                 .notice = N_("This account is now a bot's: it is "
                                              "shown as a bot and rated among bots.")});
    } else {
        screen_warn(ui, "%s",
                    _("If a program plays with this account: /botaccount on, before its first "
                      "game. This cannot be undone."));
    }
}

void command_finger(struct ui *ui, const char *args)
{
    char name[MODEL_NAME_MAX];
    (void)command_read_word(args, name, sizeof name);
    screen_open_about_person(ui, "profile", name);
}

/* Shows in one line how each possible place in the game would change the player's rating. */
void command_show_rating_changes(struct ui *ui, const struct ui_answer *answer)
{
    char line[MODEL_TEXT_MAX], changes[MODEL_TEXT_MAX];
    struct text list = text_init(changes, sizeof changes), out = text_init(line, sizeof line);
    const json_t *places = json_object_get(answer->json, "places");
    double weight = json_number_value(json_object_get(answer->json, "weight"));
    if (!json_is_true(json_object_get(answer->json, "is_rated"))) {
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

void command_theme(struct ui *ui, const char *args)
{
    if (text_find_word(theme_words, args) < 0) {
        screen_warn(ui, "%s", _("Themes are colour, mono and contrast: /theme mono"));
    } else {
        screen_change_settings(ui, json_pack("{s:s}", "theme", args));
    }
}

void command_language(struct ui *ui, const char *args)
{
    struct text text = TEXT_OF(256);
    for (size_t i = 0; i < i18n_count_languages(); i++) {
        if (strcmp(args, i18n_tags[i]) == 0) {
            screen_change_settings(ui, json_pack("{s:s}", "language", args));
            screen_inform(ui, "%s", _("The house speaks English to you from now on."));
            return;
        }
        text_put(&text, i == 0 ? "" : ", ");
        text_put(&text, i18n_tags[i]);
    }
    if (args[0] == '\0') {
        screen_inform(ui, _("The house speaks these languages: %s. As in: /language de"), text.at);
    } else {
        screen_warn(ui, _("The house does not speak \"%s\". It speaks %s."), args, text.at);
    }
}

void command_timezone(struct ui *ui, const char *args)
{
    const char *name = args[0] == '\0' ? zones_used() : zones_use(args);
    if (args[0] == '\0' && name[0] == '\0') {
        screen_inform(ui, "%s", _("Times are those of the house. As in: /timezone Europe/Berlin"));
    } else if (args[0] == '\0') {
        screen_inform(ui, _("Times are those of %s. As in: /timezone Europe/Berlin"), name);
    } else if (name == NULL) {
        screen_warn(ui, _("No time zone is called \"%s\". As in: /timezone Europe/Berlin"), args);
    } else {
        screen_change_settings(ui, json_pack("{s:s}", "timezone", name));
        screen_inform(ui, _("Times are those of %s from now on."), name);
    }
}

void command_look(struct ui *ui)
{
    if (ui->plain.is_on) {
        screen_print_top_again(ui);
    } else {
        screen_inform(ui, "%s",
                      _("You already see the whole screen: /look is for plain mode (/plain on)."));
    }
}

void command_back(struct ui *ui)
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
        const struct person_row *person = &lists->people.people[i];
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

void command_list_people(struct ui *ui, const struct ui_answer *answer)
{
    struct house_lists lists = {0};
    house_lists_read(&lists, answer->json);
    if (lists.people.total == 0) {
        screen_inform(ui, "%s", _("Nobody in the house has a name that begins so."));
    } else if (ui->plain.is_on) {
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

void command_list_tables(struct ui *ui, const struct ui_answer *answer)
{
    struct house_lists lists = {0};
    struct lines lines;
    house_lists_read(&lists, answer->json);
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
    } else if (ui->plain.is_on) {
        int channel = model->entered != NULL ? CHAT_TABLE : screen_current_channel(ui);
        const struct chat_log *log = &model->chat[channel];
        for (int i = log->count > CHAT_LAST ? log->count - CHAT_LAST : 0; i < log->count; i++) {
            chat_print_line(model, &log->lines[i], screen_get_plain_lines(ui));
        }
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

static void show_joined_channel(struct ui *ui, const struct ui_answer *answer)
{
    const struct model *model = screen_model(ui);
    char name[MODEL_NAME_MAX];
    model_get_text(answer->json, "channel", name, sizeof name);
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

void command_show_channels(struct ui *ui, const struct ui_answer *answer)
{
    const json_t *rows = json_object_get(answer->json, "channels");
    if (json_array_size(rows) == 0) {
        screen_inform(ui, "%s", _("There is no channel yet: /join #tea creates one."));
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        char name[MODEL_NAME_MAX];
        int here = (int)model_read_number(json_object_get(row, "here"), 0);
        int members = (int)model_read_number(json_object_get(row, "members"), 0);
        model_get_text(row, "name", name, sizeof name);
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

/* Commands for moderators. The core asks for confirmation when a command needs it. */

void command_totp(struct ui *ui, UNUSED const char *args)
{
    screen_inform(
        ui, "%s",
        screen_model(ui)->you.has_totp
            ? _("You confirm who you are with authenticator codes. To stop that: /totp off")
            : _("You can confirm who you are with a phone's authenticator codes: /totp on"));
}

/* Writes the names and ages of accounts that await approval, as many as fit: "bob (5m), eve
 * (2h)". */
static void write_pending_accounts(struct ui *ui, const json_t *accounts, struct text *out)
{
    for (size_t i = 0; i < json_array_size(accounts); i++) {
        const json_t *account = json_array_get(accounts, i);
        char name[MODEL_NAME_MAX];
        model_get_text(account, "name", name, sizeof name);
        int64_t at_ms = model_read_number(json_object_get(account, "at"), clock_unix_ms());
        int64_t age_s = (clock_unix_ms() - at_ms) / 1000;
        if (out->len + MODEL_NAME_MAX + 24 > MODEL_TEXT_MAX) {
            text_put(out, ", …");
            return;
        }
        text_put(out, i > 0 ? ", " : "");
        text_put(out, name);
        text_put(out, " (");
        words_write_duration(screen_theme(ui), age_s > 0 ? age_s : 1, out);
        text_put(out, ")");
    }
}

void command_show_pending_accounts(struct ui *ui, const struct ui_answer *answer)
{
    const json_t *accounts = json_object_get(answer->json, "accounts");
    struct text out = TEXT_OF(MODEL_TEXT_MAX);
    if (json_array_size(accounts) == 0) {
        screen_inform(ui, "%s", _("No account awaits approval."));
        return;
    }
    write_pending_accounts(ui, accounts, &out);
    screen_add_chat_line(ui, _("Accounts that await approval by /release: %s"), out.at);
}

void command_mod(struct ui *ui, const char *args)
{
    if (args[0] == '\0') {
        screen_open(ui, "mod", 0);
    } else {
        command_send_mod_command(ui, args);
    }
}

/* Commands for the webhook, an address that the house calls when it is a player's turn and the
 * player is away. */

#define URL_BYTES 513
#define EVENTS_BYTES 80
#define SECRET_BYTES 80
#define WEBHOOK_LINE_BYTES 800

/* Writes a list of events: "turn, over". */
static void write_webhook_events(const json_t *events, struct text *out)
{
    for (size_t i = 0; i < json_array_size(events); i++) {
        char word[16];
        drawable_copy_text(json_array_get(events, i), word, sizeof word);
        text_put(out, i == 0 ? "" : ", ");
        text_put(out, word);
    }
}

static void write_webhook_state(const json_t *answer, char line[WEBHOOK_LINE_BYTES])
{
    char url[URL_BYTES];
    struct text events = TEXT_OF(EVENTS_BYTES);
    int waiting = (int)model_read_number(json_object_get(answer, "waiting"), 0);
    model_get_text(answer, "url", url, sizeof url);
    write_webhook_events(json_object_get(answer, "events"), &events);
    if (url[0] == '\0') {
        snprintf(line, WEBHOOK_LINE_BYTES, "%s",
                 _("You have no webhook. /webhook https://… sets an address that the house calls "
                   "when it is your turn and you are away."));
    } else if (json_is_true(json_object_get(answer, "is_off"))) {
        snprintf(line, WEBHOOK_LINE_BYTES,
                 _("Your webhook %s failed too often and is off. To try it again: /webhook test"),
                 url);
    } else {
        snprintf(line, WEBHOOK_LINE_BYTES,
                 ngettext("Your webhook %s gets these events: %s. %d message waits.",
                          "Your webhook %s gets these events: %s. %d messages wait.",
                          (unsigned long)waiting),
                 url, events.at, waiting);
    }
}

void command_show_webhook(struct ui *ui, const struct ui_answer *answer)
{
    char line[WEBHOOK_LINE_BYTES];
    write_webhook_state(answer->json, line);
    screen_inform(ui, "%s", line);
}

/* Shows the webhook's secret in the chat, where it can be copied. */
static void show_webhook_secret(struct ui *ui, const struct ui_answer *answer)
{
    char secret[SECRET_BYTES];
    model_get_text(answer->json, "secret", secret, sizeof secret);
    screen_add_chat_line(ui, "%s",
                         _("Set; /webhook test tries it. The house signs its calls with this "
                           "secret, which it shows only once:"));
    screen_add_chat_line(ui, "%s", secret);
    explicit_bzero(secret, sizeof secret);
}

/* Sets the events of the webhook from words such as "turn,over" or "turn over". */
void command_webhook_events(struct ui *ui, const char *args)
{
    json_t *events = json_array();
    for (const char *at = args + strspn(args, ", "); *at != '\0'; at += strspn(at, ", ")) {
        size_t len = strcspn(at, ", ");
        json_array_append_new(events, json_stringn(at, len));
        at += len;
    }
    screen_send_and_handle_success(ui, "hook_set", json_pack("{s:o}", "events", events),
                                   command_show_webhook, 0);
}

void command_webhook(struct ui *ui, const char *args)
{
    bool is_word = strchr(args, ' ') == NULL;
    if (args[0] == '\0') {
        screen_send_and_handle_success(ui, "hook", NULL, command_show_webhook, 0);
    } else if (is_word && strstr(args, "://") != NULL) {
        screen_send_and_handle_success(ui, "hook_set", json_pack("{s:s}", "url", args),
                                       show_webhook_secret, 0);
    } else {
        screen_warn(ui, "%s",
                    _("Give an address to call, or say off, test, or events turn,over,tell,start: "
                      "/webhook https://example.org/turn"));
    }
}
