#ifndef LOBBY_LIMITS_H
#define LOBBY_LIMITS_H

/* The defaults of the security notes, and a few of our own, in one place. What house_config holds
 * counts instead of its default here. */

#define LIMIT_SESSIONS_EACH 3 /* connections signed in to one account */
#define LIMIT_TABLES 500
#define LIMIT_TABLES_EACH 5
#define LIMIT_INPUT_PER_S 50 /* messages of one connection */
#define LIMIT_INPUT_BURST 100
#define LIMIT_INPUT_EXCESS 500 /* refused ones, after which the connection ends */
#define LIMIT_HELLO_COST 10    /* a hello makes us tell everything: it counts as that many */
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
#define LIMIT_KEYS_EACH 32       /* of one account */
#define LIMIT_CODE_MS 600000     /* a code for another machine */
#define LIMIT_PASSWORD_MIN 10    /* bytes */
#define LIMIT_PASSWORD_MAX 128
#define LIMIT_TABLE_PASSWORD_MAX 64
#define LIMIT_REGISTRATIONS 3 /* an hour and address; none for the machine itself */
#define LIMIT_REGISTRATIONS_MS 3600000
#define LIMIT_CLOCK_MIN_S 5
#define LIMIT_CLOCK_MAX_S 86400

#define PACE_LOBBY_MS 100         /* lobby changes are gathered this long */
#define PACE_IDLE_MS 60000        /* idle times are looked at this often */
#define PACE_BOT_ANSWER_MS 2000   /* the bots' process has this long, then we play ourselves */
#define PACE_ALL_AWAY_MS 86400000 /* a game without a clock that nobody waits for */
#define PACE_SEAT_KEPT_MS 120000  /* a seat before the start, after its holder's connection */
#define PACE_TABLE_KEPT_MS 180000 /* a table without people while no game is on */

#define CHAT_BACKLOG_LOBBY 50
#define CHAT_BACKLOG_TABLE 50
#define CHAT_BACKLOG_TELLS 10

#endif
