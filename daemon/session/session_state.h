#pragma once

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/session/session.h"
#include "games/macros.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The protocol for outside programs: a program sends one message a line, and the core takes one
 * message a packet (PROTOCOL.md, "Programs of other people"). No I/O here. The session has used
 * some request ids to sign in. The number of these is added to the ids in the program's requests,
 * and subtracted from the ids in the answers.
 *
 *     silent ──(its hello)──► greeted ──(the core's welcome)──► welcomed
 *
 * Pushes before that welcome belong to the session's own sign-in and are dropped.
 */
enum {
    API_LINE_MAX = 8192, /* longest line in bytes, without its newline; the core accepts requests of
                            the same length */
    API_IN_MAX = 2 * 65536,     /* bytes received and not yet processed */
    API_OUT_ENOUGH = 256 << 10, /* the session reads nothing more from the core while this many
                                   bytes of output are unsent */
    API_ID_MAX = INT32_MAX,     /* highest request id that a program may use */
};

enum api_phase {
    API_SILENT = 0,
    API_GREETED,
    API_WELCOMED,
};

struct api {
    int64_t ids_used; /* number of request ids that the session used before the program */
    enum api_phase phase;
    size_t unanswered; /* number of the program's requests that the core has not answered yet */
    bool has_bye;      /* the program has already been sent a `bye` */
    bool has_resync; /* the core was restarted and has lost the requests that it had not answered */
};

/* Why a program is disconnected that breaks the rules, for its author. */
#define API_TOO_LONG N_("A line may have at most 8,192 bytes.") /* or the message made from it */
#define API_NO_OBJECT N_("Each line must be one JSON object with at most 256 values.")
#define API_NO_HELLO N_("The first message has to be \"hello\".")
#define API_BAD_ID N_("An id is a whole number from 1 to 2147483647.")
#define API_NOT_THEIRS N_("Sign in through ssh before the first line: ssh -s NAME@HOST api")

/* Takes the next line from `in` and makes a packet for the core from it, which the caller frees;
 * NULL: no complete line has arrived. Skips blank lines. If is_input_ended, an unfinished last line
 * counts as a line. Returns NULL, or the reason for which the caller must disconnect the program,
 * untranslated; then *packet is NULL. */
const char *api_take_line(struct api *api, struct bytes *in, bool is_input_ended, char **packet,
                          size_t *len) MUST_CHECK;

/* Adds the core's packet to `out` as a line, if the packet is for the program. Returns false if
 * `out` has no room: the caller must disconnect the program. */
bool api_pass_to_program(struct api *api, const char *packet, size_t len,
                         struct bytes *out) MUST_CHECK;

/* Adds a `bye` with the reason to `out`, unless the program has been sent one. */
void api_add_bye(struct api *api, const char *why, struct bytes *out);

/* True if the core has answered every request of the program. */
bool api_has_all_answers(const struct api *api);

/*
 * Keepalives detect dead connections. If no byte has come from the client for quiet_ms, the client
 * is asked a question that every client answers. After questions_max questions in a row without an
 * answer the connection counts as dead.
 */
struct keepalive {
    int64_t quiet_ms;
    int questions_max;
    uint64_t heard_bytes;
    int64_t due_ms; /* at first quiet_ms after the beginning */
    int asked;      /* number of questions since a byte last arrived */
};

enum keepalive_verdict {
    KEEPALIVE_ALIVE = 0,
    KEEPALIVE_ASK, /* ask the client now whether it is alive */
    KEEPALIVE_DEAD,
};

/* Judges whether the connection is alive; call it in each pass of the session's loop. `heard_bytes`
 * is the number of bytes received so far. */
enum keepalive_verdict keepalive_judge_connection(struct keepalive *keepalive, uint64_t heard_bytes,
                                                  int64_t now_ms);

struct core_link;

/*
 * Signs a person in, over SSH or telnet. The session asks the core and waits for its answer, since
 * it has nothing else to do before somebody has signed in. The wait ends early when the time for
 * signing in is over, when the client disconnects, or when the session is told to stop.
 *
 *     asking ──(a sign-in the core accepts)──► signed in
 *        └──(wrong tries, no core)──► failed
 */
enum login_state {
    LOGIN_ASKING = 0,
    LOGIN_SIGNED_IN,
    LOGIN_FAILED,
};

struct login {
    struct core_link *link; /* borrowed */
    int peer_fd;            /* the client's connection, watched only to notice that it is closed */
    int stop_fd;            /* descriptor that becomes readable when the session must end */
    int tries_max;          /* after this many wrong tries the state is LOGIN_FAILED */
    int64_t deadline_ms;    /* monotonic time by which somebody must have signed in */
    bool is_query_only; /* sign in for queries only; login_enter_house may enter the house later */
    bool takes_no_guests; /* the house admits no guests; set by the caller */
    char house[65]; /* name of the house, for greetings; "" if unknown; the caller may set it at any
                       time */

    enum login_state state; /* set by the functions below; the caller may set it to LOGIN_FAILED */
    int wrong_tries;
    bool is_core_gone; /* signing in failed because the core did not answer, which is not the
                          client's fault */
    bool is_banned;    /* the person is banned and may send only an appeal */

    /* The members below are valid in the state LOGIN_SIGNED_IN. */
    bool is_unregistered;
    bool is_guest;
    json_t *you; /* the object `you` of the protocol, owned; NULL for an unregistered person */
    char suggested[64]; /* a name suggested to an unregistered person, or "" */
    bool has_key;       /* an unregistered person has verified a key on this connection */

    int32_t wait_seconds; /* after LOGIN_WAIT: seconds until the next try is allowed */
    char why[1536];       /* the core's reason for LOGIN_REFUSED */
};

enum login_result {
    LOGIN_IN = 0,       /* the person is signed in */
    LOGIN_UNREGISTERED, /* the person has no account, and may sign up */
    LOGIN_KNOWN, /* only from login_check_key: the key may sign in once its signature is verified */
    LOGIN_DENIED,
    LOGIN_WAIT,    /* too many wrong passwords: the next try is allowed after wait_seconds */
    LOGIN_REFUSED, /* refused for the reason in `why`, which may be shown */
    LOGIN_BUSY,
    LOGIN_NO_CORE, /* the core does not answer: end the connection */
};

#define LOGIN_NOTE_MAX 1600 /* size of a note: room for `why`, broken into lines of text */

/* Asks the core whether a key may sign in to the account. A name that no account can have is sent
 * as "". `type` is SSH's name for the kind of key, such as "ssh-ed25519"; `fingerprint` is
 * "SHA256:…". */
enum login_result login_check_key(struct login *login, const char *name, const char *type,
                                  const char *fingerprint) MUST_CHECK;

/* Signs in with a key whose signature is verified. Whatever the method, an attempt to sign in
 * succeeds or counts as a wrong try. */
enum login_result login_by_key(struct login *login, const char *name, const char *type,
                               const char *fingerprint) MUST_CHECK;

/* Signs in with a password. A person without an account signs in with an empty password. */
enum login_result login_by_password(struct login *login, const char *name,
                                    const char *password) MUST_CHECK;

enum login_result login_as_guest(struct login *login) MUST_CHECK;

/* Enters the house after a sign-in that was for queries only: as a program if `enter_as` is
 * "program", as a person if it is NULL. The core then sends the state of the house. Does nothing
 * after any other sign-in. */
void login_enter_house(const struct login *login, const char *enter_as);

/* Returns the question that a banned person is asked in place of a name or password. Pass the
 * answer to login_by_password, which sends it to the core only if it begins with the word
 * appeal. */
const char *login_appeal_question(void);

/* Writes the reason why a sign-in with this result was refused, in lines of at most 78 columns. */
void login_write_refusal_note(const struct login *login, enum login_result result,
                              char note[LOGIN_NOTE_MAX]);

/* The descriptors of a session have fixed numbers, so that all other descriptors can be closed, and
 * so that the gate can prepare for them what it does once for all sessions. */
enum {
    FD_PEER = 3,
    FD_CORE,
    FD_SIGNED_IN,
    FD_STOP,
    FD_FREE
};

/*
 * A person's terminal, whatever the transport: its properties, typed input, and output to show. The
 * functions below check what a client claims about its terminal before it is used.
 */
enum {
    TERMINAL_NAME_SIZE = 33, /* size of a terminal's name with the terminating NUL */
    TERMINAL_COLUMNS = 80,
    TERMINAL_ROWS = 24,
};

struct terminal_size {
    int columns, rows;
};

struct terminal {
    char name[TERMINAL_NAME_SIZE];
    struct terminal_size size;
    uint8_t locale_rank; /* priority of the variable that has set the character set; 0: none has */
    uint8_t language_rank; /* priority of the variable that has set the language; 0: none has */
    const char *language;  /* tag of the language (i18n.h); NULL: none was requested */
    char timezone[ZONES_NAME_SIZE]; /* the client's variable TZ; "": it has sent none */
    bool is_ascii;         /* the locale's character set is not UTF-8, so only ASCII is shown */
    bool is_resized;       /* set whenever the size changes; the reader clears it */
    struct ui_lines lines; /* the chosen mode: full screen or plain lines */
    bool has_new_lines;    /* set when `lines` changes; the reader clears it */
    bool is_ended;  /* the client will send no more input, but somebody may still read the output */
    bool is_closed; /* the client has closed its terminal: there is no more input */
    bool is_overrun;  /* input was lost because it was not read in time */
    struct bytes in;  /* typed input that has not been read yet */
    struct bytes out; /* output that has not been sent yet */
};

/* Sets the size to 80 by 24 and leaves the name empty. Keeps at most in_max bytes of input until
 * they are read, and discards further input. */
void terminal_init(struct terminal *terminal, size_t in_max);

/* Removes the first `len` bytes of `out`, which have been sent. */
void terminal_drop_sent_bytes(struct terminal *terminal, size_t len);

/* Marks the input from `start` on as a paste (drawing/draw.h) if it can be nothing else: it came at
 * once, is text, and goes on after a line break. Many terminals do not mark what is pasted. Does
 * nothing on a terminal that has only plain mode, where a file of lines works as if it were typed.
 * Input that leaves no room for the marks is dropped. */
void terminal_mark_paste(struct terminal *terminal, size_t start);

/* Replaces what is not ASCII in the output by ASCII if the terminal shows only that. Screens write
 * ASCII already; this is for what is said before and after them. */
void terminal_convert_output(struct terminal *terminal);

/* Copies a name of the form [A-Za-z0-9][A-Za-z0-9.+_-]{0,31}. Any other name, or NULL, becomes
 * "unknown". There is no terminal description of that name, so the screen uses another description
 * and says so. */
void terminal_name_copy(char name[TERMINAL_NAME_SIZE], const char *offered_name);

/* Reads the character set, the language and the time zone from a variable of the client's
 * environment. The first non-empty one of LC_ALL, LC_CTYPE and LANG (POSIX, XBD 8.2) decides
 * whether the character set is UTF-8; LC_ALL, LC_MESSAGES and LANG decide the language; TZ names
 * the zone. Ignores any other variable, and returns false. */
bool terminal_take_env_variable(struct terminal *terminal, const char *name, const char *value);

/* True if this is the name of a terminal on which no screen can be drawn. */
bool terminal_name_is_dumb(const char *name);

/* Returns the size, limited to 20 to 500 columns and 10 to 200 rows, because a screen's memory
 * depends on it. If columns or rows are 0 or less, the size is unknown: returns 80 by 24. */
struct terminal_size terminal_size_clamp(int columns, int rows);

/* The state that the files session*.c share; no other file includes this header. */
struct session;
struct query_run;

enum {
    SESSION_SIGN_IN_CPU_MS = 1000, /* CPU time that a session may use before somebody has
                                      signed in: a hundred times what signing in needs */
};

enum {
    LISTEN_TO_CORE = 1,
    LISTEN_TO_STOP = 2
};

/* The functions of a transport: SSH or telnet. */
struct transport {
    /* Prepares the transport. Returns false if the system refuses what it needs. */
    bool (*begin)(struct session *session, const struct session_setup *setup);
    /* Runs until somebody has signed in and a terminal waits for a screen. Returns false if the
     * session must end: `exit` is set, and `ending` or `is_peer_gone`. */
    bool (*enter)(struct session *session);
    /* Returns the poll(2) events that the transport waits for. */
    short (*events)(const struct session *session);
    /* Runs the transport's part of a pass of the session's loop. Reads input if has_input. Returns
     * false if the session must end: `ending` is set, or the client is gone. */
    bool (*take)(struct session *session, bool has_input);
    /* True while output is waiting to be sent, so that nothing more should be drawn. */
    bool (*is_blocked)(const struct session *session);
    /* Sends as much output as the client accepts now; returns the number of bytes sent. */
    size_t (*send)(struct session *session);
    /* Asks the client to hide what is typed, or to show it again. This member is NULL if clients of
     * this transport never show what is typed. */
    void (*hide)(struct session *session, bool is_secret);
    /* Sends a question that every client answers. */
    void (*ask)(struct session *session);
    /* Sends the last message and closes the connection. */
    void (*leave)(struct session *session, int exit_status);
};

extern const struct transport session_ssh;
extern const struct transport session_telnet;

/* What the person connected for: a screen, the protocol for programs, or a query. */
enum session_use {
    USE_SCREEN = 0,
    USE_API,
    USE_QUERY,
};

struct session {
    const struct confinement *confinement; /* borrowed, like the next member */
    const struct config *config;
    const struct transport *transport;
    int64_t conn;
    void *own;                   /* state of the transport */
    const uint64_t *heard_bytes; /* number of bytes received from the client; in `own` */
    struct core_link *core;
    struct login login;
    uint32_t password_min, password_max; /* shortest and longest password in bytes, as the core has
                                            told us; 0: not known yet */
    struct terminal terminal;
    enum session_use use;
    struct display *display; /* the display that the gate has prepared */
    struct ui *ui;           /* the screen; NULL if there is none */
    int64_t release_due_ms;  /* when unused memory is given back to the system, monotonic; 0: no
                                frame has been drawn since the last time */
    int64_t first_frame_ms;  /* when the first frame is drawn at the latest; 0: it has been drawn */
    struct api api;          /* state of the program's connection, for USE_API */
    const char *command;     /* the command line of the query, for USE_QUERY */
    struct query_run *query; /* the parsed command line */
    struct keepalive keepalive;
    struct watchdog watchdog;
    int64_t blocked_since_ms;
    enum session_exit exit;
    bool is_peer_gone;     /* nothing more can be sent to the client */
    bool is_peer_at_fault; /* the client sent something that ends the session */
    const char *ending;    /* the last message to the person: why the session ends; NULL: none */
};

/*
 * A session's socket to the core. The link passes packets from the core to the client (client.h),
 * which the link owns, and from the client to the core. Packets that find the socket full wait in
 * order. The link breaks for good at the end of file, after a malformed packet, or if more than
 * CORE_LINK_QUEUE_MAX packets wait. Only core_link_exchange_packets and core_link_wait read from
 * the socket, so messages that the core sends before there is a screen stay in the socket.
 */

#define CORE_LINK_QUEUE_MAX 256

/* Receives a packet of the core, which is borrowed. Returns false to receive no more packets in
 * this pass of the session's loop. */
typedef bool core_link_taker(void *context, const char *packet, size_t len);

struct core_link {
    int socket;
    bool is_broken; /* the session is to end, which may set this too */
    struct client *client;
    core_link_taker *take; /* receives the packets in place of `client`; NULL: `client` does */
    void *take_context;
    char *buffer; /* a buffer of PACKET_MAX bytes; on the heap, where pages that are not touched use
                     no memory */
    struct packet_queue waiting;
};

/* Makes a link on the socket, which ends with the process. The caller owns the socket and keeps it
 * open. Never returns NULL. */
struct core_link *core_link_new(int socket);

/* Sends one packet of at most PACKET_MAX bytes that was not made by the link's client. */
void core_link_send(struct core_link *link, const char *packet, size_t len);

/* Returns the poll(2) events to wait for on the link's socket. */
short core_link_get_poll_events(const struct core_link *link);

/* Sends waiting packets and reads packets that have arrived, at most 64. Returns false if the link
 * is broken. */
bool core_link_exchange_packets(struct core_link *link) MUST_CHECK;

/* Prints the last message of a session and ends the session. */

/* Closes the screen, if there is one, and prints the reason why the session ends. */
void session_print_end_reason(struct session *session);

/* Sends pending output. Waits at most half a second until all of it is sent. */
void session_send_pending_output(struct session *session);

/* Waits until the client closes the connection, at most half a second; longer after the answer to a
 * query. */
void session_await_client_close(struct session *session);

/* Runs one pass of the session's loop: waits for events, at most timeout_ms, and lets the transport
 * handle its events, and also the link to the core if `listen_to` contains LISTEN_TO_CORE. Returns
 * false if the session must end: `ending` or `is_peer_gone` is set. */
bool session_run_loop_pass(struct session *session, int64_t timeout_ms, int listen_to) MUST_CHECK;

/* Returns false if the session has used more CPU time than it may use for signing in; `ending` and
 * `exit` are then set. */
bool session_is_within_sign_in_cpu_limit(struct session *session) MUST_CHECK;

/* Waits until somebody has signed in, then tells the gate. Returns false if the session must end.
 * Reads no more messages of the core than the sign-in needs, so that pushes stay in the socket
 * until there is a screen. */
bool session_sign_in(struct session *session) MUST_CHECK;

struct ssh_key_struct;

/*
 * True for the kinds of keys that may sign in: ed25519 and ecdsa, either of them also on a hardware
 * token, and RSA of 2048 to 16384 bits. libssh refuses the signature of any other key, but sends no
 * reply. Such a key must therefore be refused when it is offered. Otherwise its owner, whose client
 * may have a better key or a password to try next, would wait until the time for signing in is
 * over.
 */
bool sshd_key_is_accepted(struct ssh_key_struct *key);

/*
 * The server's side of telnet (RFC 854, 855), without any I/O: bytes from the client go in; typed
 * characters and the bytes to send back come out. Supports BINARY (RFC 856), ECHO (857), SUPPRESS
 * GO AHEAD (858), NAWS (1073), TERMINAL-TYPE (1091) with MTTS, and NEW-ENVIRON (1572) for the
 * variable TZ, and refuses every other option.
 */
enum {
    TELNET_REPLIES_MAX = 64, /* default of replies_max: most replies sent to one client */
    TELNET_SUB_MAX = 64, /* longest subnegotiation in bytes, with the byte of its option's code */
    TELNET_DISCARDED_MAX = 4096, /* default of discarded_max: the most bytes of over-long
                                    subnegotiations that a client may send in a whole connection */
};

/*
 * The state of one direction of one option (RFC 1143). The server asks about each option
 * once, at the beginning. The only option that it withdraws and offers again is its own echo, so
 * that a client that echoes what is typed does not show passwords.
 *
 *     NO ──(we ask)──▶ ASKED ──(agreed)──▶ YES ──(we withdraw it)──▶ LEAVING
 *      ▲ ▲               │ (refused)        │                            │
 *      │ └───────────────┘                  │                            │
 *      ├────────(the client withdraws)──────┴───────(acknowledged)───────┘
 *      └──(the client asks for a supported option)──▶ YES
 *
 * While an answer about our echo is outstanding, a further change of the echo waits for that answer
 * (RFC 1143's queue bit).
 */
enum telnet_side {
    TELNET_NO = 0,
    TELNET_ASKED,
    TELNET_YES,
    TELNET_LEAVING,
};

struct telnet_option {
    uint8_t ours, theirs; /* state of the option on our side (WILL) and on the client's side (DO);
                             enum telnet_side */
};

struct telnet {
    /* What the client has sent or agreed to. The caller may read these members. */
    struct telnet_option binary, echo, go_ahead, terminal, window, environ;
    bool has_size;
    bool is_resized; /* set whenever the client sends a window size; the caller clears it */
    int columns, rows;
    bool has_terminal;         /* the client will send no further terminal name */
    char name[TELNET_SUB_MAX]; /* of its terminal, in lower case, unchecked: it may contain any
                                  bytes;
                                  "": it has sent none */
    char zone[TELNET_SUB_MAX]; /* the client's variable TZ, unchecked; "": it has sent none */
    bool shows_utf8;           /* false: it says that it does not (MTTS without bit 4) */
    bool is_read_aloud;        /* it says that a screen reader is in use (MTTS bit 64) */
    bool is_too_much; /* a limit was exceeded, or `out` had no room: close the connection */

    /* Limits, which the caller may change after telnet_begin_negotiation. */
    int replies_max;
    size_t discarded_max;

    /* The members below are private to telnet.c. */
    bool wants_echo; /* we want to echo; if the client cannot be asked now, it is asked later */
    uint8_t state, verb;
    bool was_cr;
    bool is_sub_lost; /* the current subnegotiation is too long or malformed, and is skipped */
    uint8_t names;    /* number of terminal names received */
    char second[TELNET_SUB_MAX]; /* name of the terminal */
    uint8_t sub[TELNET_SUB_MAX];
    size_t sub_len;
    size_t discarded;
    int replies;

    struct bytes out; /* bytes for the client; the caller takes those that it has sent */
};

/* Starts a negotiation: offers WILL ECHO, SGA, BINARY and asks for DO SGA, BINARY, NAWS, TTYPE,
 * NEW-ENVIRON. At most `out_max` bytes wait in `out`. */
void telnet_begin_negotiation(struct telnet *telnet, size_t out_max);

/* Handles input from the client, until a limit is exceeded. Adds typed characters to `typed`, and
 * discards those for which `typed` has no room. Enter, sent as CR, CR NUL or CR LF, becomes one CR;
 * interrupt and break become Ctrl-C; erase character and erase line become Delete and Ctrl-U. */
void telnet_receive(struct telnet *telnet, const uint8_t *bytes, size_t len, struct bytes *typed);

/* Sends text for the terminal, encoded for the connection: IAC is doubled; CR becomes CR NUL unless
 * LF follows or BINARY was agreed. The result is at most twice as long as the text. */
void telnet_encode(struct telnet *telnet, const char *text, size_t len);

/* Asks whether the client is still there (DO TIMING-MARK, RFC 860). Every client answers, even one
 * that does not know the option. We do not reply to that answer. */
void telnet_ask_if_client_is_alive(struct telnet *telnet);

/* Offers that the server echoes what is typed, or withdraws that offer. A client that agrees no
 * longer shows what is typed. */
void telnet_set_echo(struct telnet *telnet, bool is_on);

/* True once the client has answered every offer that a screen depends on. */
bool telnet_is_negotiated(const struct telnet *telnet);

/*
 * Signing in over telnet: asks for a name and a password in plain lines, edited and echoed here or
 * by the client. Known and unknown names get the same questions.
 *
 *     name ──guest──▶ (the core)
 *      ▲ │ ──new────▶ (the core: unregistered)
 *      │ └──(a name)──▶ password ──▶ (the core)
 *      └────(only Enter, or refused)────┘
 *
 * Somebody found to be banned is from then on asked only for an appeal.
 */
enum {
    TELNET_LOGIN_LINE_MAX = 400 /* longest line in bytes; further input is refused */
};

struct telnet_login {
    struct login *sign_in; /* borrowed */
    bool is_at_password;
    bool is_echoed; /* the server, not the client, edits and shows what is typed; the caller may
                       change this */
    bool has_left;  /* the person has typed Ctrl-C or Ctrl-D */
    struct key_parser keys;
    char name[TELNET_LOGIN_LINE_MAX + 1];
    char line[TELNET_LOGIN_LINE_MAX + 1]; /* the current line, which may be a password */
    size_t len;
};

/* Asks the first question. `out` is shown on the terminal. If is_echoed, the server edits and shows
 * what is typed; otherwise the client does. */
void telnet_login_begin(struct telnet_login *login, struct login *sign_in, bool is_echoed,
                        struct bytes *out);

/* Handles input typed at now_ms until the person has signed in, has been refused for good, or has
 * left. The rest of `typed` is then meant for the screen. Waits for the core's answers.
 */
void telnet_login_handle(struct telnet_login *login, struct bytes *typed, int64_t now_ms,
                         struct bytes *out);
