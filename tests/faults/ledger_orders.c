#include "lobby/house/parts.h"
#include "tests/faults/ledger.h"

#include <stdio.h>
#include <string.h>

static struct ledger_order *ledger_find_order(struct ledger *ledger, int64_t conn, const char *line)
{
    for (size_t i = ledger->order_count; i > 0; i--) {
        struct ledger_order *order = &ledger->orders[i - 1];
        if (order->conn == conn && strcmp(order->line, line) == 0) {
            return order;
        }
    }
    return NULL;
}

void ledger_record_order(struct ledger *ledger, int64_t conn, const char *line)
{
    struct ledger_order *order = ledger_find_order(ledger, conn, line);
    if (order == NULL) {
        ledger->orders = memory_grow(ledger->orders, ledger->order_count, &ledger->order_cap,
                                     sizeof(*ledger->orders));
        order = &ledger->orders[ledger->order_count++];
        *order = (struct ledger_order){.conn = conn};
        (void)snprintf(order->line, sizeof(order->line), "%s", line);
    }
    order->asked++;
}

void ledger_record_order_done(struct ledger *ledger, int64_t conn, const char *line)
{
    struct ledger_order *order = ledger_find_order(ledger, conn, line);
    if (order != NULL) {
        order->done++;
        ledger->told_orders++;
    }
}

bool ledger_has_order(const struct ledger *ledger, const char *command, const char *name)
{
    const size_t len = strlen(command);
    const size_t name_len = strlen(name);
    for (size_t i = 0; i < ledger->order_count; i++) {
        const char *line = ledger->orders[i].line;
        const bool is_command = strncmp(line, command, len) == 0 && line[len] == ' ';
        const char *target = is_command ? line + len + 1 : "";
        const bool is_of = strncmp(target, name, name_len) == 0 && target[name_len] == ' ';
        if (is_command && (name_len == 0 || is_of)) {
            return true;
        }
    }
    return false;
}

struct ledger_highest ledger_find_highest_numbers(const struct ledger *ledger)
{
    struct ledger_highest highest = {0};
    for (size_t i = 0; i < ledger->table_count; i++) {
        highest.table = ledger->tables[i] > highest.table ? ledger->tables[i] : highest.table;
    }
    for (size_t i = ledger->game_cap; i > 0 && highest.game == 0; i--) {
        highest.game = ledger->games[i - 1].id;
    }
    for (size_t i = ledger->line_cap; i > 0 && highest.line == 0; i--) {
        highest.line = ledger->lines[i - 1].words == 0 ? 0 : (int64_t)i - 1;
    }
    return highest;
}
