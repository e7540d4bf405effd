#include "lobby/tables/table_row.h"

#include "lobby/tables/table_fit.h"
#include "lobby/tables/table_halt.h"
#include "lobby/tables/table_watch.h"
#include "lobby/tables/tables.h"

json_t *table_row(const struct table *table)
{
    uint8_t round = 0;
    uint8_t rounds = 0;
    table_rounds(table, &round, &rounds);
    struct clock_rule rule = table_rule(table);
    struct watch_rule watch = table_watch_rule(table);
    struct fit_rule fit = table_fit_rule(table);
    json_t *row = json_pack(
        "{s:I,s:s,s:i,s:i,s:i,s:I,s:o,s:s,s:s,s:i,s:o,s:s,s:b,s:i,s:o}", "id",
        (json_int_t)table->row.id, "game", table->game->id, "players", table->row.players, "seated",
        table_count(table, true) + table_count(table, false), "bots", table_count(table, false),
        "clock_s", (json_int_t)clock_rule_seconds(&rule), "clock", clock_rule_to_json(&rule),
        "halt", table_halt_name(table->row.halt), "state", table_state_name(table), "round", round,
        "rounds", rounds == 0 ? json_null() : json_integer(rounds), "host", table->row.host_name,
        "is_locked", table->row.password_hash[0] != '\0', "watchers", table_watcher_count(table),
        "watch", watch_rule_to_json(&watch));
    if (fit_rule_asks(&fit)) {
        (void)json_object_set_new(row, "fit", fit_rule_to_json(&fit));
    }
    return row;
}
