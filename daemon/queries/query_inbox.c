#include "daemon/base/i18n.h"
#include "daemon/queries/query.h"
#include "daemon/queries/query_ask.h"
#include "daemon/queries/query_table.h"
#include "daemon/screens/drawing/words.h"

#include <stdio.h>
#include <string.h>

/* What waits for one: games, and what was told. */

#define CELL_BYTES 200

static const struct theme plain = {.is_ascii = true, .is_told = true};

static const struct query_column columns[] = {
    {N_("Table"), true}, {N_("Game"), false}, {N_("Your turn"), false}, {N_("Time left"), false}};

static void inbox_ask(struct query_run *run)
{
    if (query_words_end(run)) {
        query_ask_house(run);
        query_ask(run, "tells_read", NULL); /* once they have been told */
    }
}

static bool is_tell(const struct query_run *run, const json_t *line)
{
    return strcmp(query_text(line, "channel"), "tell") == 0 &&
           strcmp(query_text(line, "from"), run->you) != 0;
}

static void tell_tables(struct query_run *run)
{
    struct query_table table = query_table_new(columns, ARRAY_LEN(columns));
    size_t i, waiting = 0;
    json_t *row;
    json_array_foreach(run->mine, i, row)
    {
        char id[CELL_BYTES], left[CELL_BYTES] = "";
        bool is_turn = json_is_true(json_object_get(row, "turn"));
        int64_t due_ms = query_int(row, "due_at");
        struct text span = text_init(left, sizeof left);
        if (is_turn && due_ms > run->now_ms) {
            words_span(&plain, (due_ms - run->now_ms) / 1000, &span);
        }
        waiting += is_turn;
        snprintf(id, sizeof id, "#%lld", (long long)query_int(row, "table"));
        query_table_add(&table, (const char *[]){id, query_game_title(query_text(row, "game")),
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
    query_table_write(&table, &run->out);
}

static void inbox_tell(struct query_run *run)
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
            words_day(query_int(line, "at"), &text);
            text_put_char(&text, ' ');
            words_time(query_int(line, "at"), &text);
            lines_format(&run->out, _("%s, %s told you: %s"), when, query_text(line, "from"),
                         query_text(line, "text"));
        }
    }
    if (told == 0) {
        lines_put(&run->out, _("Nobody has told you anything."));
    }
}

static json_t *inbox_shape(struct query_run *run)
{
    json_t *tells = json_array();
    size_t i;
    json_t *line;
    json_array_foreach(run->chat, i, line)
    {
        if (is_tell(run, line)) {
            (void)json_array_append_new(tells, json_pack("{s:s, s:s, s:I}", "from",
                                                         query_text(line, "from"), "text",
                                                         query_text(line, "text"), "at",
                                                         (json_int_t)query_int(line, "at")));
        }
    }
    return json_pack("{s:O, s:o}", "tables", run->mine, "tells", tells);
}

const struct query inbox_query = {
    .name = "inbox",
    .args = "",
    .help = N_("Games that wait for your move; what people told you."),
    .who = QUERY_FOR_PEOPLE,
    .ask = inbox_ask,
    .tell = inbox_tell,
    .shape = inbox_shape,
};
