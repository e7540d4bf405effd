#include "daemon/verbs/verb.h"

#include "daemon/base/i18n.h"
#include "games/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ssh_verb *const verbs[] = {
#define VERB(name) &(name),
#include "daemon/verbs/verbs.def"
#undef VERB
};

const struct ssh_verb *verb_at(size_t index)
{
    return index < ARRAY_LEN(verbs) ? verbs[index] : NULL;
}

const struct ssh_verb *verb_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
        if (strcmp(verbs[i]->name, name) == 0) {
            return verbs[i];
        }
    }
    return NULL;
}

void verb_fail(struct verb_run *run, enum verb_status status, const char *why)
{
    if (run->status == VERB_OK) {
        run->status = status;
        snprintf(run->why, sizeof run->why, "%s", why);
    }
}

void verb_fail_usage(struct verb_run *run)
{
    char why[sizeof run->why];
    snprintf(why, sizeof why, _("Usage: %s %s%s"), run->verb->name, run->verb->args,
             run->verb->shape == NULL ? "" : " [--json]");
    verb_fail(run, VERB_USAGE, why);
}

const char *verb_word(struct verb_run *run)
{
    return run->next_word < run->line.count ? run->line.words[run->next_word++] : NULL;
}

/* Takes so many words out of the line, from there. */
static void take_words(struct verb_run *run, size_t at, size_t count)
{
    run->line.count -= count;
    memmove(&run->line.words[at], &run->line.words[at + count],
            (run->line.count - at) * sizeof(run->line.words[0]));
}

/* Where `--name` stands; the count of words when it does not. */
static size_t find_option(const struct verb_run *run, const char *name)
{
    size_t at = 0;
    while (at < run->line.count && (strncmp(run->line.words[at], "--", 2) != 0 ||
                                    strcmp(run->line.words[at] + 2, name) != 0)) {
        at++;
    }
    return at;
}

bool verb_flag(struct verb_run *run, const char *name)
{
    size_t at = find_option(run, name);
    if (at == run->line.count) {
        return false;
    }
    take_words(run, at, 1);
    return true;
}

/* -1: no such number. */
static int64_t read_number(const char *word, int64_t max)
{
    int64_t number = 0;
    for (size_t i = 0; word[i] != '\0'; i++) {
        if (word[i] < '0' || word[i] > '9' || number > max / 10) {
            return -1;
        }
        number = number * 10 + (word[i] - '0');
    }
    return word[0] == '\0' || number > max ? -1 : number;
}

int64_t verb_option(struct verb_run *run, const char *name, int64_t max, int64_t absent)
{
    size_t at = find_option(run, name);
    if (at == run->line.count) {
        return absent;
    }
    int64_t number =
        at + 1 < run->line.count ? read_number(run->line.words[at + 1], max) : (int64_t)-1;
    if (number < 0) {
        char why[sizeof run->why];
        snprintf(why, sizeof why, _("--%s takes a number, at most %lld."), name, (long long)max);
        verb_fail(run, VERB_USAGE, why);
        return absent;
    }
    take_words(run, at, 2);
    return number;
}

bool verb_words_end(struct verb_run *run)
{
    if (run->next_word < run->line.count) {
        verb_fail_usage(run);
    }
    return run->status == VERB_OK;
}

int64_t verb_number(struct verb_run *run, const char *word)
{
    int64_t number =
        word == NULL ? -1 : read_number(word[0] == '#' ? word + 1 : word, INT64_MAX / 2);
    if (number < 1) {
        verb_fail_usage(run);
        return 0;
    }
    return number;
}

const char *verb_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text == NULL ? "" : text;
}

int64_t verb_int(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_integer(value) ? json_integer_value(value) : (int64_t)json_number_value(value);
}

const char *verb_game_title(const char *id)
{
    const struct game_def *game = game_find(id);
    return game == NULL ? id : _(game->title);
}

static bool is_welcome(struct verb_run *run, const struct verb_setup *setup)
{
    json_t *you = setup->you == NULL ? NULL : json_loads(setup->you, 0, NULL);
    bool is_visitor = you == NULL;
    bool is_guest = strcmp(verb_text(you, "kind"), "guest") == 0;
    snprintf(run->you, sizeof run->you, "%s", verb_text(you, "name"));
    json_decref(you);
    if (is_visitor) {
        verb_fail(run, VERB_REFUSED,
                  _("Nobody has that name yet: connect without a command to make an account, or "
                    "ask as guest: ssh guest@HOST help"));
    } else if (is_guest && run->verb->who == VERB_FOR_PEOPLE) {
        verb_fail(run, VERB_REFUSED, _("That is for people with an account: sign in with yours."));
    } else if (is_guest && !setup->are_guests_welcome) {
        verb_fail(run, VERB_REFUSED, _("This house answers people with an account: sign in."));
    }
    return run->status == VERB_OK;
}

/* A verb that takes a line as it is gets no words. */
static bool is_understood(struct verb_run *run, const struct verb_setup *setup)
{
    char first[VERB_NAME_MAX + 1];
    verb_line_first(setup->line, first, sizeof first);
    const struct ssh_verb *verb = verb_find(first);
    if (verb == NULL) {
        verb_fail(run, VERB_REFUSED,
                  _("Trickhouse has no such command: \"help\" lists those it has, and without any "
                    "you come in."));
        return false;
    }
    run->verb = verb;
    run->next_word = 1;
    if (!verb->takes_line && verb_line_read(setup->line, &run->line) != VERB_LINE_OK) {
        verb_fail_usage(run);
        return false;
    }
    return true;
}

void verb_begin(struct verb_run *run, const struct verb_setup *setup)
{
    *run = (struct verb_run){.setup = setup, .client = setup->client, .now_ms = setup->now_ms};
    lines_init(&run->out, 1 << 20);
    if (!is_understood(run, setup) || !is_welcome(run, setup)) {
        return;
    }
    run->is_json = verb_flag(run, "json");
    if (run->is_json && run->verb->shape == NULL) {
        verb_fail_usage(run);
    } else if (run->verb->ask != NULL) {
        run->verb->ask(run);
    } else {
        (void)verb_words_end(run);
    }
}

bool verb_is_answered(const struct verb_run *run)
{
    bool is_heard = run->answered == run->asked && !run->awaits_lobby;
    return run->status != VERB_OK || is_heard;
}

/* Programs get their JSON in one line. */
static void put_json(json_t *value, const char *end, struct bytes *out)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(6));
    bool is_put =
        text != NULL && bytes_add(out, text, strlen(text)) && bytes_add(out, end, strlen(end));
    (void)is_put; /* it has room for many records, of which this is one */
    free(text);
    json_decref(value);
}

void verb_finish(struct verb_run *run, const char *end, struct bytes *out)
{
    const struct lines_look look = {.width = VERB_COLUMNS, .end = end};
    json_t *value = run->status == VERB_OK && run->is_json ? run->verb->shape(run) : NULL;
    if (run->status == VERB_OK && !run->is_json) {
        run->verb->tell(run);
    }
    if (value != NULL) {
        put_json(value, end, out);
    } else if (!lines_write(&run->out, &look, out) || run->out.is_cut) {
        verb_fail(run, VERB_REFUSED, _("There was more to tell than fits."));
    }
}

void verb_end(struct verb_run *run)
{
    for (size_t i = 0; i < VERB_ANSWERS_MAX; i++) {
        json_decref(run->answers[i]);
    }
    json_decref(run->people);
    json_decref(run->tables);
    json_decref(run->mine);
    json_decref(run->chat);
    lines_clear(&run->out);
}
