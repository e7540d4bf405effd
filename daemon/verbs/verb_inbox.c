#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/words.h"
#include "daemon/verbs/verb.h"
#include "daemon/verbs/verb_table.h"

#include <stdio.h>
#include <string.h>

/* What waits for one: games, and what was told. */

#define CELL_BYTES 200

static const struct theme plain = {.is_ascii = true, .is_told = true};

static const struct verb_column columns[] = {
    {N_("Table"), true}, {N_("Game"), false}, {N_("Your turn"), false}, {N_("Time left"), false}};

static void inbox_ask(struct verb_run *run)
{
    if (verb_words_end(run)) {
        verb_ask_house(run);
        verb_ask(run, "tells_read", NULL); /* once they have been told */
    }
}

static bool is_tell(const struct verb_run *run, const json_t *line)
{
    return strcmp(verb_text(line, "channel"), "tell") == 0 &&
           strcmp(verb_text(line, "from"), run->you) != 0;
}

static void tell_tables(struct verb_run *run)
{
    struct verb_table table = verb_table_new(columns, ARRAY_LEN(columns));
    size_t i, waiting = 0;
    json_t *row;
    json_array_foreach(run->mine, i, row)
    {
        char id[CELL_BYTES], left[CELL_BYTES] = "";
        bool is_turn = json_is_true(json_object_get(row, "turn"));
        int64_t due_ms = verb_int(row, "due_at");
        struct text span = text_init(left, sizeof left);
        if (is_turn && due_ms > run->now_ms) {
            words_span(&plain, (due_ms - run->now_ms) / 1000, &span);
        }
        waiting += is_turn;
        snprintf(id, sizeof id, "#%lld", (long long)verb_int(row, "table"));
        verb_table_add(&table, (const char *[]){id, verb_game_title(verb_text(row, "game")),
                                                is_turn ? _("yes") : _("no"), left});
    }
    if (waiting == 0) {
        lines_put(&run->out, _("No game waits for your move."));
    } else {
        lines_format(
            &run->out,
            ngettext("%zu game waits for your move.", "%zu games wait for your move.", waiting),
            waiting);
    }
    verb_table_write(&table, &run->out);
}

static void inbox_tell(struct verb_run *run)
{
    size_t i, told = 0;
    json_t *line;
    tell_tables(run);
    json_array_foreach(run->chat, i, line)
    {
        if (is_tell(run, line)) {
            char when[CELL_BYTES];
            told++;
            struct text text = text_init(when, sizeof when);
            words_day(verb_int(line, "at"), &text);
            text_put_char(&text, ' ');
            words_time(verb_int(line, "at"), &text);
            lines_format(&run->out, _("%s, %s told you: %s"), when, verb_text(line, "from"),
                         verb_text(line, "text"));
        }
    }
    if (told == 0) {
        lines_put(&run->out, _("Nobody has told you anything."));
    }
}

static json_t *inbox_shape(struct verb_run *run)
{
    json_t *tells = json_array();
    size_t i;
    json_t *line;
    json_array_foreach(run->chat, i, line)
    {
        if (is_tell(run, line)) {
            (void)json_array_append_new(
                tells, json_pack("{s:s, s:s, s:I}", "from", verb_text(line, "from"), "text",
                                 verb_text(line, "text"), "at", (json_int_t)verb_int(line, "at")));
        }
    }
    return json_pack("{s:O, s:o}", "tables", run->mine, "tells", tells);
}

const struct ssh_verb inbox_verb = {
    .name = "inbox",
    .args = "",
    .help = N_("Games that wait for your move; what people told you."),
    .who = VERB_FOR_PEOPLE,
    .ask = inbox_ask,
    .tell = inbox_tell,
    .shape = inbox_shape,
};
