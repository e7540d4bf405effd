#include "daemon/base/i18n.h"
#include "daemon/session/session_state.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Codes of telnet commands (RFC 854) and options. */
enum {
    SE = 240,
    BREAK = 243,
    INTERRUPT = 244,
    ARE_YOU_THERE = 246,
    ERASE_CHARACTER = 247,
    ERASE_LINE = 248,
    SB = 250,
    WILL = 251,
    WONT = 252,
    DO = 253,
    DONT = 254,
    IAC = 255,

    BINARY = 0,
    ECHO = 1,
    GO_AHEAD = 3,
    TIMING_MARK = 6,
    TERMINAL_TYPE = 24,
    WINDOW_SIZE = 31,
    ENVIRON = 39,

    /* of TERMINAL_TYPE and ENVIRON */
    IS = 0,
    SEND = 1,

    ENVIRON_VALUE = 1,
    ENVIRON_USERVAR = 3,

    MTTS_UTF8 = 4,
    MTTS_READ_ALOUD = 64,
};

/*
 * The states of the input parser:
 *
 *     TEXT ──IAC──▶ COMMAND ──WILL WONT DO DONT──▶ OPTION ──(any)──▶ TEXT
 *                      └──SB──▶ SUB ◀──(any)── SUB_COMMAND ──SE──▶ TEXT
 *                                └────IAC────────▶┘
 */
enum state {
    STATE_TEXT = 0,
    STATE_COMMAND,
    STATE_OPTION,
    STATE_SUB,
    STATE_SUB_COMMAND,
};

/* The telnet options that we support, and which side may use each. */
static const struct known {
    size_t at; /* offset of the option's state in struct telnet */
    uint8_t code;
    bool is_ours, is_theirs;
} known[] = {
    {offsetof(struct telnet, echo), ECHO, true, false},
    {offsetof(struct telnet, go_ahead), GO_AHEAD, true, true},
    {offsetof(struct telnet, binary), BINARY, true, true},
    {offsetof(struct telnet, window), WINDOW_SIZE, false, true},
    {offsetof(struct telnet, terminal), TERMINAL_TYPE, false, true},
    {offsetof(struct telnet, environ), ENVIRON, false, true},
};

static struct telnet_option *get_option_state(struct telnet *telnet, const struct known *option)
{
    return (struct telnet_option *)(void *)((char *)telnet + option->at);
}

static const struct known *find_supported_option(uint8_t code)
{
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        if (known[i].code == code) {
            return &known[i];
        }
    }
    return NULL;
}

/* Adds bytes for the client, which reads them or is disconnected. */
static void add_bytes(struct telnet *telnet, const uint8_t *bytes, size_t len)
{
    telnet->is_too_much |= !bytes_add(&telnet->out, bytes, len);
}

static void send_verb(struct telnet *telnet, uint8_t verb, uint8_t option)
{
    add_bytes(telnet, (const uint8_t[]){IAC, verb, option}, 3);
}

/* Sends bytes that a client could ask for without end. */
static void send_reply(struct telnet *telnet, const uint8_t *bytes, size_t len)
{
    if (++telnet->replies > telnet->replies_max) {
        telnet->is_too_much = true;
    } else {
        add_bytes(telnet, bytes, len);
    }
}

static void ask_for_terminal_name(struct telnet *telnet)
{
    static const uint8_t question[] = {IAC, SB, TERMINAL_TYPE, SEND, IAC, SE};
    send_reply(telnet, question, sizeof(question));
}

void telnet_begin_negotiation(struct telnet *telnet, size_t out_max)
{
    *telnet = (struct telnet){
        .replies_max = TELNET_REPLIES_MAX,
        .discarded_max = TELNET_DISCARDED_MAX,
        .wants_echo = true,
        .shows_utf8 = true,
    };
    bytes_init(&telnet->out, out_max);
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        struct telnet_option *option = get_option_state(telnet, &known[i]);
        option->ours = known[i].is_ours ? TELNET_ASKED : TELNET_NO;
        option->theirs = known[i].is_theirs ? TELNET_ASKED : TELNET_NO;
        if (known[i].is_ours) {
            send_verb(telnet, WILL, known[i].code);
        }
        if (known[i].is_theirs) {
            send_verb(telnet, DO, known[i].code);
        }
    }
}

/* Turns our echo on or off, as `wants_echo` says, unless the client has not yet answered an earlier
 * change. */
static void update_echo_unless_answer_pending(struct telnet *telnet)
{
    uint8_t *side = &telnet->echo.ours;
    if (*side == (telnet->wants_echo ? TELNET_NO : TELNET_YES)) {
        *side = telnet->wants_echo ? TELNET_ASKED : TELNET_LEAVING;
        send_verb(telnet, telnet->wants_echo ? WILL : WONT, ECHO);
    }
}

void telnet_set_echo(struct telnet *telnet, bool is_on)
{
    telnet->wants_echo = is_on;
    update_echo_unless_answer_pending(telnet);
}

/* Handles the client's message about our echo: the answer to our offer, or the client's own
 * request. */
static void handle_echo_message(struct telnet *telnet, uint8_t old_state)
{
    bool is_yes = telnet->echo.ours == TELNET_YES;
    if (old_state == TELNET_LEAVING) {
        telnet->echo.ours = TELNET_NO; /* we had already told the client that our echo ends, so no
                                          reply is needed */
    } else if (old_state != TELNET_ASKED || !is_yes) {
        telnet->wants_echo = is_yes;
        return;
    }
    update_echo_unless_answer_pending(telnet);
}

/* Handles one WILL, WONT, DO or DONT of the client in the way that RFC 1143 prescribes for each
 * state. */
static void handle_option_command(struct telnet *telnet, uint8_t code)
{
    bool is_about_us = telnet->verb == DO || telnet->verb == DONT;
    bool is_on = telnet->verb == DO || telnet->verb == WILL;
    uint8_t agree = is_about_us ? WILL : DO, refuse = is_about_us ? WONT : DONT;
    const struct known *option = find_supported_option(code);
    if (option == NULL || !(is_about_us ? option->is_ours : option->is_theirs)) {
        if (is_on && (code != TIMING_MARK || is_about_us)) { /* no answer to our own question */
            send_reply(telnet, (const uint8_t[]){IAC, refuse, code}, 3);
        }
        return;
    }
    struct telnet_option *sides = get_option_state(telnet, option);
    uint8_t *side = is_about_us ? &sides->ours : &sides->theirs;
    uint8_t old_state = *side;
    bool is_begun = is_on && old_state != TELNET_YES;
    *side = is_on ? TELNET_YES : TELNET_NO;
    if (is_on ? old_state == TELNET_NO : old_state == TELNET_YES) {
        send_reply(telnet, (const uint8_t[]){IAC, is_on ? agree : refuse, code}, 3);
    }
    if (is_about_us && code == ECHO) {
        handle_echo_message(telnet, old_state);
    } else if (is_begun && code == TERMINAL_TYPE && telnet->names == 0) {
        ask_for_terminal_name(telnet);
    } else if (is_begun && code == ENVIRON) {
        static const uint8_t question[] = {IAC, SB,  ENVIRON, SEND, ENVIRON_USERVAR,
                                           'T', 'Z', IAC,     SE};
        send_reply(telnet, question, sizeof(question));
    }
}

/* Copies the name of a terminal in lower case, as in terminfo; many clients send upper case. */
static void copy_name_in_lower_case(char name[TELNET_SUB_MAX], const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bool is_capital = bytes[i] >= 'A' && bytes[i] <= 'Z';
        name[i] = (char)(is_capital ? bytes[i] - 'A' + 'a' : bytes[i]);
    }
    name[len] = '\0';
}

/*
 * Handles one name that the client sends for its terminal. A client without MTTS sends the
 * terminal's name, and repeats that name if there is no other (RFC 1091). A client with MTTS first
 * sends its own name, then the terminal's, then "MTTS 137".
 */
static void handle_terminal_name(struct telnet *telnet)
{
    char name[TELNET_SUB_MAX] = "";
    if (telnet->terminal.theirs != TELNET_YES || telnet->has_terminal || telnet->sub_len < 2 ||
        telnet->sub[1] != IS) {
        return;
    }
    copy_name_in_lower_case(name, telnet->sub + 2, telnet->sub_len - 2);
    telnet->names++;
    if (telnet->names == 1) {
        memcpy(telnet->name, name, sizeof(name));
        ask_for_terminal_name(telnet);
        return;
    }
    if (telnet->names == 2 && strcmp(name, telnet->name) != 0) {
        memcpy(telnet->second, name, sizeof(name));
        ask_for_terminal_name(telnet);
        return;
    }
    if (telnet->names == 3 && strncmp(name, "mtts ", 5) == 0) {
        unsigned long abilities = strtoul(name + 5, NULL, 10);
        telnet->shows_utf8 = (abilities & MTTS_UTF8) != 0;
        telnet->is_read_aloud = (abilities & MTTS_READ_ALOUD) != 0;
        memcpy(telnet->name, telnet->second, sizeof(telnet->name));
    }
    telnet->has_terminal = true;
}

/* Keeps the zone from an answer that names no variable but TZ, as it was asked. */
static void store_zone(struct telnet *telnet)
{
    static const uint8_t name[] = {'T', 'Z', ENVIRON_VALUE};
    const size_t start = 3 + sizeof(name); /* after the option, IS, and the kind of variable */
    if (telnet->environ.theirs == TELNET_YES && telnet->sub_len > start && telnet->sub[1] == IS &&
        memcmp(telnet->sub + 3, name, sizeof(name)) == 0) {
        memcpy(telnet->zone, telnet->sub + start, telnet->sub_len - start);
        telnet->zone[telnet->sub_len - start] = '\0';
    }
}

static void handle_subnegotiation(struct telnet *telnet)
{
    const uint8_t *sub = telnet->sub;
    if (telnet->is_sub_lost || telnet->sub_len == 0) {
        return;
    }
    if (sub[0] == TERMINAL_TYPE) {
        handle_terminal_name(telnet);
    } else if (sub[0] == ENVIRON) {
        store_zone(telnet);
    } else if (sub[0] == WINDOW_SIZE && telnet->window.theirs == TELNET_YES &&
               telnet->sub_len == 5) {
        telnet->columns = sub[1] << 8 | sub[2];
        telnet->rows = sub[3] << 8 | sub[4];
        telnet->has_size = true;
        telnet->is_resized = true;
    }
}

static void add_subnegotiation_byte(struct telnet *telnet, uint8_t byte)
{
    if (!telnet->is_sub_lost && telnet->sub_len < TELNET_SUB_MAX) {
        telnet->sub[telnet->sub_len++] = byte;
        return;
    }
    telnet->is_sub_lost = true;
    telnet->is_too_much |= ++telnet->discarded > telnet->discarded_max;
}

static void add_typed_byte(struct bytes *typed, uint8_t byte)
{
    bool is_kept = bytes_add(typed, &byte, 1);
    (void)is_kept; /* the buffer is never full: nobody types that fast */
}

static void handle_text_byte(struct telnet *telnet, uint8_t byte, struct bytes *typed)
{
    bool is_rest_of_cr = telnet->was_cr && (byte == '\n' || byte == '\0');
    telnet->was_cr = byte == '\r';
    if (!is_rest_of_cr) {
        add_typed_byte(typed, byte);
    }
}

static void handle_command_byte(struct telnet *telnet, uint8_t byte, struct bytes *typed)
{
    telnet->state = STATE_TEXT;
    switch (byte) {
    case WILL:
    case WONT:
    case DO:
    case DONT:
        telnet->verb = byte;
        telnet->state = STATE_OPTION;
        break;
    case SB:
        telnet->sub_len = 0;
        telnet->is_sub_lost = false;
        telnet->state = STATE_SUB;
        break;
    case IAC:
        handle_text_byte(telnet, IAC, typed);
        break;
    case BREAK:
    case INTERRUPT:
        add_typed_byte(typed, 'C' & 0x1f);
        break;
    case ERASE_CHARACTER:
        add_typed_byte(typed, 0x7f);
        break;
    case ERASE_LINE:
        add_typed_byte(typed, 'U' & 0x1f);
        break;
    case ARE_YOU_THERE: /* answered with a bell, which shows the client that the house is alive and
                           leaves the screen as it is */
        send_reply(telnet, (const uint8_t[]){'\a'}, 1);
        break;
    default:
        break;
    }
}

static void handle_received_byte(struct telnet *telnet, uint8_t byte, struct bytes *typed)
{
    switch ((enum state)telnet->state) {
    case STATE_TEXT:
        if (byte == IAC) {
            telnet->state = STATE_COMMAND;
        } else {
            handle_text_byte(telnet, byte, typed);
        }
        break;
    case STATE_COMMAND:
        handle_command_byte(telnet, byte, typed);
        break;
    case STATE_OPTION:
        telnet->state = STATE_TEXT;
        handle_option_command(telnet, byte);
        break;
    case STATE_SUB:
        if (byte == IAC) {
            telnet->state = STATE_SUB_COMMAND;
        } else {
            add_subnegotiation_byte(telnet, byte);
        }
        break;
    case STATE_SUB_COMMAND:
        telnet->state = byte == SE ? STATE_TEXT : STATE_SUB;
        if (byte == SE) {
            handle_subnegotiation(telnet);
        } else { /* a command inside a subnegotiation is an error */
            telnet->is_sub_lost = telnet->is_sub_lost || byte != IAC;
            add_subnegotiation_byte(telnet, byte);
        }
        break;
    }
}

void telnet_receive(struct telnet *telnet, const uint8_t *bytes, size_t len, struct bytes *typed)
{
    for (size_t i = 0; i < len && !telnet->is_too_much; i++) {
        handle_received_byte(telnet, bytes[i], typed);
    }
}

/* Returns the byte that telnet requires after this byte: IAC after IAC, NUL after a lone CR; -1 if
 * it requires none. */
static int find_byte_required_after(const struct telnet *telnet, const char *byte, const char *end)
{
    if ((uint8_t)*byte == IAC) {
        return IAC;
    }
    bool is_line_end = byte + 1 < end && byte[1] == '\n';
    return *byte == '\r' && telnet->binary.ours != TELNET_YES && !is_line_end ? '\0' : -1;
}

void telnet_encode(struct telnet *telnet, const char *text, size_t len)
{
    size_t from = 0;
    for (size_t i = 0; i < len; i++) {
        int follower = find_byte_required_after(telnet, text + i, text + len);
        if (follower >= 0) {
            add_bytes(telnet, (const uint8_t *)text + from, i + 1 - from);
            add_bytes(telnet, (const uint8_t[]){(uint8_t)follower}, 1);
            from = i + 1;
        }
    }
    if (len > from) {
        add_bytes(telnet, (const uint8_t *)text + from, len - from);
    }
}

void telnet_ask_if_client_is_alive(struct telnet *telnet)
{
    send_verb(telnet, DO, TIMING_MARK);
}

bool telnet_is_negotiated(const struct telnet *telnet)
{
    return telnet->echo.ours != TELNET_ASKED && telnet->binary.ours != TELNET_ASKED &&
           (telnet->window.theirs == TELNET_NO || telnet->has_size) &&
           (telnet->terminal.theirs == TELNET_NO || telnet->has_terminal);
}

/* Adds a text, in which each newline becomes CR LF, to the output `out`. Little is printed so, and
 * the buffer holds megabytes: what has no room is lost. */
static void print(struct bytes *out, const char *text)
{
    bool is_said = true;
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        is_said = bytes_add(out, text, (size_t)(end - text)) && bytes_add(out, "\r\n", 2);
    }
    is_said = is_said && bytes_add(out, text, strlen(text));
    (void)is_said;
}

#define CONTROL(letter) ((letter)&0x1f)

/* Prints a question. It is a line of its own for a client in line mode, which may show only whole
 * lines. */
static void print_question(const struct telnet_login *login, const char *question,
                           struct bytes *out)
{
    print(out, question);
    print(out, login->is_echoed ? " " : "\n");
}

/* Shows what is typed, unless the client itself shows it. */
static void echo_text(const struct telnet_login *login, const char *text, struct bytes *out)
{
    print(out, login->is_echoed ? text : "");
}

static void ask_for_name(struct telnet_login *login, struct bytes *out)
{
    login->is_at_password = false;
    print_question(login,
                   login->sign_in->takes_no_guests
                       ? _("Your name (\"new\" for an account):")
                       : _("Your name (\"guest\" to look around, \"new\" for an account):"),
                   out);
}

void telnet_login_begin(struct telnet_login *login, struct login *sign_in, bool is_echoed,
                        struct bytes *out)
{
    char greeting[128];
    *login = (struct telnet_login){.sign_in = sign_in, .is_echoed = is_echoed};
    snprintf(greeting, sizeof(greeting), _("Welcome to %s.\n"),
             sign_in->house[0] == '\0' ? "Trickhouse" : sign_in->house);
    print(out, greeting);
    ask_for_name(login, out);
}

/* Asks for a name, or asks a banned person for an appeal. */
static void ask_next_question(struct telnet_login *login, struct bytes *out)
{
    if (login->sign_in->is_banned) {
        login->is_at_password = false;
        print_question(login, login_appeal_question(), out);
    } else {
        ask_for_name(login, out);
    }
}

/* Handles the result of a sign-in. After a refusal, explains it and asks again. */
static void handle_sign_in_result(struct telnet_login *login, enum login_result result,
                                  struct bytes *out)
{
    if (login->sign_in->state != LOGIN_ASKING) {
        return; /* the caller shows a screen after a sign-in, and a last message after a final
                   refusal */
    }
    char note[LOGIN_NOTE_MAX];
    login_write_refusal_note(login->sign_in, result, note);
    print(out, note);
    ask_next_question(login, out);
}

static void handle_typed_name(struct telnet_login *login, struct bytes *out)
{
    if (login->len == 0) {
        ask_for_name(login, out);
    } else if (strcmp(login->line, "guest") == 0) {
        handle_sign_in_result(login, login_as_guest(login->sign_in), out);
    } else if (strcmp(login->line, "new") == 0) {
        handle_sign_in_result(login, login_by_password(login->sign_in, "", ""), out);
    } else {
        memcpy(login->name, login->line, sizeof(login->name));
        login->is_at_password = true;
        print_question(login, _("Password:"), out);
    }
}

/* Handles a password or an appeal. After an empty line, asks for the name again: an empty password
 * would sign the owner of an account in as an unregistered person. */
static void handle_password_or_appeal(struct telnet_login *login, struct bytes *out)
{
    if (login->len == 0) {
        ask_next_question(login, out);
    } else {
        handle_sign_in_result(login, login_by_password(login->sign_in, login->name, login->line),
                              out);
    }
}

static void handle_typed_line(struct telnet_login *login, struct bytes *out)
{
    echo_text(login, "\n", out);
    login->line[login->len] = '\0';
    if (login->sign_in->is_banned || login->is_at_password) {
        handle_password_or_appeal(login, out);
    } else {
        handle_typed_name(login, out);
    }
    explicit_bzero(login->line, sizeof(login->line));
    login->len = 0;
}

/* Returns the length in bytes of the last character of the typed line. A password or an appeal may
 * contain any UTF-8 character. */
static size_t measure_last_character_bytes(const struct telnet_login *login)
{
    size_t count = 1;
    while (count < login->len && ((uint8_t)login->line[login->len - count] & 0xc0) == 0x80) {
        count++;
    }
    return count;
}

/* Deletes the last character of the typed line. That character takes one column on the screen, or
 * none in a password. */
static void erase_last_character(struct telnet_login *login, struct bytes *out)
{
    size_t count = measure_last_character_bytes(login);
    if (login->len == 0) {
        return;
    }
    explicit_bzero(login->line + login->len - count, count);
    login->len -= count;
    echo_text(login, login->is_at_password ? "" : "\b \b", out);
}

static void erase_typed_line(struct telnet_login *login, struct bytes *out)
{
    while (login->len > 0) {
        erase_last_character(login, out);
    }
}

/* Adds a character to the typed line, or refuses it with a bell. A name has only ASCII. */
static void add_typed_character(struct telnet_login *login, uint32_t code, struct bytes *out)
{
    char character[5] = "";
    size_t len = (size_t)utf8proc_encode_char((utf8proc_int32_t)code, (uint8_t *)character);
    bool is_name = !login->is_at_password && !login->sign_in->is_banned;
    if (login->len + len > TELNET_LOGIN_LINE_MAX || code < ' ' || (is_name && code > '~')) {
        echo_text(login, "\a", out);
        return;
    }
    memcpy(login->line + login->len, character, len);
    login->len += len;
    if (!login->is_at_password) {
        echo_text(login, character, out);
    }
}

static void handle_character(struct telnet_login *login, uint32_t code, struct bytes *out)
{
    switch (code) {
    case CONTROL('U'):
        erase_typed_line(login, out);
        break;
    case CONTROL('C'):
    case CONTROL('D'):
        login->has_left = true;
        break;
    default:
        add_typed_character(login, code, out);
        break;
    }
}

static void handle_key(struct telnet_login *login, const struct press *press, struct bytes *out)
{
    switch ((int)press->kind) {
    case PRESS_CHAR:
    case PRESS_PASTED:
        handle_character(login, press->code, out);
        break;
    case PRESS_ENTER:
        handle_typed_line(login, out);
        break;
    case PRESS_BACKSPACE:
        erase_last_character(login, out);
        break;
    default:
        break;
    }
}

void telnet_login_handle(struct telnet_login *login, struct bytes *typed, int64_t now_ms,
                         struct bytes *out)
{
    struct press press;
    size_t taken = 0;
    while (key_parser_expire(&login->keys, now_ms, &press)) {
        /* Esc has no meaning here */
    }
    while (taken < typed->len && login->sign_in->state == LOGIN_ASKING && !login->has_left) {
        if (key_parser_take(&login->keys, (uint8_t)typed->at[taken++], now_ms, &press)) {
            handle_key(login, &press, out);
        }
    }
    if (taken > 0) {
        explicit_bzero(typed->at, taken);
    }
    bytes_drop_first(typed, taken);
}

enum {
    READ_MAX = 4096,
    LEFT_MAX = 1 << 20 /* most bytes of input that are discarded at the end of the connection, so
                          that the client gets the last message */
};

struct wire {
    struct telnet telnet;
    struct telnet_login login;
    bool is_logging_in;
    bool is_encrypted; /* a proxy says that TLS encrypts the connection */
    bool is_settled;   /* the negotiation is over */
    bool is_deaf;      /* the client has answered none of our offers in the negotiation */
    bool is_hiding; /* in line mode: we have offered to echo, so that the client does not show what
                       is typed */
    bool is_shown;  /* the client refused to hide what is typed, and the person was told so */
    bool is_gone;
    uint64_t heard, left; /* number of bytes received, and number of bytes discarded at the end */
    size_t encode_max;    /* most bytes of output that are encoded at a time */
};

static bool begin_telnet(struct session *session, const struct session_setup *setup)
{
    struct wire *wire = must_allocate(sizeof(*wire));
    /* this session needs no SSH host key, and a bug in the telnet parser could expose the key */
    sshd_host_free(setup->host);
    session->own = wire;
    session->heard_bytes = &wire->heard;
    wire->is_encrypted = setup->is_encrypted;
    /* encoding makes the output at most twice as long */
    wire->encode_max = (size_t)session->config->connection_pending_kib << 8;

    /* Of the allowed output, the kernel may buffer one half and this process the other half. */
    const int on = 1, most = (int)session->config->connection_pending_kib << 9;
    setsockopt(FD_PEER, SOL_SOCKET, SO_SNDBUF, &most, sizeof(most));
    /* read the data mark of a synch (RFC 854) in order with the other bytes */
    setsockopt(FD_PEER, SOL_SOCKET, SO_OOBINLINE, &on, sizeof(on));
    telnet_begin_negotiation(&wire->telnet, (size_t)session->config->connection_pending_kib << 10);
    wire->telnet.replies_max = (int)session->config->telnet_replies;
    wire->telnet.discarded_max = session->config->telnet_discarded_bytes;
    return true;
}

static bool is_output_blocked(const struct session *session)
{
    const struct wire *wire = session->own;
    return session->terminal.out.len > 0 || wire->telnet.out.len > 0;
}

static short choose_poll_events(const struct session *session)
{
    return is_output_blocked(session) ? POLLIN | POLLOUT : POLLIN;
}

static void encode_next_bytes(struct session *session)
{
    struct wire *wire = session->own;
    terminal_convert_output(&session->terminal);
    size_t len = session->terminal.out.len;
    len = len > wire->encode_max ? wire->encode_max : len;
    telnet_encode(&wire->telnet, session->terminal.out.at,
                  len); /* it has room for twice the length */
    terminal_drop_sent_bytes(&session->terminal, len);
}

static size_t send_output(struct session *session)
{
    struct wire *wire = session->own;
    struct bytes *out = &wire->telnet.out;
    size_t all = 0;
    while (!wire->is_gone && is_output_blocked(session)) {
        if (out->len == 0) {
            encode_next_bytes(session);
        }
        ssize_t sent = send(FD_PEER, out->at, out->len, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0) {
            wire->is_gone = errno != EAGAIN && errno != EINTR;
            break;
        }
        bytes_drop_first(out, (size_t)sent);
        all += (size_t)sent;
    }
    return all;
}

static void store_window_size(struct session *session, struct telnet *telnet)
{
    if (telnet->is_resized) {
        telnet->is_resized = false;
        session->terminal.size = terminal_size_clamp(telnet->columns, telnet->rows);
        session->terminal.is_resized = true;
    }
}

/* True if the client works in line mode, where it edits and shows what is typed. That is the case
 * if it refuses our echo or character mode (RFC 858). For screen readers we choose line mode,
 * because such clients take our echo as a sign to hide what is typed. */
static bool is_line_mode(const struct wire *wire)
{
    const struct telnet *telnet = &wire->telnet;
    return wire->is_hiding || telnet->echo.ours != TELNET_YES ||
           telnet->go_ahead.ours == TELNET_NO || telnet->is_read_aloud;
}

static void update_line_mode(struct session *session)
{
    struct wire *wire = session->own;
    bool is_lines = is_line_mode(wire);
    bool is_dumb = terminal_name_is_dumb(session->terminal.name);
    const struct ui_lines lines = {.is_on = is_lines || is_dumb,
                                   .is_echoed = !is_lines,
                                   .is_read_aloud = wire->telnet.is_read_aloud};
    session->terminal.has_new_lines |= session->terminal.lines.is_echoed == is_lines;
    session->terminal.lines = lines;
    wire->login.is_echoed = !is_lines;
    if (is_lines && !wire->is_hiding && !wire->is_deaf) {
        telnet_set_echo(&wire->telnet, false);
    }
}

static void warn_if_typing_shows(struct session *session)
{
    struct wire *wire = session->own;
    bool is_refused = wire->is_deaf || wire->telnet.echo.ours == TELNET_NO;
    if (wire->is_hiding && is_refused && !wire->is_shown) {
        wire->is_shown = true;
        print(&session->terminal.out, _("(What you type is visible.)\n"));
    }
}

/* Asks the client to hide secrets while they are typed, and then to show again what is typed. Does
 * nothing if the house itself echoes what is typed. */
static void hide_or_show_typing(struct session *session, bool is_secret)
{
    struct wire *wire = session->own;
    if (session->terminal.lines.is_echoed || is_secret == wire->is_hiding) {
        return;
    }
    bool is_hidden = wire->telnet.echo.ours == TELNET_YES;
    wire->is_hiding = is_secret;
    wire->is_shown = false;
    if (!wire->is_deaf) {
        telnet_set_echo(&wire->telnet, is_secret);
    }
    if (!is_secret && is_hidden) {
        /* print the line break of the Enter key that the client did not show */
        print(&session->terminal.out, "\n");
    }
    warn_if_typing_shows(session);
}

static void handle_sign_in_input(struct session *session)
{
    struct wire *wire = session->own;
    telnet_login_handle(&wire->login, &session->terminal.in, clock_steady_ms(),
                        &session->terminal.out);
    wire->is_logging_in = session->login.state == LOGIN_ASKING;
    if (wire->login.has_left) {
        session->ending = _("Goodbye.");
    }
    hide_or_show_typing(session, wire->is_logging_in && wire->login.is_at_password);
}

/* Acts on the input that was received. Returns false if the session must end. */
static bool handle_received_input(struct session *session)
{
    struct wire *wire = session->own;
    store_window_size(session, &wire->telnet);
    (void)terminal_take_env_variable(&session->terminal, "TZ", wire->telnet.zone);
    bool is_too_much = session->ui == NULL && wire->heard > session->config->telnet_sign_in_bytes;
    if (wire->telnet.is_too_much || is_too_much) {
        session->ending =
            is_too_much ? _("Your client sends far more than signing in takes. Please try "
                            "another, or ssh.")
                        : _("Your client negotiates without end. Please try another, or ssh.");
        session->is_peer_at_fault = true;
        return false;
    }
    if (wire->is_settled) {
        update_line_mode(session);
    }
    if (wire->is_logging_in) {
        handle_sign_in_input(session);
    }
    warn_if_typing_shows(session);
    return session->ending == NULL;
}

/* Takes what was received at once. What is typed at the sign-in is never a paste: clients send name
 * and password together. */
static void take_received_bytes(struct session *session, const uint8_t *bytes, size_t len)
{
    struct wire *wire = session->own;
    size_t start = session->terminal.in.len;
    wire->heard += len;
    telnet_receive(&wire->telnet, bytes, len, &session->terminal.in);
    if (session->ui != NULL) {
        terminal_mark_paste(&session->terminal, start);
    }
}

/* Reads input. While the session ends, discards input. */
static bool read_input(struct session *session, bool has_input)
{
    struct wire *wire = session->own;
    uint8_t bytes[READ_MAX];
    if (has_input) {
        ssize_t got = recv(FD_PEER, bytes, sizeof(bytes), MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
            return false;
        }
        size_t len = got > 0 ? (size_t)got : 0;
        bool may_go_on;
        if (session->ending == NULL) {
            take_received_bytes(session, bytes, len);
            may_go_on = handle_received_input(session);
        } else {
            may_go_on = (wire->left += len) <= LEFT_MAX;
        }
        explicit_bzero(bytes, len);
        if (!may_go_on) {
            return false;
        }
    }
    if (session->ui == NULL) { /* if there is a screen, session.c sends the output */
        send_output(session);
    }
    return !wire->is_gone;
}

static void warn_of_no_encryption(struct session *session)
{
    const struct wire *wire = session->own;
    if (!wire->is_encrypted) {
        print(&session->terminal.out,
              _("Telnet is not encrypted: others on the network can read all you type and "
                "see,\npasswords too. Through ssh you reach the same house, encrypted.\n\n"));
    }
}

/* Waits until the client has answered our offers, or until the time is up, since some clients never
 * answer. A client that does not answer our offer to echo works in line mode. Meanwhile the core
 * sends the house's name. */
static bool negotiate_telnet_options(struct session *session)
{
    struct wire *wire = session->own;
    int64_t deadline_ms = clock_steady_ms() + session->config->telnet_negotiation_ms;
    while (!telnet_is_negotiated(&wire->telnet) && clock_steady_ms() < deadline_ms) {
        int listen_to_core = session->login.house[0] == '\0' ? LISTEN_TO_CORE : 0;
        int64_t left_ms = deadline_ms - clock_steady_ms();
        if (!session_run_loop_pass(session, left_ms, LISTEN_TO_STOP | listen_to_core)) {
            return false;
        }
    }
    if (wire->telnet.echo.ours == TELNET_ASKED) {
        wire->telnet.echo.ours = TELNET_NO;
        wire->is_deaf = true;
    }
    wire->is_settled = true;
    return handle_received_input(session);
}

static bool negotiate_and_sign_in(struct session *session)
{
    struct wire *wire = session->own;
    warn_of_no_encryption(session);
    if (!negotiate_telnet_options(session)) {
        session->exit = SESSION_NO_AUTH;
        return false;
    }
    terminal_name_copy(session->terminal.name, wire->telnet.name);
    session->terminal.is_ascii = !wire->telnet.shows_utf8;
    telnet_login_begin(&wire->login, &session->login, !is_line_mode(wire), &session->terminal.out);
    wire->is_logging_in = true;
    return handle_received_input(session) && session_sign_in(session);
}

static void ask_if_alive(struct session *session)
{
    struct wire *wire = session->own;
    telnet_ask_if_client_is_alive(&wire->telnet);
}

/* Waits for the client to close first: closing a socket with unread input sends a reset, which
 * could destroy the last message. */
static void close_connection(struct session *session, UNUSED int exit_status)
{
    /* start a new line after the prompt or the unfinished line */
    if (session->ui == NULL) {
        print(&session->terminal.out, "\n");
    }
    session_print_end_reason(session);
    session_send_pending_output(session);
    shutdown(FD_PEER, SHUT_WR);
    session_await_client_close(session);
}

const struct transport session_telnet = {
    .begin = begin_telnet,
    .enter = negotiate_and_sign_in,
    .events = choose_poll_events,
    .take = read_input,
    .is_blocked = is_output_blocked,
    .send = send_output,
    .hide = hide_or_show_typing,
    .ask = ask_if_alive,
    .leave = close_connection,
};
