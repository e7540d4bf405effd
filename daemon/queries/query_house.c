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

void query_person_where(const json_t *person, char *out, size_t size)
{
    long long table = (long long)query_int(person, "table");
    if (table == 0) {
        snprintf(out, size, "%s", _("lobby"));
    } else if (json_is_true(json_object_get(person, "seated"))) {
        snprintf(out, size, _("plays at #%lld"), table);
    } else {
        snprintf(out, size, _("watches #%lld"), table);
    }
}

void query_person_rating(const json_t *person, char *out, size_t size)
{
    if (!json_is_integer(json_object_get(person, "rating"))) {
        snprintf(out, size, "-");
        return;
    }
    snprintf(out, size, "%lld%s", (long long)query_int(person, "rating"),
             json_is_true(json_object_get(person, "is_provisional")) ? "?" : "");
}

const char *query_person_kind(const json_t *person)
{
    const char *kind = query_text(person, "kind");
    const char *role = query_text(person, "role");
    return strcmp(kind, "bot") == 0     ? _("bot")
           : strcmp(kind, "guest") == 0 ? _("guest")
           : strcmp(role, "admin") == 0 ? _("admin")
           : strcmp(role, "mod") == 0   ? _("moderator")
                                        : "";
}

static const struct query_column person_columns[] = {
    {N_("Name"), false}, {N_("R"), true}, {N_("Where"), false}, {N_("Idle"), true}, {"", false},
};

/* A guest is in only to ask. */
static void leave_out_asker(struct query_run *run)
{
    for (size_t i = json_array_size(run->people); i > 0; i--) {
        const json_t *person = json_array_get(run->people, i - 1);
        if (strcmp(query_text(person, "name"), run->you) == 0 &&
            strcmp(query_text(person, "kind"), "guest") == 0) {
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
    json_t *person;
    json_array_foreach(run->people, i, person)
    {
        char rating[CELL_BYTES], where[CELL_BYTES], idle[CELL_BYTES];
        int64_t idle_s = query_int(person, "idle_s");
        query_person_rating(person, rating, sizeof rating);
        query_person_where(person, where, sizeof where);
        struct text span = text_init(idle, sizeof idle);
        if (idle_s >= 60) {
            words_span(&plain, idle_s, &span);
        }
        query_table_add(&table, (const char *[]){query_text(person, "name"), rating, where, idle,
                                                 query_person_kind(person)});
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

static void put_state(const json_t *table, char *out, size_t size)
{
    const char *state = query_text(table, "state");
    const char *halt = query_text(table, "halt");
    long long round = (long long)query_int(table, "round");
    long long rounds = (long long)query_int(table, "rounds");
    if (strcmp(state, "open") == 0) {
        snprintf(out, size, "%s", _("open"));
    } else if (strcmp(state, "finished") == 0) {
        snprintf(out, size, "%s", _("finished"));
    } else if (halt[0] != '\0' && strcmp(halt, "none") != 0) {
        snprintf(out, size, "%s",
                 strcmp(halt, "pause") == 0     ? _("paused")
                 : strcmp(halt, "adjourn") == 0 ? _("adjourned")
                                                : _("waiting"));
    } else if (rounds > 0) {
        snprintf(out, size, _("round %lld of %lld"), round, rounds);
    } else {
        snprintf(out, size, _("round %lld"), round);
    }
}

/* "30s", "10m+5s", "2d", "-". */
static void put_clock(const json_t *table, char *out, size_t size)
{
    struct clock_rule rule;
    struct text text = text_init(out, size);
    if (!clock_rule_from_json(json_object_get(table, "clock"), &rule)) {
        return;
    }
    if (rule.kind == CLOCK_NONE) {
        text_put_char(&text, '-');
    } else {
        clock_rule_write(&rule, &text);
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
    json_t *table;
    json_array_foreach(run->tables, i, table)
    {
        char id[CELL_BYTES], seats[CELL_BYTES], clock[CELL_BYTES], state[CELL_BYTES];
        char marks[CELL_BYTES] = "";
        long long watchers = (long long)query_int(table, "watchers");
        bool is_locked = json_is_true(json_object_get(table, "is_locked"));
        snprintf(id, sizeof id, "%lld", (long long)query_int(table, "id"));
        snprintf(seats, sizeof seats, "%lld/%lld", (long long)query_int(table, "seated"),
                 (long long)query_int(table, "players"));
        put_clock(table, clock, sizeof clock);
        put_state(table, state, sizeof state);
        if (watchers > 0) {
            snprintf(marks, sizeof marks, _("%lld watching"), watchers);
        }
        query_table_add(&out, (const char *[]){id, query_game_title(query_text(table, "game")),
                                               seats, clock, state, query_text(table, "host"),
                                               is_locked ? _("locked") : marks});
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
