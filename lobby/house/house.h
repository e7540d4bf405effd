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

#define HOUSE_KEY_BYTES 32

/* What a house is opened with: its settings and what it needs of the outside. */
struct house_config {
    /* One member SECTION_KEY for each line of settings.def: uint32_t, bool, or a text that is
     * borrowed for the life of the house. */
#define CONFIG_NUMBER(section, key, value, min, max, unit, help) uint32_t section##_##key;
#define CONFIG_SWITCH(section, key, value, help) bool section##_##key;
#define CONFIG_TEXT(section, key, value, form, help) const char *section##_##key;
#include "lobby/house/settings.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
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

/* Every setting at its default; `random` is the system's. */
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
