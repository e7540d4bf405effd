#pragma once

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "storage/mod/mod.h"
#include "storage/tables/tables.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One moderation command as it was given: who gives it, its arguments, its result.
 *
 * [yes] COMMAND TARGET [TIME] [key=value …] VISIBLE REASON [// private note]
 *
 * A command lists the parts it wants in their order. All are parsed in one place
 * (lobby/mod/mod.h), so that all commands understand names, times, reasons and notes alike.
 */

struct mod_command;

enum order_part {
    PART_END = 0,
    PART_TARGET,
    PART_OTHER,        /* a second target besides PART_TARGET; it must be an account */
    PART_TIME,         /* a duration: 30s 15m 12h 7d 4w perm */
    PART_WORD,         /* any one word */
    PART_WORD_MAYBE,   /* any one word, which may be missing */
    PART_NUMBER,       /* a number, 0 or more */
    PART_NUMBER_MAYBE, /* a number, 0 or more, which may be missing */
    PART_REASON,       /* the rest of the line: a reason and a private note; not empty */
    PART_REASON_MAYBE,
    PART_TEXT, /* the rest of the line, unchanged; not empty */
    PART_TEXT_MAYBE,
};

#define ORDER_PARTS_MAX 5

/* Kinds of target; each is one bit. */
enum order_kind {
    TARGET_NONE = 0,
    TARGET_USER = 1,    /* an account, whose owner is in the house or not */
    TARGET_GUEST = 2,   /* the person behind a guest's name, who is in the house or has left */
    TARGET_ADDRESS = 4, /* ip=192.0.2.0/24 */
    TARGET_KEY = 8,     /* a key, key=SHA256:… */
    TARGET_TABLE = 16,  /* #7 */
    TARGET_GAME = 32,   /* @81 */
    TARGET_CHAT = 64,   /* a chat: lobby, #tea, #7 */
    TARGET_ANYBODY = TARGET_USER | TARGET_GUEST,
};

struct order_target {
    enum order_kind kind;
    char name[STORAGE_FINGERPRINT_SIZE]; /* the target as typed: "bob", "192.0.2.0/24", "#7" */
    struct storage_account account;      /* the account; set for TARGET_USER */
    struct storage_guest
        guest; /* the guest; set for TARGET_GUEST; without an address if the guest left long ago */
    struct person *person; /* the person, if in the house; otherwise NULL */
    int64_t id;            /* number of the account, table or game; 0: none */
    struct table *table;   /* the table; set for TARGET_TABLE; only open tables are found */
};

#define ORDER_FOR_GOOD (-1) /* a duration that never ends */

/* The most options, key=value words, of a command. An order with an unknown one is refused. */
#define ORDER_OPTIONS_MAX 6

struct order {
    struct house *house;
    struct conn *conn;
    int64_t request;     /* the id of the request, under which it is answered (house/parts.h) */
    enum rank rank;      /* the requester's rank; here a host has the rank of a player */
    const char *by_name; /* the requester's name, borrowed */
    int64_t by_account;  /* the requester's account; 0: a guest or the owner */
    const char *via;     /* the interface of the connection (audit_interface_name) */

    const struct mod_command *command;
    const struct mod_command_info *words;
    char arguments[TEXT_CLEAN_BYTES_MAX + 1]; /* the text after the command, as typed */
    const char *unread;                       /* the part of it that was not read yet */
    bool is_confirmed;                        /* the line began with "yes" */
    struct order_target target, other;
    int64_t duration_ms;
    char word[STORAGE_FINGERPRINT_SIZE]; /* the argument of PART_WORD; "": none */
    int64_t number;
    bool has_number;
    char reason[TEXT_CLEAN_BYTES_MAX + 1]; /* the reason, or the argument of PART_TEXT */
    char note[TEXT_CLEAN_BYTES_MAX + 1];
    char options[ORDER_OPTIONS_MAX][STORAGE_FINGERPRINT_SIZE]; /* the values of key=value words, in
                                                                  the order of the command's list */

    /* The result of the order, for the answer and the audit row. */
    const char *code;   /* the error code of the refusal; NULL: the order was carried out */
    json_t *why;        /* the sentence that tells why the order is refused (say.h) */
    unsigned flags;     /* the flags of the command; the command's function may add some */
    bool is_answered;   /* the command's function answers the request itself, now or later */
    bool is_unchanged;  /* the order changed nothing, so it gets no audit row */
    bool is_unfinished; /* the audit row is written later, when the result is known */
    bool is_refused; /* the request was already refused: the requester has not confirmed, or may not
                        talk */
    json_t *lines;   /* the lines of the answer, as English text */
    json_t *says;    /* for each line its sentence, or null where the English text is enough */
    json_t *data;    /* the answer for programs; NULL: none */
    json_t *before, *after;
    int64_t expires_ms;
    int64_t report, line_first, line_last, reverses;
    int64_t table_id, game_id;
    char scope[STORAGE_WORD_SIZE];
};

/* The request that gave the order. */
static inline struct request order_get_request(const struct order *order)
{
    return (struct request){order->house, order->conn, .id = order->request};
}

/* Refuses the order; `code` is a code of PROTOCOL.md. When an order is refused twice, the first
 * refusal counts. Returns false, for callers to return. */
bool order_refuse(struct order *order, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True when the order was refused because of the requester's rank, or because the requester is its
 * target. */
bool order_is_denied(const struct order *order);

/* Adds a line to the answer; order_add_sentence takes ownership of a sentence (say.h). */
void order_add_line(struct order *order, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void order_add_sentence(struct order *order, json_t *sentence);

/* True when the line began with "yes"; otherwise refuses the order with this question. */
bool order_require_confirmation(struct order *order, json_t *question) MUST_CHECK;

/* The place of this key, `len` bytes long, among the command's options; -1 when it has none such.
 */
int order_find_option(const struct mod_command *command, const char *key, size_t len) MUST_CHECK;

/* The value of a key=value word; NULL when it was not given. */
const char *order_option_value(const struct order *order, const char *key);

/* Parses a duration such as "30s", "7d" or "perm" into milliseconds or ORDER_FOR_GOOD; false when
 * it is invalid. */
bool order_parse_duration(const char *word, int64_t *ms) MUST_CHECK;

enum mute_scope {
    MUTE_LOBBY,
    MUTE_TABLE,
    MUTE_TELL,
    MUTE_SCOPES,
};

/*
 * Whether a person may talk. Every way to send words to others (chat, direct messages, away
 * messages, names of new channels, invitations) is checked here. Reports and appeals are not
 * checked, since only staff read them. A person may not talk while they are held, have an unread
 * warning, are muted in that chat, or are paused after they wrote too much.
 */

/* Whether the person may talk. Use it where there is no request to answer, for example when others
 * are about to see a person's away message. */
bool voice_person_may_talk(const struct house *house, const struct person *person,
                           enum mute_scope scope) MUST_CHECK;

/* True when the requester may talk; otherwise the request is answered `held`, `guest`, `warned`,
 * `muted` or `wait`. */
bool voice_allows_request(const struct request *request, enum mute_scope scope) MUST_CHECK;

/* Like voice_allows_request, but for a moderation command. The owner may always talk. */
bool voice_allows_order(struct order *order, enum mute_scope scope) MUST_CHECK;

/*
 * Sanctions in force, and where they apply. No sanction is secret: the person concerned is told
 * which sanction it is, why, until when and how to appeal, at once and at each sign-in. All
 * sanctions are stored, so a restarted core knows them; those in force are kept in memory too.
 */

struct sources;

struct sanction {
    struct storage_sanction row;
    struct sources *sources; /* of the person whom the sanction is against; NULL: none */
    int64_t told_until_ms;   /* until when staff are not told again of sign-ins that it refuses */
};

/* Returns all sanctions in force, struct sanction in the order of their numbers. */
const struct index *sanctions_in_force(struct house *house);

/* Runs the following block for each sanction in force. The block may end the current one. */
#define SANCTIONS_EACH(item, house)                                                                \
    INDEX_ITEMS_EACH(struct sanction, item, sanctions_in_force(house))

/* Returns the sanction of this number; NULL if it is not in force. */
struct sanction *sanction_find(struct house *house, int64_t id);

/* Reads the sanctions from the storage again, where something else has changed them. */
void sanctions_read_again(struct house *house);

/* True when the sanction is against this account or (account 0) the guest of this name. */
bool sanction_names(const struct storage_sanction *sanction, int64_t account,
                    const char *name) MUST_CHECK;

/* All bits of storage_sanction.scopes; each bit is 1 << enum mute_scope. */
#define SANCTION_SCOPES_ALL ((1U << MUTE_SCOPES) - 1)

/* The minimum time between two appeals against the same sanction. */
#define SANCTION_APPEAL_MS INT64_C(86400000)

/* Stores a new sanction, which is kept in memory with a copy of these sources (with none, if their
 * count is 0). */
struct sanction *sanction_add(struct house *house, const struct storage_sanction *row,
                              const struct sources *sources);

/* True when the sanction is against this person or another of their names, so that it applies to
 * this one too. */
bool sanction_applies_to_person(struct house *house, const struct sanction *sanction,
                                const struct person *person) MUST_CHECK;

/* The kinds of sanction (bits 1 << kind) that, if imposed on an account, also apply to its owner's
 * other names. A sanction against a guest always applies to the guest's other names. */
#define SANCTIONS_THAT_FOLLOW                                                                      \
    (STORAGE_SANCTION_ALL & ~(1U << STORAGE_SANCTION_WARN | 1U << STORAGE_SANCTION_RANKBAN))

/* Stores a sanction that was changed in memory: its end, reason, author, audit row or appeal. */
void sanction_save(struct house *house, const struct sanction *sanction);

/* Ends a sanction that is in force; `ended_by` is the name of who ends it. The people it applied to
 * are told the sentence (NULL: nothing). */
void sanction_end_and_notify(struct house *house, struct sanction *sanction, const char *ended_by,
                             json_t *sentence);

/* Loads which sanctions in force apply to the person. */
void sanctions_load(struct house *house, struct person *person);

/* Tells a connection that has just entered which sanctions in force apply to its person. */
void sanctions_notify_conn(struct house *house, struct conn *conn);

/* Whether the account is banned from rated games. `person` is NULL when the account's owner is not
 * in the house. */
bool sanctions_forbid_rating(struct house *house, int64_t account,
                             const struct person *person) MUST_CHECK;

/* The sanction as a sentence (say.h): "muted (lobby) until 2026-…, by eve: spam". */
json_t *sanction_to_sentence(const struct storage_sanction *sanction);

/* The target of the sanction: a name, an address or a key. Borrowed from the sanction. */
const char *sanction_target_text(const struct storage_sanction *sanction);

/* The sanction as JSON for programs. Only staff get the private notes. */
json_t *sanction_to_json(const struct storage_sanction *sanction, bool is_for_staff);

#define SANCTIONS_SHOWN_MAX 50 /* maximum number of sanctions in an answer */

/* Explains to a person why a sanction against another name applies to them. */
#define SANCTION_SHARED_SOURCE_HINT                                                                \
    N_("The sanction applies to everybody who comes from your address or with your key.")

/* Says how to appeal, for people in the house. */
#define SANCTION_APPEAL_HINT N_("To appeal, write /appeal and why.")

/* The allowlist: networks and keys that are exempt from bans and registration limits. */

/* True when the connection's address or key is on the allowlist. */
bool allowlist_has_conn(struct house *house, const struct conn *conn) MUST_CHECK;

bool allowlist_has_address(struct house *house, const char *address) MUST_CHECK;

/*
 * Appeals against a sanction or a hold. Each is a numbered case. Staff take the case, then resolve
 * it (the sanction is lifted) or dismiss it (the sanction stays). The author can read the answer
 * even while a ban refuses them at sign-in. Only one appeal against a sanction may be open at a
 * time. The next appeal against the same sanction is allowed a day after the previous one.
 */

/* A sentence that names the sanction or hold against which the appeal is: "muted (lobby) until …,
 * by max: spam", or "held". */
json_t *appeal_describe_decision(struct house *house, const struct storage_report *appeal);

/* Closes an open appeal against a sanction that has ended. `by` is who ended the sanction, `why`
 * the reason. */
void appeal_close_for_ended_sanction(struct house *house, const struct storage_sanction *sanction,
                                     const char *by, const char *why);

/* Rows of the audit log. A row is written in the same transaction as the change it records.
 * Requests that may cause a row check the rate limit first. */

/* Who causes an audit row, and over which connection. The values are copies, since the connection
 * may be closed before the action ends. */
struct audit_source {
    int64_t account; /* the account; 0: a guest or the owner */
    int64_t session;
    char name[STORAGE_NAME_SIZE];
    const char *role;
    char address[STORAGE_ADDRESS_SIZE];
    char fingerprint[STORAGE_FINGERPRINT_SIZE];
    const char *via;
};

/* The interface of a request: "tui", "exec" (a command line of ssh), "api", "system" (a shell on
 * the server). */
const char *audit_interface_name(const struct conn *conn);

/* Records something that the house did by itself. The caller fills in `row` except for time and
 * actor. */
void audit_write_house_action(struct house *house, const struct storage_audit *row);

/* Records what a person did over this connection, by the interface `via`. */
void audit_write_action(struct house *house, const struct conn *conn, const char *via,
                        struct storage_audit row);

/* For actions that end later: audit_fill_source stores who asked for the action, and
 * audit_write_for_source writes the row once the result is known. */
void audit_fill_source(const struct conn *conn, const char *via, struct audit_source *source);
void audit_write_for_source(struct house *house, const struct audit_source *source,
                            struct storage_audit row);

/*
 * The rate limit of the audit log, whose rows are kept for ever. An account may cause
 * limits_audit_burst rows at once, then limits_audit_per_h an hour. A guest shares this limit with
 * all guests from the same source (house/parts.h). Staff have a higher limit; the owner has none.
 * The counts are kept in memory only.
 */

/* Returns how many seconds the person of this connection has to wait before they may cause another
 * audit row; 0: none. */
int64_t audit_limit_wait_s(struct house *house, const struct conn *conn);

/* True when the requester may cause another audit row; otherwise the request is answered `wait`.
 * Call it before anything is changed. Messages that always cause a row need `audit` in
 * messages.def. */
bool audit_limit_allows_request(const struct request *request) MUST_CHECK;

/* After each wrong password a name has to wait longer: 1, 2, 4 … config.door_backoff_max_s seconds,
 * whether an account has the name or not. Nobody is locked out for ever; callers give known
 * sources a name of their own, so that others do not delay them. The waits are stored, so
 * that a restart or crash of the core does not shorten them. While the disk is full, the waits are
 * kept in memory, and a restart loses them. Therefore a core that has had no disk space since it
 * started lets every name wait as long as after many wrong passwords. */

/* How many seconds the name has to wait before the next attempt; 0: none. */
int64_t backoff_get_wait_s(struct house *house, const char *name);
void backoff_count_failure(struct house *house, const char *name);
/* How many attempts have failed since the last reset. */
uint32_t backoff_count_known_failures(struct house *house, const char *name);
void backoff_reset(struct house *house, const char *name);

/* Which accounts people ignore, and with which they refuse to play. Blocks are private: nobody is
 * told of them, and a refusal because of a block reads like any other refusal. */

/* the most accounts that a person may ignore, and the most they may refuse to play with */
#define BLOCKS_MAX 100

/* Loads the blocks that the person has set, and those that others have set against them. */
void blocks_load(struct house *house, struct person *person);

/* Whether the person receives what this account says (0: a guest or the house). */
bool blocks_allow_messages_from(const struct person *person, int64_t account) MUST_CHECK;

/* True when this person and somebody at the table must not play together. The refusal,
 * BLOCKS_REFUSAL, names nobody. */
bool blocks_exist_with_someone_at_table(const struct person *person,
                                        const struct storage_table *table) MUST_CHECK;
#define BLOCKS_REFUSAL N_("That table has no seat for you: choose another, or open your own.")

/* The answers that people read about their reports and appeals. */

/* Stores a closed case, and tells its author now or when they next enter. */
void case_answer_store_and_send(struct house *house, struct storage_report *report);

/* Tells a person who signs in about those of their cases that were closed while they were away. */
void case_answers_send_unread(struct house *house, struct conn *conn);

/* Nobody can lift or change a decision of somebody with a higher role. A sanction stores who
 * imposed it. These functions store who made any other decision (storage/mod/mod.h). */

/* True when the requester's role is not lower than the role of whoever made the decision; otherwise
 * refuses the order with the code `role`. */
bool decision_requester_may_overrule(struct order *order, uint8_t decider_role,
                                     const char *decider_name) MUST_CHECK;

/* True when no decision of that name is stored, or when the requester may change it; otherwise
 * refuses the order with the code `role`. */
bool decision_may_be_changed(struct order *order, enum storage_decision_kind kind,
                             const char *name) MUST_CHECK;

/* decision_store records that the requester made the decision; decision_remove deletes that
 * record. */
void decision_store(struct order *order, enum storage_decision_kind kind, const char *name);
void decision_remove(struct house *house, enum storage_decision_kind kind, const char *name);

/* Writes the name under which a decision about an account is stored. */
#define DECISION_ACCOUNT_SIZE 24
void decision_write_account_name(int64_t account, char name[DECISION_ACCOUNT_SIZE]);

/* Commands and games that staff have disabled for players. The names are kept in memory, so that no
 * request reads them from the storage. */

/* Sets or removes a rule, until staff change it again. The rules of two kinds are in memory too:
 * disabled commands and games (STORAGE_RULE_OFF), and the allowlist (STORAGE_RULE_ALLOWED). */
void sanctions_set_rule(struct house *house, enum storage_rule kind, const char *name, bool is_set);

/* False when a player requests a disabled command or game; the request is then answered with a
 * refusal. */
bool disabled_allows_request(const struct request *request, const char *name) MUST_CHECK;

/* Like disabled_allows_request, but for the start of a game, which is also refused, as `draining`,
 * while the house is about to close. */
bool disabled_allows_new_game(const struct request *request, const char *game) MUST_CHECK;

/* Whether the text has the form of a key's fingerprint: "SHA256:" and the 43 characters that encode
 * 32 bytes, as `ssh-keygen -lf FILE` prints it. */
bool fingerprint_is_well_formed(const char *text) MUST_CHECK;

/* Tells the gate which networks are banned. From each of these networks the gate admits only one
 * connection at a time. */

/* Call when a ban of an address has begun or ended, or when the allowlist has changed: the gate
 * then gets the new list. */
void gate_bans_mark_changed(struct house *house);

/*
 * Each moderation command is one row of lobby/protocol/mod_commands.def and one function
 * mod_run_NAME. The function either carries out the order and tells the people concerned, or
 * refuses it (order_refuse) and changes nothing. Before the function runs, the requester's role
 * and, for staff, their confirmation were checked, the arguments were parsed, and the target was
 * found. The effect of the order and its audit row are one transaction.
 */

enum mod_command_flag {
    MOD_AGAINST = 1, /* acts against its target: refused when the target is the requester or has the
                        same or a higher rank */
    MOD_READS = 2,   /* only reads: other staff are not told that the command was used */
    MOD_OWN = 4,     /* concerns only the requester: no audit row, unless the order is denied */
    MOD_LOOKS = 8,   /* only reads when a player uses it: works even when the rate limit allows no
                        audit row */
    MOD_OPEN = 16,   /* refused for an account that is deleted or merged into another */
    MOD_CASE = 32,   /* makes a case, which has the player's words; the audit row has none */
};

struct mod_command {
    enum order_part parts[ORDER_PARTS_MAX];
    unsigned targets; /* the allowed kinds of target, bits of enum order_kind */
    unsigned flags;   /* bits of enum mod_command_flag */
    const char *options[ORDER_OPTIONS_MAX]; /* keys of the key=value words that the command knows,
                                               ended by NULL */
    unsigned kind; /* for a function that several commands share: the kind of sanction or rule that
                      this command sets or ends */
    const char
        *said; /* for a function that several commands share: the line that reports success; N_() */
    void (*run)(struct order *order);
};

#define MOD_COMMAND(name, rank, args, help, run, ...) void mod_run_##run(struct order *order);
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND

/* An address or a network. IPv4 is stored as ::ffff:0:0/96, so that both families are handled
 * alike. */
struct net {
    uint8_t bytes[16];
    uint8_t
        bits; /* the number of bits in the prefix, 0 to 128; all later bits of the address are 0 */
};

/* Parses "192.0.2.7", "192.0.2.0/24" or "2001:db8::/48"; false when invalid. */
bool net_parse(const char *text, struct net *net) MUST_CHECK;

/* Writes the network in the form that net_parse reads; a single address without "/". */
void net_format(const struct net *net, char text[STORAGE_ADDRESS_SIZE]);

/* Writes the network of one household: an IPv4 address itself, an IPv6 /64 network, or the local
 * machine's own address; "" when the text is no address. */
void net_format_household_network(const char *address, char text[STORAGE_ADDRESS_SIZE]);

/* True for networks wider than /16 (IPv4) or /32 (IPv6): a ban of one would mostly hit uninvolved
 * people. */
bool net_is_wide(const struct net *net) MUST_CHECK;

/* Whether the network contains the address; false when the text is no address. */
bool net_contains(const struct net *net, const char *address) MUST_CHECK;

/*
 * The sources of a person: their networks (the IPv4 address or the IPv6 /64) and their keys. A
 * sanction against an account or a guest stores the sources of the person, so that the sanction
 * follows the person to other names: it also applies to guests and newer accounts from a stored
 * network, and to all accounts with a stored key. A sanction never follows anybody to a staff
 * account, and never applies in this way to anybody on the allowlist.
 */
struct sources {
    size_t count;
    char at[STORAGE_SOURCES_MAX][STORAGE_SOURCE_SIZE];
};

/* Reads all known sources of the order's target, an account or a guest; other targets have none. */
void person_sources_read_of_target(struct house *house, const struct order_target *target,
                                   struct sources *sources);

/* Whether the key or the network of the address is one of the sources (NULL: none). */
bool person_sources_have(const struct sources *sources, const char *address,
                         const char *key) MUST_CHECK;

/* True when both lists have a source in common. The house's own machine does not count, nor what is
 * on the allowlist: many people share such an address. */
bool person_sources_share_any(struct house *house, const struct sources *a,
                              const struct sources *b) MUST_CHECK;

/* Whether both lists have a source in common; NULL: none. */
bool person_sources_overlap(const struct sources *a, const struct sources *b) MUST_CHECK;

/* Adds the key of this connection to the sources of the sanction, which is against the person of
 * this connection, and if the person has entered the network too. Somebody who is refused adds no
 * network: otherwise a banned person could shut a shared network for all its guests just by trying
 * to sign in from there. */
void person_sources_store_of_conn(struct house *house, struct sanction *sanction,
                                  const struct conn *conn, bool has_entered);

/* Whether the sanction names somebody else, but applies to who is signing in over this connection,
 * to the account or (NULL) as a guest or a new user. No such sanction applies to staff. */
bool person_sources_match_conn(struct house *house, const struct sanction *sanction,
                               const struct conn *conn,
                               const struct storage_account *account) MUST_CHECK;

/* Refuses banned people at sign-in. */

/* True when no ban refuses this account, whose owner has proved their identity (NULL: a guest or a
 * new user); otherwise the request is answered `banned`. Staff are refused only by bans of their
 * name, so that a network ban does not lock out the house's own people. */
bool sign_in_bans_allow(const struct request *request,
                        const struct storage_account *account) MUST_CHECK;

/* Like sign_in_bans_allow, but for somebody who has not proved yet that the name is theirs. Only
 * address and key are checked, so that nobody guesses passwords from a banned network. For names of
 * staff nothing is checked yet. */
bool sign_in_bans_allow_before_proof(const struct request *request, const char *name) MUST_CHECK;

/* True when a ban refuses the account on this connection; *why is then a sentence about the ban
 * (say.h), which the caller owns. */
bool sign_in_bans_find(struct house *house, struct conn *conn,
                       const struct storage_account *account, json_t **why) MUST_CHECK;

/* Handles "appeal …", which a refused person types instead of a password. True when the text was an
 * appeal; the request is then answered. */
bool sign_in_bans_handle_appeal(const struct request *request, const char *text) MUST_CHECK;

/*
 * The roles of staff, in rising order: player < mod < admin. Above them is the owner: whoever has a
 * shell on the server. A program of the owner connects as an operator: it has no session and may do
 * everything.
 */

/* The name of the person who uses the connection: that of their account, or STAFF_OWNER, which no
 * account can have. */
#define STAFF_OWNER N_("the owner")
const char *staff_name_of_conn(const struct conn *conn);

/* Gives the account a role, whether its owner is in the house or not. The telnet connections of a
 * new staff member are closed. */
void staff_set_role(struct house *house, const struct storage_account *account,
                    enum storage_role role);

/* Sends a sentence to everybody in the house who has that role or a higher one. */
void staff_notify(struct house *house, enum storage_role role, json_t *sentence);

/* Tells staff of a new report or appeal: those who are here by the sentence (taken), those who are
 * away through listeners. */
void staff_notify_of_case(struct house *house, json_t *sentence);

/*
 * Step-up: a person confirms their identity again by password or authenticator code, over ssh only.
 * An auth worker checks it. Sessions are not trusted to say who signed in by key, so orders of
 * staff need a confirmation first, and so do changes that would let a forged session persist.
 *
 * A confirmation is valid on its own connection for staff_step_up_s seconds, and as long on
 * connections for queries (`ssh host mod …`) with the same key from the same address, since a
 * script has no terminal for a password. It is kept in the core's memory only: a restarted core
 * asks again. Wrong tries make the account wait 1, 2, 4 … seconds. These waits are separate from
 * those of sign-in, so that strangers who guess there cannot stop a moderator from acting.
 */

/* True when this connection has confirmed lately; otherwise the request is answered `telnet`,
 * `guest`, `no_secret` (the account has neither password nor authenticator) or `step_up`. */
bool step_up_is_confirmed(const struct request *request) MUST_CHECK;

/* Like step_up_is_confirmed, but also true while the account has neither password nor
 * authenticator, so that it can add its first. Messages that always need a confirmation have
 * `step_up` in messages.def. */
bool step_up_is_confirmed_or_no_secret(const struct request *request) MUST_CHECK;

/* Checks of the rank that a moderation command needs. A function that returns false has refused the
 * order or answered the request. */

/* True when the requester has this rank. When the rank is too low, the order is refused, and no
 * confirmation is asked for. */
bool mod_rank_suffices(struct order *order, enum rank rank) MUST_CHECK;

/* For a command that can do more when the requester has a higher rank: true when the requester has
 * this rank and has confirmed their identity. */
bool mod_require_rank(struct order *order, enum rank rank) MUST_CHECK;

/* True when the target is not the requester, and has a lower rank than the requester. */
bool mod_may_act_on_target(struct order *order) MUST_CHECK;

#define KEYS_MAX 16 /* keys with which staff confirmed lately; the oldest gives way */
#define BACKOFF_KEY_BYTES 32

/* The keys on whose connections somebody has confirmed their identity. */
struct confirmed_keys {
    struct confirmed_key {
        int64_t account, at_ms;
        char fingerprint[STORAGE_FINGERPRINT_SIZE], address[STORAGE_ADDRESS_SIZE];
    } at[KEYS_MAX];
    size_t next;
};

/* The notices to staff about sign-ins that bans refuse. */
struct knocks {
    struct bucket pace;
    uint32_t untold; /* number of refused sign-ins that staff have not been told of yet */
};

/* The waits after wrong passwords. */
struct backoffs {
    struct index unsaved; /* the waits that changed while the storage was read-only, by the hash of
                             the name */
    bool has_key; /* `key` was created while the storage was read-only, and is not stored yet */
    uint8_t key[BACKOFF_KEY_BYTES];
};

/* What the part keeps about the house. */
struct sanctions_house_state {
    struct index in_force; /* struct sanction, by number: all that are in force */
    bool are_loaded;       /* they have been read from the storage */
    int64_t next_end_ms;   /* when the next sanction expires */
    bool guests_may_talk;  /* guests may talk at all */
    bool are_bans_changed; /* since the gate got its list of banned networks */
    bool is_draining;      /* no new games begin */
    /* the names of disabled commands and games, and what is on the allowlist ("ip=…", "key=…"), as
     * keys; the values are not used */
    json_t *disabled, *allowed;
    struct index audit_limits; /* the people who have caused audit rows lately (orders.c) */
    struct confirmed_keys confirmed;
    struct knocks knocks;
    struct backoffs backoffs;
};

PART_STATE(sanctions_house_state, struct sanctions_house_state, sanctions);

struct sanctions_conn_state {
    int64_t ban;          /* the ban that refused this connection; 0: none */
    int64_t confirmed_ms; /* when the person last confirmed their identity (sanctions.h); 0: never
                             since this core started */
};

CONN_STATE(sanctions_conn_state, struct sanctions_conn_state, sanctions);

/* What staff have barred a person from. Each time is when the sanction ends, unix ms; 0: not
 * barred. */
struct sanctioned {
    int64_t mute_ms[MUTE_SCOPES];
    int64_t suspend_ms;
    int64_t rankban_ms;
    bool is_warned; /* the person has a warning that they have not acknowledged */
    bool is_held;   /* the person is a held guest */
};

struct sanctions_person_state {
    struct sanctioned by_staff;
    int64_t paused_ms; /* when the pause after writing too much ends, unix ms */
};

PERSON_STATE(sanctions_person_state, struct sanctions_person_state, sanctions);

/* The hooks of the part `sanctions` that other files of the folder carry out (parts.h). */
void blocks_read_ahead(struct house *house, const struct storage_connection *row);
void gate_bans_send_changed(struct house *house);
void audit_limits_clear(struct house *house);

/* While the disk is full, waits after wrong passwords are kept in memory. */
void backoff_save_all_waits(struct house *house);
void backoff_clear_unsaved_waits(struct house *house);

/* Closes the connection, with a reason, if a staff member uses it over telnet. */
void staff_end_telnet_conn(struct house *house, struct conn *conn);
