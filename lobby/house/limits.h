#pragma once

#include <stdint.h>

/*
 * Limits that are not settings. These match the sizes of our own buffers and forms:
 */
#define LIMIT_PASSWORD_BYTES 128 /* every form for a password has room for this many bytes */
#define LIMIT_KEYS 100           /* maximum number of keys per account; all fit one message */
#define LIMIT_TOTP_BYTES 16      /* room for an authenticator code, more than any needs */
#define LIMIT_TABLE_PASSWORD_MAX 64
/* how many chat lines are sent to a person who enters; a session's screen keeps no more lines */
#define CHAT_BACKLOG_LOBBY 50
#define CHAT_BACKLOG_TABLE 50
#define CHAT_BACKLOG_DIRECT 10
#define CHAT_BACKLOG_CHANNEL 20
#define LIMIT_CHANNELS_EACH 10    /* how many channels one person may be in */
#define LIMIT_FRIENDS 100         /* maximum number of friends per account; all fit one message */
#define LIMIT_OFFLINE_MESSAGES 20 /* maximum number of direct messages waiting for one account */
/* maximum number of direct messages from one sender waiting for one account */
#define LIMIT_OFFLINE_MESSAGES_PER_SENDER 5
#define LIMIT_OFFLINE_MESSAGE_DAYS 30
/* The unit of a setting, and how many messages a costly message counts as: */
#define LIMIT_REGISTRATIONS_MS 3600000
#define LIMIT_HELLO_COST 10  /* the rate limit counts a `hello` as this many messages */
#define LIMIT_LEADERS_COST 5 /* the rate limit counts a `leaders` request as this many messages */
#define LIMIT_ANSWER_BYTES 2048 /* every 2,048 bytes of an answer count as one more message */
#define LIMIT_MESSAGE_BYTES 512 /* every 512 bytes of a message count as one more message */
/* These set how fast and how often the house does its work: */
/* how long the seat of an absent player is kept at a turn-by-turn table */
#define PACE_DAYS_KEPT_MS INT64_C(604800000)
#define PACE_LOBBY_MS 100   /* how long changes of the lobby are collected before they are sent */
#define PACE_WINDOWS_MS 250 /* how long changes of a window of the lobby are collected */
#define PACE_WINDOWS_EACH_US 2000 /* mean time between sending changed windows to two sessions */
/* A session is told that only the length of a list has changed at most once in this time for each
 * session that looks at the lobby, but not later than the longest time. */
#define PACE_TOTALS_EACH_MS 10
#define PACE_TOTALS_MS_MAX 30000
#define PACE_LOBBY_ROWS 60000       /* maximum rows of lobby snapshots sent in a second */
#define PACE_LOBBY_ROWS_BURST 12000 /* maximum rows of lobby snapshots sent at once */
/* the limit on rows counts a row this many times if its recipient is at a table */
#define PACE_LOBBY_UNSEEN 3
#define PACE_LOBBY_WAIT_MS 10 /* interval at which the queue for lobby snapshots is served */
#define PACE_IDLE_MS 60000    /* interval at which idle times are checked */
/* if a bot process takes longer to choose a move, the core chooses one */
#define PACE_BOT_ANSWER_MS 1400
/* how long a bot may take to choose a move for which nobody waits */
#define PACE_BOT_UNHURRIED_MS 1500
#define PACE_ALL_AWAY_MS 86400000 /* how long a game without a clock waits for absent players */
