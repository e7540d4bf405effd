#pragma once

#include "lobby/house/house_state.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"
#include "storage/ratings/ratings.h"

/* The friend lists of the people in the house. Nobody else learns who is on a list. */

struct friends {
    int64_t *accounts;
    size_t count, cap;
    json_t
        *arrived; /* the names of friends who have come in and are not announced yet; NULL: none */
    int64_t told_ms; /* when a friend's arrival was last announced */
};

PERSON_STATE(friends_of, struct friends, friends);

/* Reloads the person's friends after some were renamed or removed, and sends the new list. */
void friends_reload(struct house *house, struct person *person);

/* True when the person has friends. */
bool friends_exist(const struct person *person);

/* True when the account is a friend of the person; false for account 0 (a guest). */
bool friends_include_account(const struct person *person, int64_t account);

/* Tells the person's friends that the person has entered: all connected people who have the person
 * as a friend and want such notices. Who was told of an arrival a moment ago is told of all further
 * ones together, a little later. Does nothing after a short absence; `last_seen_ms` is when the
 * person was last in the house. */
void friends_announce_arrival(struct house *house, const struct person *person,
                              int64_t last_seen_ms);

/* Announces the arrivals whose time has come to those who were told of another one before. */
void friends_announce_due_arrivals(struct house *house);

/* Sends the message `friends`: the names of the person's friends. */
void friends_send_names(struct house *house, struct conn *conn);

/*
 * The lobby's rows of people and tables, as JSON text. A row is written once for all its recipients
 * when what it shows has changed. People are kept sorted.
 */

struct lobby_rows;

/* A listed person: somebody in the house, or a bot of the house that sits at a table. */
struct lobby_person_row {
    char name[STORAGE_NAME_SIZE];
    int64_t account;         /* 0: a guest */
    bool is_bot;             /* the row's kind is `bot` */
    char *text;              /* the row as JSON; NULL: not listed */
    struct lobby_rows *list; /* the list that has this row; NULL: not listed */
    uint64_t version;        /* the version of the lobby since which the row is as it is */
};

struct lobby_rows {
    struct lobby_person_row **people; /* the listed people, in the order of lobby_rows_compare */
    size_t people_count, people_cap;
    size_t bot_count;                  /* how many of `people` are bots */
    size_t table_count;                /* the number of listed tables */
    uint64_t version;                  /* grows with every change of a row */
    int64_t idle_checked_ms;           /* when idle times were last updated */
    json_t *gone_people, *gone_tables; /* names and numbers of removed rows, for those who follow
                                          the whole lobby (lobby_push.c) */
};

struct lobby {
    struct lobby_rows rows;
    struct lobby_person_row bots[BOT_NAMES_MAX]; /* the rows of bots that sit at a table */
    bool has_closed_table;                       /* some person's has_closed_table is set */
    int64_t sent_ms;                             /* when changes were last sent */
    uint64_t sent_version;                       /* the version of the lobby at that time */
    struct bucket pace;                          /* limits how fast snapshots are sent */
    struct conn_links followers;                 /* connections that have got a snapshot */
    struct conn_links waiting; /* connections that wait for one, in order of arrival */
    /* when arrivals of friends must next be announced to somebody; INT64_MAX: never */
    int64_t arrivals_due_ms;
};

PART_STATE(lobby_of, struct lobby, lobby);

/* Update the rows of everybody whose row has been marked as changed, or the rows of people, bots
 * and tables. */
void lobby_rows_update_people(struct house *house);
void lobby_rows_update_all(struct house *house);

/* True if tables have changed since lobby_rows_update_all was last called, or people since the
 * lobby was last sent. */
bool lobby_rows_are_outdated(const struct house *house);

/*
 * A person in the house may be away or in do-not-disturb. Away ends when the person does anything;
 * at a game of theirs that not everybody may watch as it is played, it ends up to PACE_IDLE_MS
 * later, because the moment would tell of a present move.
 * Do-not-disturb lasts, even for days, until the person switches it off.
 */

/* Ends `away`, because the person has done something. */
void presence_end_away_status(struct house *house, struct person *person);

/* Returns how long the person has been idle, in ms. While they play in a running game and wait for
 * other players, or not everybody may watch the game as it is played, they count as active: 0. */
int64_t presence_idle_ms(const struct house *house, const struct person *person);
