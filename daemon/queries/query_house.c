#include "daemon/base/i18n.h"
#include "daemon/queries/query.h"
#include "daemon/queries/query_ask.h"
#include "daemon/queries/query_person.h"
#include "daemon/queries/query_table.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table_options.h"

#include <stdio.h>
#include <string.h>

/* The house as it is now: who is in, and the tables. */

#define CELL_BYTES 80

static const struct theme plain = {.is_ascii = true, .is_told = true};

static void house_ask(struct query_run *run)
{
    if (query_words_end(run)) {
        query_ask_house(run);
    }
}

void query_person_where(const struct person_row *person, char *out, size_t size)
{
    long long table = (long long)person->table;
    if (table == 0) {
        snprintf(out, size, "%s", _("lobby"));
    } else if (person->is_seated) {
        snprintf(out, size, _("plays at #%lld"), table);
    } else {
        snprintf(out, size, _("watches #%lld"), table);
    }
}

void query_person_rating(const struct person_row *person, char *out, size_t size)
{
    if (person->rating.value == ROW_NONE) {
        snprintf(out, size, "-");
        return;
    }
    snprintf(out, size, "%d%s", person->rating.value, person->rating.is_provisional ? "?" : "");
}

const char *query_person_kind(const struct person_row *person)
{
    return person->kind == PERSON_BOT     ? _("bot")
           : person->kind == PERSON_GUEST ? _("guest")
           : person->role == ROLE_ADMIN   ? _("admin")
           : person->role == ROLE_MOD     ? _("moderator")
                                          : "";
}

static const struct query_column person_columns[] = {
    {N_("Name"), false}, {N_("R"), true}, {N_("Where"), false}, {N_("Idle"), true}, {"", false},
};

/* A guest is in only to ask. */
static void leave_out_asker(struct query_run *run)
{
    for (size_t i = json_array_size(run->people); i > 0; i--) {
        struct person_row person;
        (void)person_row_read(json_array_get(run->people, i - 1), &person);
        if (strcmp(person.name, run->you) == 0 && person.kind == PERSON_GUEST) {
            (void)json_array_remove(run->people, i - 1);
        }
    }
}

static void who_tell(struct query_run *run)
{
    leave_out_asker(run);
    if (json_array_size(run->people) == 0) {
        lines_put(&run->out, _("Nobody is in."));
    }
    struct query_table table = query_table_new(person_columns, ARRAY_LEN(person_columns));
    size_t i;
    json_t *object;
    json_array_foreach(run->people, i, object)
    {
        char rating[CELL_BYTES], where[CELL_BYTES], idle[CELL_BYTES];
        struct person_row person;
        if (!person_row_read(object, &person)) {
            continue;
        }
        query_person_rating(&person, rating, sizeof rating);
        query_person_where(&person, where, sizeof where);
        struct text span = text_init(idle, sizeof idle);
        if (person.idle_s >= 60) {
            words_span(&plain, person.idle_s, &span);
        }
        query_table_add(
            &table, (const char *[]){person.name, rating, where, idle, query_person_kind(&person)});
    }
    query_table_write(&table, &run->out);
}

static json_t *who_shape(struct query_run *run)
{
    leave_out_asker(run);
    return json_pack("{s:O}", "people", run->people);
}

const struct query who_query = {
    .name = "who",
    .args = "",
    .help = N_("Who is in, and where."),
    .who = QUERY_FOR_ALL,
    .ask = house_ask,
    .tell = who_tell,
    .shape = who_shape,
};

static void put_state(const struct table_row *table, char *out, size_t size)
{
    if (table->phase == TABLE_OPEN) {
        snprintf(out, size, "%s", _("open"));
    } else if (table->phase == TABLE_FINISHED) {
        snprintf(out, size, "%s", _("finished"));
    } else if (table->halt != HALT_NONE) {
        snprintf(out, size, "%s",
                 table->halt == HALT_PAUSE     ? _("paused")
                 : table->halt == HALT_ADJOURN ? _("adjourned")
                                               : _("waiting"));
    } else if (table->rounds > 0) {
        snprintf(out, size, _("round %lld of %lld"), (long long)table->round,
                 (long long)table->rounds);
    } else {
        snprintf(out, size, _("round %lld"), (long long)table->round);
    }
}

/* "30s", "10m+5s", "2d", "-". */
static void put_clock(const struct clock_rule *rule, char *out, size_t size)
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

static void tables_tell(struct query_run *run)
{
    struct query_table out = query_table_new(table_columns, ARRAY_LEN(table_columns));
    size_t i;
    json_t *object;
    json_array_foreach(run->tables, i, object)
    {
        char id[CELL_BYTES], seats[CELL_BYTES], clock[CELL_BYTES], state[CELL_BYTES];
        char marks[CELL_BYTES] = "";
        struct table_row table;
        if (!table_row_read(object, &table)) {
            continue;
        }
        snprintf(id, sizeof id, "%lld", (long long)table.id);
        snprintf(seats, sizeof seats, "%d/%d", table.seated, table.players);
        put_clock(&table.clock, clock, sizeof clock);
        put_state(&table, state, sizeof state);
        if (table.watchers > 0) {
            snprintf(marks, sizeof marks, _("%lld watching"), (long long)table.watchers);
        }
        query_table_add(&out, (const char *[]){id, _(table.game->title), seats, clock, state,
                                               table.host, table.is_locked ? _("locked") : marks});
    }
    if (json_array_size(run->tables) == 0) {
        lines_put(&run->out, _("No table is open."));
    }
    query_table_write(&out, &run->out);
}

static json_t *tables_shape(struct query_run *run)
{
    return json_pack("{s:O}", "tables", run->tables);
}

const struct query tables_query = {
    .name = "tables",
    .args = "",
    .help = N_("The tables, open and in play."),
    .who = QUERY_FOR_ALL,
    .ask = house_ask,
    .tell = tables_tell,
    .shape = tables_shape,
};
