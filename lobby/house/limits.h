#ifndef LOBBY_HOUSE_LIMITS_H
#define LOBBY_HOUSE_LIMITS_H

#include <stdint.h>

/*
 * What no house may set. These bound our own buffers and forms:
 */
#define LIMIT_PASSWORD_BYTES 128 /* every form a password is typed into has room for these */
#define LIMIT_KEYS 100           /* and one message for the keys of an account */
#define LIMIT_TOTP_BYTES 16      /* a code is shorter */
#define LIMIT_TABLE_PASSWORD_MAX 64
#define CHAT_BACKLOG_LOBBY 50 /* lines told again; a screen keeps no more */
#define CHAT_BACKLOG_TABLE 50
#define CHAT_BACKLOG_TELLS 10
#define CHAT_BACKLOG_CHANNEL 20
#define LIMIT_CHANNELS_EACH 10 /* one person is in */
#define LIMIT_FRIENDS 100      /* of one account: they are told in one message */
#define LIMIT_KEPT_TELLS 20    /* waiting for one account, */
#define LIMIT_KEPT_TELLS_BY 5  /* and of those from one person */
#define LIMIT_KEPT_TELLS_DAYS 30
/* These are what a setting's unit means, or what one of our own requests costs: */
#define LIMIT_REGISTRATIONS_MS 3600000
#define LIMIT_HELLO_COST 10     /* messages: it makes us tell everything */
#define LIMIT_LEADERS_COST 5    /* and this look at many places of the file */
#define LIMIT_MESSAGE_BYTES 512 /* as many bytes of a message count for one message more */
/* And these set the pace of the whole, to which the rest is measured: */
#define PACE_DAYS_KEPT_MS INT64_C(604800000) /* turn by turn: a seat or table before the start */
#define PACE_LOBBY_MS 100                    /* lobby changes are gathered this long */
#define PACE_LOBBY_ROWS 60000       /* a second, told to those who are to know the whole lobby, */
#define PACE_LOBBY_ROWS_BURST 12000 /* and as many at once */
#define PACE_LOBBY_UNSEEN 3         /* times as much counts a row told to who looks at a table */
#define PACE_LOBBY_WAIT_MS 10       /* whoever waits for their turn is looked at so often */
#define PACE_IDLE_MS 60000          /* idle times are looked at this often */
#define PACE_BOT_ANSWER_MS 2000     /* the bots' process has this long, then we play ourselves */
#define PACE_ALL_AWAY_MS 86400000   /* a game without a clock that nobody waits for */

#endif
