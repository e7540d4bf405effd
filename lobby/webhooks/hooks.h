#ifndef LOBBY_WEBHOOKS_HOOKS_H
#define LOBBY_WEBHOOKS_HOOKS_H

#include "lobby/house/house_state.h"
#include "storage/webhooks/hooks.h"

/*
 * Webhooks: an account may name an address that is told, by POST, what happens while its owner is
 * away. What is told is queued in the transaction of what caused it, so that nothing is told that a
 * power cut could take back, and nothing that happened is forgotten:
 *
 *     hook_turns.h ─┐
 *     hook_news.h  ─┼─▶ hook_queue ──▶ storage ──▶ hook_posts.h ──▶ the peer `hook`
 *     a test       ─┘
 *
 * Nothing hidden in a game, and nothing that was said, is ever in it.
 */

/* Stored: the numbers never change. */
enum hook_event {
    HOOK_TURN = 0,  /* the owner is to act */
    HOOK_OVER = 1,  /* a game of theirs has ended */
    HOOK_TELL = 2,  /* somebody has written to them */
    HOOK_START = 3, /* a game of theirs has begun */
    HOOK_TEST = 4,
};

/* Bits of storage_hook.events besides 1 << event: */
#define HOOK_LIVE (UINT32_C(1) << 5) /* not of turn-by-turn tables alone */
#define HOOK_EVENTS_DEFAULT (UINT32_C(1) << HOOK_TURN)

/* The words of events in messages, "turn" to "live"; NULL past the last. */
const char *hook_word_at(size_t index, uint32_t *bits);

struct hook {
    struct storage_hook row; /* its url is "" when it was taken away: only tested_ms counts */
    int64_t tested_ms;       /* the last test */
};

/* Reads all of them, after the tables. */
void hooks_load(struct house *house);
void hooks_clear(struct house *house);

/* NULL when this account has none, or the house offers none. */
struct hook *hook_find(const struct house *house, int64_t account);

/* Gives the account that address, and a new secret; events stay, or are the default. */
struct hook *hook_set(struct house *house, int64_t account, const char *url);
void hook_save(struct house *house, const struct hook *hook);
void hook_remove(struct house *house, struct hook *hook);

/* The account is gone, or about to be: nothing of its webhook is left. */
void hook_end(struct house *house, int64_t account);

/* True while staff keep the account out or from sitting down: nothing is sent for it. */
bool hook_is_barred(struct house *house, int64_t account);

/* Says at sign-in what did not get through. */
void hook_tell(struct house *house, const struct conn *conn);

/* A line for the owner's connections, if any. */
void hook_notice(struct house *house, const struct hook *hook, const char *kind, const char *text);

/* True when the person counts as away; NULL is. */
bool hook_is_away(const struct house *house, const struct person *person);

/* True when the hook wants this told of that table. */
bool hook_wants(const struct hook *hook, const struct table *table, enum hook_event event);

/* Queues an event with the fields of its body, whose reference is taken over; those that all have
 * are added. With a table: at this seat of it. */
void hook_queue(struct house *house, struct hook *hook, enum hook_event event,
                const struct table *table, int seat, json_t *fields);

/* {"table", "game", "title", "text"} of HOOK_TURN, HOOK_OVER or HOOK_START there. */
json_t *hook_table_fields(const struct table *table, enum hook_event event);

#endif
