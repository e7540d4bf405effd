#include "daemon/session/door.h"

#include "daemon/base/i18n.h"
#include "daemon/base/said.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/session/core_link.h"
#include "lobby/protocol/client.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    NAME_BYTES_MAX = 64, /* no account has a longer name */
    /* the size of the terminal is not yet known; this fits the narrowest common one */
    NOTE_COLUMNS = 78
};

/* The core takes an answer with this prefix as an appeal. */
static const char appeal_word[] = "appeal ";

struct answer {
    bool is_done, is_ok;
    json_t *message; /* owned */
};

static void take_answer(void *context, bool is_ok, const json_t *message)
{
    struct answer *answer = context;
    answer->is_done = true;
    answer->is_ok = is_ok;
    answer->message = json_deep_copy(message);
}

static bool is_text(const json_t *message, const char *key, const char *value)
{
    const char *text = json_string_value(json_object_get(message, key));
    return text != NULL && strcmp(text, value) == 0;
}

/* The code `unknown` means that the ban has ended meanwhile. */
static void note_ban(struct door *door, const json_t *message)
{
    door->is_banned = is_text(message, "code", "banned") ||
                      (door->is_banned && !is_text(message, "code", "unknown"));
}

static enum door_result refusal_of(struct door *door, const json_t *message)
{
    note_ban(door, message);
    if (is_text(message, "code", "wait")) {
        json_int_t seconds = json_integer_value(json_object_get(message, "wait_s"));
        door->wait_seconds = seconds < 1 ? 1 : seconds > 3600 ? 3600 : (int32_t)seconds;
        return DOOR_WAIT;
    }
    if (is_text(message, "code", "busy")) {
        return DOOR_BUSY;
    }
    const char *why = json_string_value(json_object_get(message, "why"));
    if (why == NULL || is_text(message, "code", "denied")) {
        return DOOR_DENIED;
    }
    said_text(message, "why", door->why, sizeof(door->why));
    return DOOR_REFUSED;
}

/* Call it when the core is gone, or answers nonsense. */
static enum door_result give_up(struct door *door)
{
    door->state = DOOR_SHUT;
    door->is_core_gone = true;
    return DOOR_GONE;
}

static enum door_result welcome_of(struct door *door, const json_t *message)
{
    if (is_text(message, "result", "in")) {
        const json_t *you = json_object_get(message, "you");
        free(door->you);
        door->is_guest = is_text(you, "kind", "guest");
        door->you = json_is_object(you) ? json_dumps(you, JSON_COMPACT) : NULL;
        return door->you == NULL ? give_up(door) : DOOR_IN;
    }
    if (is_text(message, "result", "visitor")) {
        const char *name = json_string_value(json_object_get(message, "name"));
        snprintf(door->suggested, sizeof(door->suggested), "%s", name == NULL ? "" : name);
        return DOOR_VISITOR;
    }
    bool is_known = is_text(message, "result", "known") || is_text(message, "result", "new");
    return is_known ? DOOR_KNOWN : DOOR_DENIED;
}

static enum door_result ask(struct door *door, const char *type, json_t *fields)
{
    struct answer answer = {0};
    if (!client_request(core_link_client(door->link), type, fields, take_answer, &answer)) {
        return give_up(door);
    }
    /* After a failed wait the client still points to `answer`, which is on this stack. That is
     * safe: DOOR_GONE ends the connection before the link is served again. */
    if (core_link_wait(door->link, &answer.is_done, door->peer_fd, door->stop_fd,
                       door->deadline_ms) != CORE_LINK_DONE) {
        return give_up(door);
    }
    enum door_result result =
        answer.is_ok ? welcome_of(door, answer.message) : refusal_of(door, answer.message);
    json_decref(answer.message);
    return result;
}

/* Translates the core's answer to a sign-in. */
static enum door_result settle(struct door *door, enum door_result result)
{
    if (result == DOOR_IN || result == DOOR_VISITOR) {
        door->state = DOOR_OPEN;
        door->is_visitor = result == DOOR_VISITOR;
    } else if (result != DOOR_GONE && ++door->wrong_tries >= door->tries_max) {
        door->state = DOOR_SHUT;
    }
    return result;
}

void door_clear(struct door *door)
{
    free(door->you);
    door->you = NULL;
}

static json_t *name_of(const char *name)
{
    json_t *text = strlen(name) <= NAME_BYTES_MAX ? json_string(name) : NULL;
    return text != NULL ? text : json_string(""); /* jansson accepts UTF-8 only */
}

static json_t *key_of(const char *type, const char *fingerprint)
{
    return json_pack("{s:s, s:s}", "type", type, "fingerprint", fingerprint);
}

enum door_result door_key_check(struct door *door, const char *name, const char *type,
                                const char *fingerprint)
{
    return ask(door, "key_check",
               json_pack("{s:o, s:o}", "name", name_of(name), "key", key_of(type, fingerprint)));
}

/* Steals the reference to `fields`. */
static enum door_result sign_in(struct door *door, const char *method, json_t *fields)
{
    if (json_object_set_new(fields, "method", json_string(method)) != 0 ||
        json_object_set_new(fields, "asks", json_boolean(door->asks)) != 0) {
        abort();
    }
    return settle(door, ask(door, "sign_in", fields));
}

void door_come_in(const struct door *door, const char *as)
{
    json_t *fields = as == NULL ? NULL : json_pack("{s:s}", "as", as);
    if (door->asks &&
        !client_request(core_link_client(door->link), "come_in", fields, NULL, NULL)) {
        abort(); /* the first of 64 queued at once */
    }
}

enum door_result door_sign_in_key(struct door *door, const char *name, const char *type,
                                  const char *fingerprint)
{
    json_t *fields =
        json_pack("{s:o, s:o}", "name", name_of(name), "key", key_of(type, fingerprint));
    enum door_result result = sign_in(door, "key", fields);
    door->has_key = result == DOOR_VISITOR;
    return result;
}

enum door_result door_sign_in_password(struct door *door, const char *name, const char *password)
{
    if (door->is_banned && strncasecmp(password, appeal_word, strlen(appeal_word)) != 0) {
        /* A client may send a stored password by itself, which staff must not read as an appeal. */
        (void)snprintf(door->why, sizeof(door->why), "%s",
                       _("Nothing was sent. To appeal, type the word appeal and then your reason, "
                         "as in: appeal It was my brother."));
        return settle(door, DOOR_REFUSED);
    }
    json_t *text = json_string(password);
    if (text == NULL) {
        return settle(door, DOOR_DENIED); /* not UTF-8, so it cannot be anybody's password */
    }
    return sign_in(door, "password",
                   json_pack("{s:o, s:o}", "name", name_of(name), "password", text));
}

enum door_result door_sign_in_guest(struct door *door)
{
    return sign_in(door, "guest", json_object());
}

const char *door_appeal_question(void)
{
    return _("Type appeal and your reason:");
}

/* Breaks a text at blanks into lines that end with '\n'. */
static void note_wrap(const char *text, char note[DOOR_NOTE_MAX])
{
    const struct lines_look look = {.width = NOTE_COLUMNS, .end = "\n"};
    struct lines lines;
    struct bytes out;
    lines_init(&lines, LINES_LINE_MAX);
    bytes_init(&out, DOOR_NOTE_MAX - 1);
    lines_put(&lines, text);
    bool is_whole = lines_write(&lines, &look, &out);
    (void)is_whole; /* copies as much as fits */
    (void)snprintf(note, DOOR_NOTE_MAX, "%.*s", (int)out.len, out.len == 0 ? "" : out.at);
    bytes_clear(&out);
    lines_clear(&lines);
}

void door_banned_note(const struct door *door, char note[DOOR_NOTE_MAX])
{
    note_wrap(door->why, note);
}

void door_note(const struct door *door, enum door_result result, char note[DOOR_NOTE_MAX])
{
    const char *text = _("That was not right.");
    char wait[128];
    if (result == DOOR_WAIT) {
        snprintf(wait, sizeof(wait),
                 _("Too many wrong passwords for this name: wait %d s before the next."),
                 (int)door->wait_seconds);
        text = wait;
    } else if (result == DOOR_BUSY) {
        text = _("The house is busy at the door: please try again in a moment.");
    } else if (result == DOOR_REFUSED) {
        text = door->why;
    }
    note_wrap(text, note);
}
