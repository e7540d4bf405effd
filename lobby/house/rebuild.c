#include "lobby/house/rebuild.h"

#include "lobby/accounts/admins.h"
#include "lobby/accounts/auth_jobs.h"
#include "lobby/accounts/guests.h"
#include "lobby/accounts/newcomers.h"
#include "lobby/archive/reviews.h"
#include "lobby/bots/bot_seats.h"
#include "lobby/bots/lobby_bots.h"
#include "lobby/chat/chat_rewrites.h"
#include "lobby/house/alive.h"
#include "lobby/house/answers.h"
#include "lobby/house/answers_kept.h"
#include "lobby/house/closing.h"
#include "lobby/house/conns.h"
#include "lobby/house/fault.h"
#include "lobby/house/keeping.h"
#include "lobby/house/returning.h"
#include "lobby/house/words.h"
#include "lobby/people/persons.h"
#include "lobby/ratings/rerate.h"
#include "lobby/ratings/standing.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/table_restore.h"
#include "lobby/tables/tables.h"
#include "lobby/webhooks/hooks.h"

/* What is read, in this order: tables ask until when the house was there. */
static const struct rebuild_part {
    const char *name;
    bool writes; /* not while the disk is full */
    void (*begin)(struct house *house);
} rebuild_parts[] = {
    {"bot-accounts", true, bot_accounts_make},
    {"admins", true, admins_make},
    {"newcomers", true, newcomers_configure},
    {"answers", false, answers_kept_load},
    {"guests", false, guests_begin},
    {"alive", false, alive_begin},
    {"standing", false, standing_begin},
    {"rerate", false, rerate_begin},
    {"chat-rewrites", false, chat_rewrites_begin},
    {"keeping", false, keeping_begin},
    {"closing", false, closing_begin},
    {"sanctions", false, sanctions_begin},
    {"tables", false, tables_restore},
    {"hooks", false, hooks_load},
};

bool rebuild_load(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(rebuild_parts) && !house->is_failed; i++) {
        if (!house->is_read_only || !rebuild_parts[i].writes) {
            rebuild_parts[i].begin(house);
            fault_pass(house, rebuild_parts[i].name);
        }
    }
    return !house->is_failed;
}

void rebuild_clear(struct house *house)
{
    struct table *table = NULL;
    struct index_at next;
    reviews_clear(house);
    persons_clear(house);
    INDEX_EACH(&house->tables, table, next)
    {
        table_free(house, table);
    }
    hooks_clear(house);
    answers_clear(house);
    answers_kept_clear(house);
    auth_jobs_clear(house);
    outbox_clear(&house->outbox);
    lobby_bots_clear(house);
    (void)json_array_clear(house->gone_people);
    (void)json_array_clear(house->gone_tables);
    house->lobby_changed = false;
    house->mine_changed = false;
    house->tables_changed = false;
    house->fits_changed = false;
    house->clocks_changed = false;
}

/* Told to begin anew; the gate has nothing to repeat. */
static void rebuild_conn(struct house *house, struct conn *conn)
{
    if (conn->is_unfit) {
        conn_bye(house, conn, _("The house has lost your place in it: connect again."));
        return;
    }
    if (conn->peer == PEER_SESSION) {
        house->doing = (struct doing){.conn = conn->id};
        returning_connect(house, conn);
        house->doing = (struct doing){0};
    } else if (conn->peer == PEER_KEEPER) {
        keeping_keeper_ready(house, conn); /* it may never have heard of one it was to make */
        return;
    } else if (conn->peer == PEER_GATE) {
        return;
    }
    conn->is_lost = false;
    conn_push(house, conn, json_pack("{s:s}", "t", "resync"));
    conn->is_lost = true;
    conn->awaits_hello = true;
}

bool rebuild_without_conns(struct house *house)
{
    struct conn *conn = NULL;
    struct index_at next;
    rebuild_clear(house);
    INDEX_EACH(&house->conns, conn, next)
    {
        conn_reset(conn);
    }
    TAILQ_INIT(&house->lobby_waiting);
    TAILQ_INIT(&house->answered);
    return rebuild_load(house);
}

bool rebuild_conns(struct house *house)
{
    struct conn *conn = NULL;
    struct index_at next;
    INDEX_EACH(&house->conns, conn, next)
    {
        rebuild_conn(house, conn);
    }
    return !house->is_failed;
}

bool rebuild(struct house *house)
{
    return rebuild_without_conns(house) && rebuild_conns(house);
}
