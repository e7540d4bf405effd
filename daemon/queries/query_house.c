#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/queries/queries.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"

#include <stdio.h>
#include <string.h>

/* Queries about the people and tables in the house now. */

#define CELL_BYTES 80

static void send_lobby_request(struct query_run *run)
{
    if (query_expect_no_more_words(run)) {
        query_request_lobby(run);
    }
}

static const struct query_column person_columns[] = {
    {N_("Name"), false}, {N_("R"), true}, {N_("Where"), false}, {N_("Idle"), true}, {"", false},
};

/* Reads a person's row. False if the person is not listed: a guest who is connected only for this
 * query. */
static bool read_listed_person(const struct query_run *run, const json_t *row,
                               struct person_row *person)
{
    return person_row_read(row, person) &&
           (person->kind != PERSON_GUEST || strcmp(person->name, run->you) != 0);
}

static void write_people_list(struct query_run *run)
{
    struct query_table table = query_table_new(person_columns, ARRAY_LEN(person_columns));
    const char *name;
    json_t *row;
    json_object_foreach(run->people, name, row)
    {
        struct person_row person;
        if (read_listed_person(run, row, &person)) {
            query_table_add_row(
                &table,
                (const char *[]){
                    person.name,
                    words_write_rating(&theme_plain, &person.rating, &TEXT_OF(CELL_BYTES)),
                    person_write_location(person.table, person.is_seated, &TEXT_OF(CELL_BYTES)),
                    person.idle_s >= 60
                        ? words_write_duration(&theme_plain, person.idle_s, &TEXT_OF(CELL_BYTES))
                        : "",
                    person_label(person.kind, person.level, person.role)});
        }
    }
    if (json_array_size(table.rows) == 0) {
        lines_put(&run->out, _("Nobody is online."));
    }
    query_table_write(&table, &run->out);
}

static json_t *people_to_json(struct query_run *run)
{
    json_t *people = json_array();
    const char *name;
    json_t *row;
    json_object_foreach(run->people, name, row)
    {
        struct person_row person;
        if (read_listed_person(run, row, &person)) {
            (void)json_array_append_new(people, person_row_write(&person));
        }
    }
    return json_pack("{s:o}", "people", people);
}

const struct query who_query = {
    .name = "who",
    .args = "",
    .help = N_("Who is online, and where."),
    .who = QUERY_FOR_ALL,
    .ask = send_lobby_request,
    .write = write_people_list,
    .to_json = people_to_json,
};

static const struct query_column table_columns[] = {
    {N_("#"), true},      {N_("Game"), false}, {N_("Seats"), true}, {N_("Clock"), false},
    {N_("State"), false}, {N_("Host"), false}, {"", false},
};

static void add_table_row(const struct table_row *table, struct query_table *out)
{
    struct text id = TEXT_OF(CELL_BYTES), seats = TEXT_OF(CELL_BYTES);
    struct text clock = TEXT_OF(CELL_BYTES), marks = TEXT_OF(CELL_BYTES);
    text_put_number(&id, table->id);
    text_format(&seats, "%d/%d", table->seated, table->players);
    if (table->clock.kind == CLOCK_NONE) {
        text_put_char(&clock, '-');
    } else {
        clock_rule_write(&table->clock, &clock);
    }
    if (table->is_locked) {
        text_put(&marks, _("locked"));
    } else if (table->watchers > 0) {
        text_format(&marks, _("%lld watching"), (long long)table->watchers);
    }
    query_table_add_row(out,
                        (const char *[]){id.at, _(table->game->title), seats.at, clock.at,
                                         table_write_state(table->phase, table->halt, table->round,
                                                           table->rounds, &TEXT_OF(CELL_BYTES)),
                                         table->host, marks.at});
}

static void write_table_list(struct query_run *run)
{
    struct query_table out = query_table_new(table_columns, ARRAY_LEN(table_columns));
    const char *id;
    json_t *row;
    json_object_foreach(run->tables, id, row)
    {
        struct table_row table;
        if (table_row_read(row, &table)) {
            add_table_row(&table, &out);
        }
    }
    if (json_array_size(out.rows) == 0) {
        lines_put(&run->out, _("No table is open."));
    }
    query_table_write(&out, &run->out);
}

static json_t *tables_to_json(struct query_run *run)
{
    json_t *tables = json_array();
    const char *id;
    json_t *row;
    json_object_foreach(run->tables, id, row)
    {
        struct table_row table;
        if (table_row_read(row, &table)) {
            (void)json_array_append_new(tables, table_row_write(&table));
        }
    }
    return json_pack("{s:o}", "tables", tables);
}

const struct query tables_query = {
    .name = "tables",
    .args = "",
    .help = N_("The tables, open and in play."),
    .who = QUERY_FOR_ALL,
    .ask = send_lobby_request,
    .write = write_table_list,
    .to_json = tables_to_json,
};
