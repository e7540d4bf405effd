#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/queries/queries.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <string.h>

/* The query that lists the games and messages which wait for a person. */

#define CELL_BYTES 200

static const struct query_column columns[] = {
    {N_("Table"), true}, {N_("Game"), false}, {N_("Your turn"), false}, {N_("Time left"), false}};

static void send_requests_for_inbox(struct query_run *run)
{
    if (query_expect_no_more_words(run)) {
        query_request_own_state(run);
        query_send_request(run, "tells_read",
                           NULL); /* marks the messages as read once they have been delivered */
    }
}

static bool is_message_to_asker(const struct query_run *run, const struct chat_line *line)
{
    return line->kind == CHAT_DIRECT && strcmp(line->from, run->you) != 0;
}

static void write_tables_of_asker(struct query_run *run)
{
    struct query_table table = query_table_new(columns, ARRAY_LEN(columns));
    size_t waiting = 0;
    for (int i = 0; i < run->model->mine_count; i++) {
        const struct mine_row *row = &run->model->mine[i];
        struct text left = TEXT_OF(CELL_BYTES), id = TEXT_OF(CELL_BYTES);
        if (row->is_turn && row->due_ms > run->now_ms) {
            words_write_duration(&theme_plain, (row->due_ms - run->now_ms) / 1000, &left);
        }
        waiting += row->is_turn;
        text_format(&id, "#%lld", (long long)row->table);
        query_table_add_row(&table, (const char *[]){id.at, _(row->game->title),
                                                     row->is_turn ? _("yes") : _("no"), left.at});
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

static void write_inbox(struct query_run *run)
{
    const struct chat_log *log = &run->model->chat[CHAT_LOBBY];
    size_t count = 0;
    write_tables_of_asker(run);
    for (int i = 0; i < log->count; i++) {
        const struct chat_line *line = model_chat_get_line(log, i);
        if (is_message_to_asker(run, line)) {
            lines_format(&run->out, _("%s, %s told you: %s"),
                         words_write_day_and_time(line->at_ms, &TEXT_OF(CELL_BYTES)), line->from,
                         line->text);
            count++;
        }
    }
    if (count == 0) {
        lines_put(&run->out, _("Nobody has told you anything."));
    }
}

static json_t *inbox_to_json(struct query_run *run)
{
    const struct chat_log *log = &run->model->chat[CHAT_LOBBY];
    json_t *messages = json_array();
    for (int i = 0; i < log->count; i++) {
        const struct chat_line *line = model_chat_get_line(log, i);
        if (is_message_to_asker(run, line)) {
            (void)json_array_append_new(messages,
                                        json_pack("{s:s, s:s, s:I}", "from", line->from, "text",
                                                  line->text, "at", (json_int_t)line->at_ms));
        }
    }
    return json_pack(
        "{s:o, s:o}", "tables",
        row_list_write(&mine_row_def, run->model->mine, (size_t)run->model->mine_count), "tells",
        messages);
}

const struct query inbox_query = {
    .name = "inbox",
    .args = "",
    .help = N_("Games that wait for your move, and messages to you."),
    .who = QUERY_FOR_PEOPLE,
    .ask = send_requests_for_inbox,
    .write = write_inbox,
    .to_json = inbox_to_json,
};
