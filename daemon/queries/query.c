#include "daemon/queries/queries.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "games/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Splits a line into words, which point into *out; *out must not move. False if the line is too
 * long, has too many words, or contains more than printable ASCII. */
static bool split_words(const char *line, struct query_line *out)
{
    size_t len = strnlen(line, QUERY_LINE_MAX + 1);
    bool is_good = len <= QUERY_LINE_MAX;
    for (size_t i = 0; is_good && i < len; i++) {
        is_good = line[i] >= ' ' && line[i] <= '~';
    }
    out->count = 0;
    if (!is_good) {
        return false;
    }
    memcpy(out->text, line, len + 1);
    for (char *at = out->text; *(at += strspn(at, " ")) != '\0';) {
        if (out->count == QUERY_WORDS_MAX) {
            return false;
        }
        out->words[out->count++] = at;
        at += strcspn(at, " ");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    return true;
}

/* Finds a query by its name, the first word of the line; NULL if there is none. */
static const struct query *find_query(const char *line)
{
    line += strspn(line, " ");
    size_t len = strcspn(line, " ");
    const struct query *query = query_list;
    while (query->name != NULL &&
           (strlen(query->name) != len || strncmp(query->name, line, len) != 0)) {
        query++;
    }
    return query->name != NULL ? query : NULL;
}

void query_write_usage(const struct query *query, struct text *out)
{
    text_put(out, query->name);
    text_put(out, query->args[0] == '\0' ? "" : " ");
    text_put(out, _(query->args));
    text_put(out, query->to_json == NULL ? "" : " [--json]");
}

void query_fail(struct query_run *run, enum query_status status, const char *why)
{
    if (run->status == QUERY_OK) {
        run->status = status;
        snprintf(run->why, sizeof run->why, "%s", why);
    }
}

void query_fail_with_usage(struct query_run *run)
{
    char why[sizeof run->why];
    struct text out = TEXT_OF(sizeof run->why);
    query_write_usage(run->query, &out);
    snprintf(why, sizeof why, _("Usage: %s"), out.at);
    query_fail(run, QUERY_USAGE, why);
}

void query_remove_words(struct query_run *run, size_t first, size_t count)
{
    run->line.count -= count;
    memmove(&run->line.words[first], &run->line.words[first + count],
            (run->line.count - first) * sizeof(run->line.words[0]));
}

size_t query_find_option(const struct query_run *run, const char *name)
{
    size_t at = 0;
    while (at < run->line.count && (strncmp(run->line.words[at], "--", 2) != 0 ||
                                    strcmp(run->line.words[at] + 2, name) != 0)) {
        at++;
    }
    return at;
}

bool query_has_flag(struct query_run *run, const char *name)
{
    size_t at = query_find_option(run, name);
    if (at == run->line.count) {
        return false;
    }
    query_remove_words(run, at, 1);
    return true;
}

bool query_expect_no_more_words(struct query_run *run)
{
    if (run->next_word < run->line.count) {
        query_fail_with_usage(run);
    }
    return run->status == QUERY_OK;
}

static bool asker_may_run_query(struct query_run *run, const struct query_setup *setup)
{
    struct you_row row;
    (void)you_row_read(setup->you, &row);
    run->is_guest = row.kind == PERSON_GUEST;
    run->role = row.role;
    memcpy(run->you, row.name, sizeof run->you);
    if (setup->you == NULL) {
        query_fail(
            run, QUERY_REFUSED,
            _("You have not signed in: give your password or your key. Without an account, "
              "connect without a command to make one, or ask as guest: ssh guest@HOST help"));
    } else if (run->is_guest && run->query->who == QUERY_FOR_PEOPLE) {
        query_fail(run, QUERY_REFUSED,
                   _("Only people with an account may use this query: sign in with yours."));
    } else if (run->is_guest && !setup->are_guests_welcome) {
        query_fail(run, QUERY_REFUSED,
                   _("This house answers only people with an account: sign in."));
    }
    return run->status == QUERY_OK;
}

/* Finds the query and splits the line into words, unless the query takes the whole line. */
static bool parse_query_line(struct query_run *run, const struct query_setup *setup)
{
    const struct query *query = find_query(setup->line);
    if (query == NULL) {
        query_fail(run, QUERY_REFUSED,
                   _("Trickhouse has no such command: \"help\" lists all commands; without a "
                     "command you enter the house."));
        return false;
    }
    run->query = query;
    run->next_word = 1;
    if (!query->takes_line && !split_words(setup->line, &run->line)) {
        query_fail_with_usage(run);
        return false;
    }
    return true;
}

void query_begin(struct query_run *run, const struct query_setup *setup)
{
    *run = (struct query_run){.setup = setup, .client = setup->client, .now_ms = setup->now_ms};
    lines_init(&run->out, 1 << 20);
    if (!parse_query_line(run, setup) || !asker_may_run_query(run, setup)) {
        return;
    }
    run->is_json = query_has_flag(run, "json");
    if (run->is_json && run->query->to_json == NULL) {
        query_fail_with_usage(run);
    } else if (run->query->ask != NULL) {
        run->query->ask(run);
    } else {
        (void)query_expect_no_more_words(run);
    }
}

bool query_is_answered(const struct query_run *run)
{
    bool is_heard = run->answered == run->asked && !run->awaits_state;
    return run->status != QUERY_OK || is_heard;
}

static void write_json(json_t *value, const char *line_end, struct bytes *out)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(6));
    bool is_put = text != NULL && bytes_add(out, text, strlen(text)) &&
                  bytes_add(out, line_end, strlen(line_end));
    (void)is_put; /* cannot fail: `out` is larger than any answer */
    free(text);
    json_decref(value);
}

void query_write_result(struct query_run *run, const char *line_end, struct bytes *out)
{
    const struct lines_look look = {.width = QUERY_COLUMNS, .end = line_end};
    json_t *value = run->status == QUERY_OK && run->is_json ? run->query->to_json(run) : NULL;
    if (run->status == QUERY_OK && !run->is_json) {
        run->query->write(run);
    }
    if (value != NULL) {
        write_json(value, line_end, out);
    } else if (!lines_write(&run->out, &look, out) || run->out.is_cut) {
        query_fail(run, QUERY_REFUSED, _("The answer was too long and is incomplete."));
    }
}
