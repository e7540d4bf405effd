#pragma once

#include <stdint.h>

/*
 * Limits that are not settings. These match the sizes of our own buffers and forms:
 */
#define LIMIT_PASSWORD_BYTES 128 /* every form for a password has room for this many bytes */
#define LIMIT_KEYS 100           /* keys of one account, which fit one message */
#define LIMIT_TOTP_BYTES 16      /* longer than any authenticator code */
#define LIMIT_TABLE_PASSWORD_MAX 64
#define CHAT_BACKLOG_LOBBY 50 /* lines sent to somebody who enters; a screen keeps no more */
#define CHAT_BACKLOG_TABLE 50
#define CHAT_BACKLOG_TELLS 10
#define CHAT_BACKLOG_CHANNEL 20
#define LIMIT_CHANNELS_EACH 10 /* channels that one person may be in */
#define LIMIT_FRIENDS 100      /* friends of one account, who fit one message */
#define LIMIT_KEPT_TELLS 20    /* direct messages that wait for one account */
#define LIMIT_KEPT_TELLS_BY 5  /* direct messages that wait from one sender */
#define LIMIT_KEPT_TELLS_DAYS 30
/* These define a setting's unit, or the cost of a message: */
#define LIMIT_REGISTRATIONS_MS 3600000
#define LIMIT_HELLO_COST 10     /* messages that a `hello` counts as */
#define LIMIT_LEADERS_COST 5    /* messages that a leaderboard counts as */
#define LIMIT_MESSAGE_BYTES 512 /* further bytes that count as one message more */
/* These set the pace of the house: */
#define PACE_DAYS_KEPT_MS INT64_C(604800000) /* how long turn-by-turn seats are kept */
#define PACE_LOBBY_MS 100                    /* how long changes of the lobby are collected */
#define PACE_LOBBY_ROWS 60000                /* rows of lobby snapshots sent per second */
#define PACE_LOBBY_ROWS_BURST 12000          /* rows of lobby snapshots sent at once */
#define PACE_LOBBY_UNSEEN 3       /* factor for the cost of a snapshot for somebody at a table */
#define PACE_LOBBY_WAIT_MS 10     /* interval at which the queue for lobby snapshots is served */
#define PACE_IDLE_MS 60000        /* interval at which idle times are checked */
#define PACE_BOT_ANSWER_MS 2000   /* after this time the core moves in place of the bot process */
#define PACE_ALL_AWAY_MS 86400000 /* how long a game without a clock waits for absent players */
