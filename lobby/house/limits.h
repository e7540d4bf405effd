#ifndef LOBBY_HOUSE_LIMITS_H
#define LOBBY_HOUSE_LIMITS_H

#include <stdint.h>

/*
 * The defaults of what house_config holds, which counts instead.
 */
#define LIMIT_SESSIONS_EACH 3 /* connections signed in to one account */
#define LIMIT_TABLES 500
#define LIMIT_TABLES_EACH 5
#define LIMIT_TABLES_EACH_BOT 2
#define LIMIT_INPUT_PER_S 50 /* messages of one connection */
#define LIMIT_INPUT_BURST 100
#define LIMIT_INPUT_EXCESS 500 /* refused ones, after which the connection ends */
#define LIMIT_CHAT_INTERVAL_MS 2000
#define LIMIT_CHAT_BURST 5
#define LIMIT_CHAT_STRIKES 3     /* refused lines, then */
#define LIMIT_CHAT_MUTE_MS 60000 /* silence; a strike is forgotten after as long */
#define LIMIT_STIR_PER_S 1 /* what a table's people are told of one person: sitting, bots … */
#define LIMIT_STIR_BURST 20
#define LIMIT_AUTH_QUEUE 32      /* password jobs waiting, then "busy" */
#define LIMIT_DENIAL_MS 300      /* no denial is quicker */
#define LIMIT_BACKOFF_MAX_S 300  /* after wrong passwords: 1, 2, 4 … */
#define LIMIT_BACKOFF_NAMES 4096 /* names remembered; the oldest goes first */
#define LIMIT_STEP_UP_S 600      /* staff confirms again after that long */
#define LIMIT_KEYS_EACH 32       /* of one account */
#define LIMIT_CODE_S 600         /* a code for another machine */
#define LIMIT_PASSWORD_MIN 10    /* bytes */
#define LIMIT_AUDIT_BURST 30  /* rows of the audit log that one account or guest causes at once, */
#define LIMIT_AUDIT_PER_H 60  /* and then */
#define LIMIT_REGISTRATIONS 3 /* an hour and address; none for the machine itself */
#define PACE_SEAT_KEPT_MS 120000  /* a seat before the start, after its holder's connection */
#define PACE_TABLE_KEPT_MS 180000 /* a table without people while no game is on */
#define PACE_DAYS_KEPT_MS INT64_C(604800000) /* turn by turn: a seat or table before the start */
#define PACE_HALTED_KEPT_DAYS 30 /* a paused or adjourned game that nobody comes back to */
#define LIMIT_VACATION_DAYS 30   /* a player and year */
#define LIMIT_HOOK_IDLE_S 600    /* without a word for so long: away */
#define LIMIT_HOOK_PARALLEL 4    /* webhooks under way */

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
#define PACE_LOBBY_MS 100           /* lobby changes are gathered this long */
#define PACE_LOBBY_ROWS 60000       /* a second, told to those who are to know the whole lobby, */
#define PACE_LOBBY_ROWS_BURST 12000 /* and as many at once */
#define PACE_LOBBY_UNSEEN 3         /* times as much counts a row told to who looks at a table */
#define PACE_LOBBY_WAIT_MS 10       /* whoever waits for their turn is looked at so often */
#define PACE_IDLE_MS 60000          /* idle times are looked at this often */
#define PACE_BOT_ANSWER_MS 2000     /* the bots' process has this long, then we play ourselves */
#define PACE_ALL_AWAY_MS 86400000   /* a game without a clock that nobody waits for */

#endif
