#pragma once

/*
 * The only definition of the choices that are stored as numbers and sent as words in messages.
 * Storage and lobby/protocol make their enums from these lists, and messages take their words from
 * them. This file contains macros only.
 *
 * A list calls X(prefix, NAME, number, word) for each choice. Numbers ascend from 0 without a gap.
 * A stored number never changes its meaning: a new choice is added at the end of its list.
 */

/* STORED_VALUES makes the enumerators prefixNAME = number from a list, STORED_LAST its highest
 * number, STORED_WORDS an array of the words by number. */
#define STORED_VALUES(LIST, prefix) LIST(STORED_VALUE, prefix)
#define STORED_LAST(LIST) (LIST(STORED_ONE, ) - 1)
#define STORED_WORDS(LIST) LIST(STORED_WORD, )

/* NOLINTBEGIN(bugprone-macro-parentheses): these macros make enumerators and initialisers */
#define STORED_VALUE(prefix, name, number, word) prefix##name = number,
#define STORED_ONE(prefix, name, number, word) +1
#define STORED_WORD(prefix, name, number, word) [number] = word,
/* NOLINTEND(bugprone-macro-parentheses) */

/* The kinds of accounts. */
#define STORED_ACCOUNT_KINDS(X, prefix) X(prefix, PLAYER, 0, "player") X(prefix, BOT, 1, "bot")

#define STORED_ROLES(X, prefix)                                                                    \
    X(prefix, PLAYER, 0, "player") X(prefix, MOD, 1, "mod") X(prefix, ADMIN, 2, "admin")

/* What kind of person or bot holds a seat. */
#define STORED_HOLDERS(X, prefix)                                                                  \
    X(prefix, EMPTY, 0, "empty")                                                                   \
    X(prefix, PLAYER, 1, "player") /* a player: has an account and a name */                       \
    X(prefix, GUEST, 2, "guest")   /* a guest: has a name only, account 0 */                       \
    X(prefix, BOT, 3, "bot")       /* a bot: has an account (or 0), a name and a policy */

/* The phases of a table as messages name them; a closed table is called finished. */
#define STORED_TABLE_PHASES(X, prefix)                                                             \
    X(prefix, OPEN, 0, "open")                                                                     \
    X(prefix, PLAYING, 1, "playing")                                                               \
    X(prefix, FINISHED, 2, "finished")
#define STORED_TABLE_STATES(X, prefix)                                                             \
    STORED_TABLE_PHASES(X, prefix)                                                                 \
    X(prefix, CLOSED, 3, "finished")

/* Why a game is halted. */
#define STORED_HALTS(X, prefix)                                                                    \
    X(prefix, NONE, 0, "none")                                                                     \
    X(prefix, PAUSE, 1,                                                                            \
      "pause") /* a pause: the players present agreed, and any of them can end it */               \
    X(prefix, ADJOURN, 2, "adjourn") /* adjourned: until all players are back */                   \
    X(prefix, HOUSE, 3,                                                                            \
      "house") /* the game is halted because the house was closed or had crashed */                \
    X(prefix, ROUND, 4, "round") /* a round is over, and the players look at its scores */

/* How fast a table plays, and how long a person's screen shows a finished trick. */
#define STORED_PACES(X, prefix)                                                                    \
    X(prefix, NORMAL, 0, "normal") X(prefix, QUICK, 1, "quick") X(prefix, SLOW, 2, "slow")

#define STORED_CLOCK_KINDS(X, prefix)                                                              \
    X(prefix, NONE, 0, "none") /* a game without a time limit */                                   \
    X(prefix, MOVE, 1, "move") /* a time limit for each move */                                    \
    X(prefix, BANK, 2,                                                                             \
      "bank") /* a time for all moves of a player, plus an increment after each */                 \
    X(prefix, DAYS, 3, "days") /* correspondence play: whole days for each move */

/* Who may watch a game, and who hears spectators during it. */
#define STORED_WATCH_POLICIES(X, prefix)                                                           \
    X(prefix, PUBLIC, 0, "public")                                                                 \
    X(prefix, DELAY, 1, "delay")     /* everybody may watch, some moves behind the game */         \
    X(prefix, FRIENDS, 2, "friends") /* only friends of the players may watch */                   \
    X(prefix, NONE, 3, "none")
#define STORED_WATCH_TALKS(X, prefix)                                                              \
    X(prefix, ALL, 0, "all")     /* everybody hears spectators */                                  \
    X(prefix, APART, 1, "apart") /* spectators hear each other, players do not hear them */        \
    X(prefix, OFF, 2, "off")     /* nobody hears spectators: they may not talk */

/* Where a chat line is said; messages give a named channel by its name ("#tea"). */
#define STORED_CHAT_PLACES(X, prefix)                                                              \
    X(prefix, LOBBY, 0, "lobby")                                                                   \
    X(prefix, TABLE, 1, "table")                                                                   \
    X(prefix, DIRECT, 2, "tell")
#define STORED_CHAT_CHANNELS(X, prefix)                                                            \
    STORED_CHAT_PLACES(X, prefix)                                                                  \
    X(prefix, CHANNEL, 3, "channel")
#define STORED_CHAT_KINDS(X, prefix)                                                               \
    X(prefix, SAY, 0, "say") X(prefix, ME, 1, "me") X(prefix, SYSTEM, 2, "system")

#define STORED_SANCTION_KINDS(X, prefix)                                                           \
    X(prefix, WARN, 0, "warn")       /* a warning: in force until the person acknowledges it */    \
    X(prefix, MUTE, 1, "mute")       /* the person may not talk in the scopes of the sanction */   \
    X(prefix, SUSPEND, 2, "suspend") /* the person may enter, but not sit down */                  \
    X(prefix, BAN, 3, "ban")                                                                       \
    X(prefix, RANKBAN, 4, "rankban") /* the person plays unrated games only */                     \
    X(prefix, HOLD, 5, "hold")       /* the person plays, but is neither heard nor listed */

#define STORED_REPORT_STATES(X, prefix)                                                            \
    X(prefix, OPEN, 0, "open")                                                                     \
    X(prefix, TAKEN, 1, "taken")                                                                   \
    X(prefix, RESOLVED, 2, "resolved")                                                             \
    X(prefix, DISMISSED, 3, "dismissed")
