#pragma once

#include <stdint.h>

/*
 * Limits that are not settings. These match our own buffers and forms:
 */
#define LIMIT_PASSWORD_BYTES 128 /* every form for passwords has room for these */
#define LIMIT_KEYS 100           /* all keys of an account fit one message */
#define LIMIT_TOTP_BYTES 16      /* longer than any code */
#define LIMIT_TABLE_PASSWORD_MAX 64
#define CHAT_BACKLOG_LOBBY 50 /* lines sent to somebody who joins; a screen keeps no more */
#define CHAT_BACKLOG_TABLE 50
#define CHAT_BACKLOG_TELLS 10
#define CHAT_BACKLOG_CHANNEL 20
#define LIMIT_CHANNELS_EACH 10 /* channels one person may be in */
#define LIMIT_FRIENDS 100      /* friends of one account: they fit one message */
#define LIMIT_KEPT_TELLS 20    /* messages waiting for one account */
#define LIMIT_KEPT_TELLS_BY 5  /* of which from one sender */
#define LIMIT_KEPT_TELLS_DAYS 30
/* These define a setting's unit, or the cost of one of our own requests: */
#define LIMIT_REGISTRATIONS_MS 3600000
#define LIMIT_HELLO_COST 10     /* counts as this many messages: it makes us send everything */
#define LIMIT_LEADERS_COST 5    /* the same: it reads many places of the file */
#define LIMIT_MESSAGE_BYTES 512 /* every further 512 bytes count as one message more */
/* These set the pace of the whole house: */
#define PACE_DAYS_KEPT_MS INT64_C(604800000) /* turn-by-turn: a seat or table before the start */
#define PACE_LOBBY_MS 100                    /* lobby changes are collected for this long */
#define PACE_LOBBY_ROWS 60000                /* rows per second sent in lobby snapshots */
#define PACE_LOBBY_ROWS_BURST 12000          /* rows sent at once */
#define PACE_LOBBY_UNSEEN 3       /* multiplies the cost of a snapshot for somebody at a table */
#define PACE_LOBBY_WAIT_MS 10     /* how often the queue for the lobby snapshot is served */
#define PACE_IDLE_MS 60000        /* how often idle times are checked */
#define PACE_BOT_ANSWER_MS 2000   /* then the core moves instead of the bot process */
#define PACE_ALL_AWAY_MS 86400000 /* a game without a clock whose players are all away */
