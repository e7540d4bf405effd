#include "daemon/base/i18n.h"
#include "daemon/queries/query.h"
#include "daemon/queries/query_ask.h"
#include "daemon/queries/query_table.h"
#include "daemon/screens/drawing/person_words.h"
#include "daemon/screens/drawing/table_words.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table_options.h"

#include <stdio.h>
#include <string.h>

/* Queries about the people and tables in the house now. */

#define CELL_BYTES 80

static void send_house_requests(struct query_run *run)
{
    if (query_expect_no_more_words(run)) {
        query_request_house_state(run);
    }
}

static const struct query_column person_columns[] = {
    {N_("Name"), false}, {N_("R"), true}, {N_("Where"), false}, {N_("Idle"), true}, {"", false},
};

/* True if the person is listed. A guest who is connected only for this query is not. */
static bool is_listed(const struct query_run *run, const struct person_row *person)
{
    return person->kind != PERSON_GUEST || strcmp(person->name, run->you) != 0;
}

static void write_people(struct query_run *run)
{
    struct query_table table = query_table_new(person_columns, ARRAY_LEN(person_columns));
    for (int i = 0; i < run->model->people_count; i++) {
        const struct person_row *person = &run->model->people[i];
        char rating[CELL_BYTES], where[CELL_BYTES], idle[CELL_BYTES];
        if (!is_listed(run, person)) {
            continue;
        }
        struct text text = text_init(rating, sizeof rating);
        words_write_rating(&theme_told, &person->rating, &text);
        text = text_init(where, sizeof where);
        person_write_where(person->table, person->is_seated, &text);
        text = text_init(idle, sizeof idle);
        if (person->idle_s >= 60) {
            words_write_span(&theme_told, person->idle_s, &text);
        }
        query_table_add(&table, (const char *[]){person->name, rating, where, idle,
                                                 person_label(person->kind, person->role)});
    }
    if (json_array_size(table.rows) == 0) {
        lines_put(&run->out, _("Nobody is in."));
    }
    query_table_write(&table, &run->out);
}

static json_t *people_to_json(struct query_run *run)
{
    json_t *people = json_array();
    for (int i = 0; i < run->model->people_count; i++) {
        if (is_listed(run, &run->model->people[i])) {
            (void)json_array_append_new(people, person_row_write(&run->model->people[i]));
        }
    }
    return json_pack("{s:o}", "people", people);
}

const struct query who_query = {
    .name = "who",
    .args = "",
    .help = N_("Who is in, and where."),
    .who = QUERY_FOR_ALL,
    .ask = send_house_requests,
    .write = write_people,
    .to_json = people_to_json,
};

/* "30s", "10m+5s", "2d", "-". */
static void write_clock(const struct clock_rule *rule, char *out, size_t size)
{
    struct text text = text_init(out, size);
    if (rule->kind == CLOCK_NONE) {
        text_put_char(&text, '-');
    } else {
        clock_rule_write(rule, &text);
    }
}

static const struct query_column table_columns[] = {
    {N_("#"), true},      {N_("Game"), false}, {N_("Seats"), true}, {N_("Clock"), false},
    {N_("State"), false}, {N_("Host"), false}, {"", false},
};

static void write_tables(struct query_run *run)
{
    struct query_table out = query_table_new(table_columns, ARRAY_LEN(table_columns));
    for (int i = 0; i < run->model->table_count; i++) {
        char id[CELL_BYTES], seats[CELL_BYTES], clock[CELL_BYTES], state[CELL_BYTES];
        char marks[CELL_BYTES] = "";
        const struct table_row *table = &run->model->tables[i];
        snprintf(id, sizeof id, "%lld", (long long)table->id);
        snprintf(seats, sizeof seats, "%d/%d", table->seated, table->players);
        write_clock(&table->clock, clock, sizeof clock);
        struct text text = text_init(state, sizeof state);
        table_write_state(table->phase, table->halt, table->round, table->rounds, &text);
        if (table->watchers > 0) {
            snprintf(marks, sizeof marks, _("%lld watching"), (long long)table->watchers);
        }
        query_table_add(&out,
                        (const char *[]){id, _(table->game->title), seats, clock, state,
                                         table->host, table->is_locked ? _("locked") : marks});
    }
    if (run->model->table_count == 0) {
        lines_put(&run->out, _("No table is open."));
    }
    query_table_write(&out, &run->out);
}

static json_t *tables_to_json(struct query_run *run)
{
    return json_pack(
        "{s:o}", "tables",
        row_list_write(&table_row_def, run->model->tables, (size_t)run->model->table_count));
}

const struct query tables_query = {
    .name = "tables",
    .args = "",
    .help = N_("The tables, open and in play."),
    .who = QUERY_FOR_ALL,
    .ask = send_house_requests,
    .write = write_tables,
    .to_json = tables_to_json,
};
