#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "lobby/house/text_clean.h"
#include "lobby/house/words.h"
#include "lobby/protocol/mod_commands.h"
#include "storage/accounts/guests.h"
#include "storage/mod/sanctions.h"

struct table;

/*
 * One line that asks for something: who asks, what it says, what came of it.
 *
 *     [yes] COMMAND TARGET [TIME] [key=value …] VISIBLE REASON [// private note]
 *
 * A moderation command names the parts it wants in their order; all are read here, so all commands
 * understand names, times, reasons and notes alike.
 */

struct mod_command;

enum order_part {
    PART_END = 0,
    PART_TARGET,
    PART_OTHER,        /* a second target, an account */
    PART_TIME,         /* 30s 15m 12h 7d 4w perm */
    PART_WORD,         /* one word */
    PART_WORD_MAYBE,   /* an optional word */
    PART_NUMBER,       /* 0 or more */
    PART_NUMBER_MAYBE, /* a number, if the next word is one */
    PART_REASON,       /* the rest and the private note; not empty */
    PART_REASON_MAYBE,
    PART_TEXT, /* the rest of the line verbatim, not empty */
    PART_TEXT_MAYBE,
};

#define ORDER_PARTS_MAX 5

/* Kinds of target, as bits. */
enum order_kind {
    TARGET_NONE = 0,
    TARGET_USER = 1,    /* an account, in the house or not */
    TARGET_GUEST = 2,   /* a guest, here or gone: the person behind the name */
    TARGET_ADDRESS = 4, /* ip=192.0.2.0/24 */
    TARGET_KEY = 8,     /* key=SHA256:… */
    TARGET_TABLE = 16,  /* #7 */
    TARGET_GAME = 32,   /* @81 */
    TARGET_CHAT = 64,   /* lobby, #tea, #7: a chat */
    TARGET_ANYBODY = TARGET_USER | TARGET_GUEST,
};

struct order_target {
    enum order_kind kind;
    char name[STORAGE_FINGERPRINT_SIZE]; /* as typed: "bob", "192.0.2.0/24", "#7" */
    struct storage_account account;      /* TARGET_USER */
    struct storage_guest guest;          /* TARGET_GUEST: no address if they left long ago */
    struct person *person;               /* NULL if not in the house */
    int64_t id;                          /* account, table or game; 0 */
    struct table *table;                 /* TARGET_TABLE: open tables only */
};

#define ORDER_FOR_GOOD (-1) /* duration_ms */

/* key=value words before the reason; those the command does not know are part of the reason. */
#define ORDER_OPTIONS_MAX 6

struct order {
    struct house *house;
    struct conn *conn;
    const struct request *request;
    enum rank rank;  /* of the requester; a host counts as a player here */
    const char *via; /* audit_via() */
    bool is_old;     /* a message of protocol 1: its answer has the members of `data` itself */

    const struct mod_command *command;
    const struct mod_command_words *words;
    char arguments[TEXT_CLEAN_BYTES_MAX + 1]; /* as typed, after the command */
    bool is_confirmed;                        /* began with "yes" */
    struct order_target target, other;
    int64_t duration_ms;
    char word[STORAGE_FINGERPRINT_SIZE]; /* "" if there is none */
    int64_t number;
    bool has_number;
    char reason[TEXT_CLEAN_BYTES_MAX + 1]; /* or text */
    char note[TEXT_CLEAN_BYTES_MAX + 1];
    char options[ORDER_OPTIONS_MAX][STORAGE_FINGERPRINT_SIZE]; /* values, in the command's order */

    /* The result, for the answer and the audit row. */
    const char *code;   /* the code of the refusal; NULL: done */
    json_t *why;        /* the sentence of the refusal (say.h) */
    unsigned flags;     /* the command's; the run may add some */
    bool is_answered;   /* the command answers the request itself, now or later */
    bool is_unchanged;  /* nothing was changed: no audit row */
    bool is_unfinished; /* its audit row is written later, with its result */
    bool is_refused;    /* refused and answered elsewhere: not confirmed, or may not talk */
    json_t *lines;      /* of the text answer */
    json_t *says;       /* for each line its sentence, or null where the text says as much */
    json_t *data;       /* the answer for programs; NULL */
    json_t *before, *after;
    int64_t expires_ms;
    int64_t report, line_first, line_last, reverses;
    int64_t table_id, game_id;
    char scope[STORAGE_WORD_SIZE];
};

/* Refuses; code is one word of PROTOCOL.md. The first refusal stays. */
void order_no(struct order *order, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void order_no_said(struct order *order, const char *code, json_t *why);

/* True when the requester may not give the order, at all or about this target. */
bool order_is_denied(const struct order *order);

/* Adds one line to the answer; the second takes over a sentence of say.h. */
void order_say(struct order *order, const char *format, ...) __attribute__((format(printf, 2, 3)));
void order_say_said(struct order *order, json_t *sentence);

/* True when the line began with "yes"; else the order is refused and asks for confirmation. */
bool order_confirmed(struct order *order, const char *format, ...)
    __attribute__((format(printf, 2, 3))) MUST_CHECK;
bool order_confirmed_said(struct order *order, json_t *question) MUST_CHECK;

/* The value given for an option; NULL without one. */
const char *order_option(const struct order *order, const char *key);

/* The value of a numeric option, or the fallback without one; an invalid value is refused. */
int64_t order_option_number(struct order *order, const char *key, int64_t fallback);

/* Parses a duration such as "30s", "7d" or "perm" into milliseconds or ORDER_FOR_GOOD; false when
 * invalid. */
bool order_time_read(const char *word, int64_t *ms) MUST_CHECK;

/* The requester's name, and account number or 0. */
const char *order_actor(const struct order *order);
void *order_by(const struct order *order); /* the name as an argument of %p (say.h) */

/* A key's fingerprint, or that there is none, as an argument of %p. */
void *order_key(const char *fingerprint);
int64_t order_actor_account(const struct order *order);

enum rank rank_of_role(enum storage_role role);
