#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"

#include <stdio.h>
#include <string.h>

/* Commands for moderators. The core asks for confirmation when a command needs it. */

void command_totp(struct ui *ui, const char *args)
{
    if (strcmp(args, "on") == 0) {
        screen_open(ui, "totp", 0);
    } else if (strcmp(args, "off") == 0) {
        screen_send_and_show_notice(ui, "totp_end", NULL,
                                    N_("You are no longer asked for authenticator codes."));
    } else if (screen_model(ui)->you.has_totp) {
        screen_inform(
            ui, "%s",
            _("You confirm who you are with authenticator codes. To stop that: /totp off"));
    } else {
        screen_inform(
            ui, "%s",
            _("You can confirm who you are with a phone's authenticator codes: /totp on"));
    }
}

/* Writes the names and ages of accounts that await approval, as many as fit: "bob (5m), eve
 * (2h)". */
static void write_pending_accounts(struct ui *ui, const json_t *accounts, struct text *out)
{
    for (size_t i = 0; i < json_array_size(accounts); i++) {
        const json_t *account = json_array_get(accounts, i);
        char name[MODEL_NAME_MAX];
        model_read_text(json_object_get(account, "name"), name, sizeof name);
        int64_t at_ms = model_read_number(json_object_get(account, "at"), screen_unix_now_ms());
        int64_t age_s = (screen_unix_now_ms() - at_ms) / 1000;
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

void command_show_pending_accounts(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                   const json_t *answer)
{
    const json_t *accounts = json_object_get(answer, "accounts");
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
#define LINE_BYTES 800

/* Writes a list of events: "turn, over". */
static void write_webhook_events(const json_t *events, struct text *out)
{
    for (size_t i = 0; i < json_array_size(events); i++) {
        char word[16];
        model_read_text(json_array_get(events, i), word, sizeof word);
        text_put(out, i == 0 ? "" : ", ");
        text_put(out, word);
    }
}

static void write_webhook_state(const json_t *answer, char line[LINE_BYTES])
{
    char url[URL_BYTES];
    struct text events = TEXT_OF(EVENTS_BYTES);
    int waiting = (int)model_read_number(json_object_get(answer, "waiting"), 0);
    model_read_text(json_object_get(answer, "url"), url, sizeof url);
    write_webhook_events(json_object_get(answer, "events"), &events);
    if (url[0] == '\0') {
        snprintf(line, LINE_BYTES, "%s",
                 _("You have no webhook. /webhook https://… sets an address that the house calls "
                   "when it is your turn and you are away."));
    } else if (json_is_true(json_object_get(answer, "is_off"))) {
        snprintf(line, LINE_BYTES,
                 _("Your webhook %s failed too often and is off. To try it again: /webhook test"),
                 url);
    } else {
        snprintf(line, LINE_BYTES,
                 ngettext("Your webhook %s gets these events: %s. %d message waits.",
                          "Your webhook %s gets these events: %s. %d messages wait.",
                          (unsigned long)waiting),
                 url, events.at, waiting);
    }
}

static void show_webhook_state(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                               const json_t *answer)
{
    char line[LINE_BYTES];
    write_webhook_state(answer, line);
    screen_inform(ui, "%s", line);
}

/* Shows the webhook's secret in the chat, where it can be copied. */
static void show_webhook_secret(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                const json_t *answer)
{
    char secret[SECRET_BYTES];
    model_read_text(json_object_get(answer, "secret"), secret, sizeof secret);
    screen_add_chat_line(ui, "%s",
                         _("Set; /webhook test tries it. The house signs its calls with this "
                           "secret, which it shows only once:"));
    screen_add_chat_line(ui, "%s", secret);
    explicit_bzero(secret, sizeof secret);
}

/* Sets the events of the webhook from words such as "turn,over" or "turn over". */
static void set_webhook_events(struct ui *ui, const char *args)
{
    json_t *events = json_array();
    for (const char *at = args + strspn(args, ", "); *at != '\0'; at += strspn(at, ", ")) {
        size_t len = strcspn(at, ", ");
        json_array_append_new(events, json_stringn(at, len));
        at += len;
    }
    screen_send_and_handle_success(ui, "hook_set", json_pack("{s:o}", "events", events),
                                   show_webhook_state, 0);
}

static void remove_webhook(struct ui *ui, UNUSED const char *args)
{
    screen_send_and_handle_success(ui, "hook_set", json_pack("{s:n}", "url"), show_webhook_state,
                                   0);
}

static void test_webhook(struct ui *ui, UNUSED const char *args)
{
    screen_send_and_show_notice(ui, "hook_test", NULL,
                                N_("A test call is on its way: you see its result in a moment."));
}

const char *const command_webhook_words[] = {"events", "off", "test", NULL};

void command_webhook(struct ui *ui, const char *args)
{
    static void (*const runs[])(struct ui * ui, const char *args) = {set_webhook_events,
                                                                     remove_webhook, test_webhook};
    char word[URL_BYTES];
    const char *rest = command_read_word(args, word, sizeof word);
    int index = text_find_word(command_webhook_words, word);
    if (word[0] == '\0') {
        screen_send_and_handle_success(ui, "hook", NULL, show_webhook_state, 0);
    } else if (index >= 0) {
        runs[index](ui, rest);
    } else if (strstr(word, "://") != NULL && rest[0] == '\0') {
        screen_send_and_handle_success(ui, "hook_set", json_pack("{s:s}", "url", args),
                                       show_webhook_secret, 0);
    } else {
        screen_warn(ui, "%s",
                    _("Give an address to call, or say off, test, or events turn,over,tell,start: "
                      "/webhook https://example.org/turn"));
    }
}
