#ifndef LOBBY_HOUSE_HOUSE_H
#define LOBBY_HOUSE_HOUSE_H

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The shared house: accounts, presence, chat, tables, clocks, ratings. It knows no socket and no
 * terminal, reads no clock and draws no random bytes but through what it is given, so a run is a
 * function of its inputs. What it wants to tell is queued and handed out only after house_commit:
 * nobody is told what is not on disk.
 */
struct house;
struct storage;

enum peer {
    PEER_SESSION = 1,
    PEER_BOT = 2,
    PEER_AUTH = 4,
    PEER_GATE = 8,
    PEER_KEEPER = 16,   /* the process the house runs in: backs up its data */
    PEER_OPERATOR = 32, /* a program of whoever owns the data */
    PEER_HOOK = 64,     /* sends webhooks */
    PEER_ANY = 127,
};

/* How much of everything there may be. */
struct house_limits {
    uint32_t sessions_each; /* connections signed in to one account */
    uint32_t tables;        /* in all */
    uint32_t tables_each;   /* per player */
    uint32_t tables_each_bot;
    uint32_t registrations; /* an hour and address; none for the house's own machine */
    uint32_t input_per_s;   /* messages of one connection, */
    uint32_t input_burst;   /* and how many at once */
    uint32_t input_excess;  /* refused ones, after which the connection ends */
    uint32_t changes_per_s; /* what a table's people are told of one person: sitting, bots …, */
    uint32_t changes_burst; /* and how much at once */
    uint32_t auth_queue;    /* password jobs of a kind waiting, then "busy" */
    uint32_t denial_ms;     /* no denial is quicker */
    uint32_t backoff_max_s; /* after wrong passwords: 1, 2, 4 … */
    uint32_t step_up_s;     /* staff's confirmation holds so long */
    uint32_t chat_burst;    /* lines at once, */
    uint32_t chat_interval_ms; /* then one each so long: 1 or more */
    uint32_t chat_strikes;     /* refused lines, then */
    uint32_t chat_mute_s;      /* silence; a strike is forgotten after as long */
    uint32_t chat_columns;     /* of a line: TEXT_CLEAN_COLUMNS_MAX or less */
    uint32_t backoff_names;    /* names remembered; the oldest goes first */
    uint32_t password_min;     /* bytes */
    uint32_t password_max;     /* LIMIT_PASSWORD_BYTES or less */
    uint32_t keys_each;        /* of one account: LIMIT_KEYS or less */
    uint32_t code_s;           /* a code for another machine */
    uint32_t audit_burst;      /* rows of the audit log that one account or guest causes at once, */
    uint32_t audit_per_h;      /* and then so many an hour */

    bool is_loopback_limited; /* limits by address hold for the house's own machine too */
};

/* Webhooks: what players are told while they are away, at an address of theirs. */
struct house_hooks {
    bool is_on;           /* the house offers them: a peer sends them */
    bool is_http_allowed; /* unencrypted ones too */
    uint32_t idle_s;      /* who has done nothing for so long counts as away */
    uint32_t parallel;    /* under way at once: HOOK_POSTS_MAX or less */
    const char *command;  /* how to come in, as in "ssh -p 2222 house.example"; "": not told */
};

#define HOUSE_KEY_BYTES 32

struct house_config {
    const char *name;          /* shown to people; borrowed for the life of the house */
    uint32_t bot_delay_ms;     /* a bot's move is shown no sooner than this after the one before */
    uint32_t absent_grace_s;   /* without a clock: how long an absent player's turn waits */
    uint32_t seat_kept_s;      /* before the start, after its holder's connection */
    uint32_t table_kept_s;     /* without people while no game is on */
    uint32_t halted_kept_days; /* a paused or adjourned game that nobody comes back to */
    uint32_t backup_every_s;   /* 0: only when somebody asks */
    uint32_t vacation_days;    /* a player and year */
    const char
        *registration;  /* "open", "hold" or "closed", when it has changed; "keep": as it was */
    const char *guests; /* "yes", "play-only" or "no", when it has changed */
    const char *first_admin; /* fingerprint of a key: its account is an admin's; "" for none */
    struct house_limits limits;
    struct house_hooks hooks;
    /* What the log is to hold (journal.h): keys and values in turn, ended by NULL, borrowed for the
     * call; values are as people gave them. NULL: nobody keeps a log. */
    void (*log)(void *context, int64_t conn, const char *event, const char *const *pairs);
    void *log_context;
    void *random_context;
    void (*random)(void *context, void *bytes, size_t len); /* cryptographic */
    /* Seals what is kept of answers (answers_kept.h): the same for every core that may be asked
     * again by the same connections. */
    uint8_t answers_key[HOUSE_KEY_BYTES];
};

/* The defaults; `random` is the system's. */
struct house_config house_config_default(void);

enum house_result {
    HOUSE_OK = 0,
    HOUSE_STORAGE_FAILED, /* nothing of this turn may be told: end, and begin from the data */
    HOUSE_END_CONNECTION, /* the peer broke the protocol: drop this one connection */
};

/* Loads what the storage holds: open tables are replayed and go on. The storage is borrowed and
 * must outlive the house. NULL when the data cannot be read (`unreadable` on the log). */
struct house *house_new(const struct house_config *config, struct storage *storage, int64_t now_ms);
void house_free(struct house *house);

/* A peer has come. `conn` is unique among living connections; for sessions it is the gate's
 * number, and one the storage knows as signed in is signed in again (core restart). Nothing is told
 * before its `hello`: to a peer that outlived a core the caller itself sends `resync` first, and
 * withholds what it had sent to the old one. Workers and the gate may say `hello` again at any
 * time (restarted): what is still wanted of them is pushed again. */
enum house_result house_connect(struct house *house, int64_t now_ms, int64_t conn, enum peer peer,
                                const char *address, const char *transport) MUST_CHECK;
enum house_result house_disconnect(struct house *house, int64_t now_ms, int64_t conn) MUST_CHECK;

/* One packet from a peer; the bytes are borrowed for the call. After HOUSE_END_CONNECTION the
 * caller calls house_disconnect. The gate's `connection` and `connections_end` come here too, after
 * the caller's house_connect. */
enum house_result house_receive(struct house *house, int64_t now_ms, int64_t conn,
                                const char *bytes, size_t len) MUST_CHECK;

/* Something could not be sent to this peer: the house forgets what it told it. Its next output for
 * it is `resync`, then nothing until it says `hello`. */
void house_lost(struct house *house, int64_t conn);

/* Clocks, bots' delays, rate limits. Call when house_next_ms has come; any time is harmless. */
enum house_result house_tick(struct house *house, int64_t now_ms) MUST_CHECK;

/* When house_tick is wanted next, in unix ms; INT64_MAX when nothing is waiting. */
int64_t house_next_ms(const struct house *house);

/* Makes the turn durable. After HOUSE_OK the queued output may be taken. Without room on the disk
 * the turn is undone, with all it would have told; the house can be looked at until there is room,
 * which it looks for by itself (read_only.h). So is one that met something the data do not bear,
 * and what was at fault pays for it (fault.h). */
enum house_result house_commit(struct house *house) MUST_CHECK;

/* Why it was HOUSE_STORAGE_FAILED: one sentence, "" while nothing has failed. Borrowed. */
const char *house_why(const struct house *house);

/* One message to be sent, in order; json is borrowed until the next call on the house. A `bye` is a
 * session's last, lost or not: the caller ends it, whether or not it can be sent. */
struct house_output {
    int64_t conn;
    const char *json;
    size_t len;
};

/* 1 and an output, or 0 when there is none left that a commit has let out. Only between
 * house_commit and the next input. */
int house_output(struct house *house, struct house_output *output);

#endif
