#pragma once

#include "daemon/base/base.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/model/model.h"
#include "games/text.h"
#include "lobby/protocol/protocol.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The user interface of one person. Bytes from a terminal and messages from the core go in; screens
 * drawn by ncurses into memory come out. It does no input or output itself. A process can have only
 * one, because ncurses has global state.
 *
 * now_ms is monotonic with an arbitrary start. Messages contain no time of their own, so ui_tick
 * must be called each time the caller wakes, before it passes bytes or packets. Needs memfd_create
 * and an RLIMIT_FSIZE of at least 1 MiB.
 */
struct ui;

/* The smallest terminal size; the caller raises smaller sizes to it. */
#define UI_COLUMNS_LEAST 20
#define UI_ROWS_LEAST 10

/* How a terminal takes and shows the lines of plain mode, which replaces drawn screens by one line
 * per event without escape sequences. */
struct ui_lines {
    bool is_on; /* the terminal supports only plain mode; otherwise the person may turn plain mode
                   on and off */
    bool is_echoed;     /* the house echoes and edits typed text; otherwise the ssh or telnet client
                           does both */
    bool is_piped;      /* there is no terminal: '\n' ends a line, and nothing hides a password */
    bool is_read_aloud; /* lines are never wrapped, for screen readers */
};

struct ui_setup {
    const char *term; /* TERM as the client sent it; an unknown one is replaced, with a notice */
    int columns,
        rows;      /* size of the terminal, which the caller has brought into the allowed range */
    bool is_ascii; /* the terminal cannot show UTF-8, whatever the account's settings say */
    bool is_unregistered; /* the session starts with sign-up instead of the lobby */
    const char
        *suggested_name; /* the name suggested for sign-up; may be ""; borrowed until ui_free */
    bool has_key;        /* the client has shown an SSH key, with which the person can sign up */
    bool is_telnet;      /* the connection is not encrypted: no password can be changed */
    uint32_t password_min,
        password_max;  /* allowed length of a new password in bytes; 0: the defaults, 10 and 128 */
    const json_t *you; /* the account as the protocol's `you` object, borrowed; NULL for somebody
                          unregistered */
    const char *house; /* the house's name, from `welcome`; NULL: not known yet */
    struct ui_lines lines;
    struct display *prepared; /* a display to use or to free (drawing/draw.h), if the screen is
                                 drawn; NULL: there is none */
    struct client *client;    /* borrowed: sends requests, and delivers the core's messages */
    int64_t now_ms;
};

/* Prepares terminfo, ncurses and the first screen. NULL if no terminal description can be
 * loaded. */
struct ui *ui_new(const struct ui_setup *setup);

/* Frees the user interface. Afterwards the client must not deliver messages to it. */
void ui_free(struct ui *ui);

/* Handles bytes typed at the terminal. `len` 0 says that none came: then an Esc is a key of its own
 * if the rest of its sequence is overdue. */
void ui_handle_input(struct ui *ui, const uint8_t *bytes, size_t len, int64_t now_ms);

/* Returns the time at which ui_handle_input must be called even if nothing was typed; INT64_MAX:
 * never. */
int64_t ui_keys_due_ms(const struct ui *ui);

/* Sets the terminal's new size, which the caller has brought into the allowed range. */
void ui_resize(struct ui *ui, int columns, int rows);

/* Advances the time, for clocks on the screen and tricks shown for a moment. */
void ui_tick(struct ui *ui, int64_t now_ms);

/* Milliseconds until ui_tick or ui_paint must be called; -1: only after input. */
int ui_poll_timeout_ms(const struct ui *ui, int64_t now_ms);

/* True until the core has sent what the first frame shows. A frame may be painted before, but would
 * be replaced a moment later. */
bool ui_awaits_first_content(const struct ui *ui);

/* True if a new frame should be painted: at most ten times a second, but at once after a key. */
bool ui_wants_paint(const struct ui *ui, int64_t now_ms);

/* Paints the current state and appends the bytes for the terminal. */
void ui_paint(struct ui *ui, int64_t now_ms, struct bytes *out);

/* Changes how the terminal takes and shows lines. With lines->is_on the terminal supports only
 * plain mode from now on. */
void ui_set_line_mode(struct ui *ui, const struct ui_lines *lines);

/* Notes the end of input: the session ends once all typed lines are carried out. */
void ui_note_end_of_input(struct ui *ui, int64_t now_ms);

/* Ends the session once all lines typed so far are carried out and their requests answered. */
void ui_leave_after_typed_lines(struct ui *ui);

/* Marks the lines typed from now on as coming from the ssh command line, which moderation commands
 * report to the core (PROTOCOL.md, mod). */
void ui_mark_lines_from_ssh_command(struct ui *ui);

/* True if the last moderation command succeeded: it was neither refused nor cancelled, and it was
 * answered. */
bool ui_last_mod_command_succeeded(const struct ui *ui);

/* True while a password is being typed in plain mode, so that the client does not echo it. */
bool ui_is_typing_hidden(const struct ui *ui);

/* True once the person has asked to leave, or the core has ended the connection. */
bool ui_is_done(const struct ui *ui);

/* Appends the bytes that restore the terminal, and a last line that says why the session ends. */
void ui_restore_terminal(struct ui *ui, struct bytes *out);

/* Settings that take effect in this session at once and are stored with the account, if there is
 * one. */

/* Changes these fields of ROW(settings); `telnet` has its own function. Takes over the reference to
 * `changes`. */
void screen_change_settings(struct ui *ui, json_t *changes);

/* Sets whether the account may also be used over telnet. Guests may always use telnet; the screen
 * tells them so. */
void screen_set_telnet_permission(struct ui *ui, bool is_on);

/* Switches between plain mode and drawn screens. */
void screen_set_plain_mode(struct ui *ui, bool is_on);

/* Call it after sign-up: takes the new account from the answer's `you`, and stores the settings
 * that the person chose before. */
void screen_adopt_new_account(struct ui *ui, const json_t *you);

/* Draws the three bottom rows of the screen, and sets the cursor's position. */
void ui_draw_bottom_rows(struct ui *ui, const struct canvas *canvas, int *cursor_row,
                         int *cursor_column);

/* Writes the keys of the top screen, as the row of key hints shows them, as a list that fits the
 * width: "1-7 play, c chat, ? help, q leave". */
void ui_write_key_list(struct ui *ui, int width, struct text *out);

/* Requests to the core. The kernel remembers which screen receives each answer. */
struct ui_layer;
struct ui_request;

/* The answer to a request. */
struct ui_answer {
    void *state;        /* of the screen that asked; NULL if the request belongs to none */
    int64_t tag;        /* as it was given with the request */
    bool is_ok;         /* the request succeeded */
    const char *code;   /* why it was refused, as a word of PROTOCOL.md; "" if it succeeded */
    const json_t *json; /* the whole `ok` or `no` message, valid only during the call */
};

typedef void screen_answer(struct ui *ui, const struct ui_answer *answer);

/* Sends a request; steals `fields` (may be NULL). The answer goes to the screen that asked if it is
 * still on the stack, and is dropped otherwise. A refusal is shown as a warning if `answer` is NULL
 * or the screen is gone. `tag` is passed on to `answer`; `type` must be a string constant. If the
 * core requires confirmation (`step_up`), the person is asked and the request is sent again: the
 * caller sees only the last answer, or the refusal if the person cancels. */
void screen_send_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                         int64_t tag);

/* Sends a request. `answer` is called only if the request succeeds; a refusal is shown as a
 * warning. */
void screen_send_and_handle_success(struct ui *ui, const char *type, json_t *fields,
                                    screen_answer *answer, int64_t tag);

/* Sends a request without a handler. Success is shown as `notice` (N_(); NULL: not shown), a
 * refusal as a warning. */
void screen_send_and_show_notice(struct ui *ui, const char *type, json_t *fields,
                                 const char *notice);

/* Sends a request that belongs to no screen: the answer always arrives, with `state` NULL. */
void ui_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                int64_t tag);

/*
 * The functions below are for the kernel.
 */

/* Returns the time at which the oldest unanswered request of the screen with this serial was sent
 * (0: of any); INT64_MAX if all are answered. */
int64_t ui_get_oldest_request_sent_at_ms(const struct ui *ui, uint32_t serial);

/*
 * A command that people type after a slash: one row of commands.def, from which dispatch,
 * completion and help are made, and the function that the row names. Everything that a key does
 * can also be done by a command.
 */

/* The argument of the screen "help" with which plain mode prints all commands: without it, it
 * prints those of the place where the person is. */
#define HELP_ALL 1

/* Where a command may be used. */
enum command_where {
    COMMAND_IN_HOUSE, /* only for people who are signed in */
    COMMAND_ANYWHERE,
    COMMAND_AT_TABLE, /* only at a table */
};

/* What Tab can offer for a command's first argument. */
enum command_completes {
    COMPLETE_NOTHING,
    COMPLETE_NAMES,    /* names of people in the house */
    COMPLETE_COMMANDS, /* names of commands, without the slash */
    COMPLETE_FRIENDS,  /* names of one's friends, present or not */
    COMPLETE_TABLES,   /* "#7" */
    COMPLETE_GAMES,    /* ids of games */
    COMPLETE_CHANNELS, /* names of one's own channels ("#name") */
};

struct command {
    const char *name; /* the command's name, without the slash */
    const char *args; /* how help shows the arguments: "player text", "[theme]"; NULL: the command
                         takes none */
    /* N_(): first one sentence of at most 60 columns; then more sentences, with an example, which
     * only /help NAME shows */
    const char *help;
    enum command_where where;
    /* The lowest role that may use the command. A command for staff is hidden from others and
     * cannot be abbreviated. */
    enum person_role role;
    enum command_completes completes;
    const char *const *words; /* words to which Tab completes the first argument, instead of
                                 `completes`; ended by NULL */
    /* words to which Tab completes the later arguments, ended by NULL; may be NULL */
    const char *const *more;

    /* At most one of the next six members is set: it says what the command does. If all are NULL,
     * the command is a moderation command, which the core carries out
     * (lobby/protocol/mod_commands.def). */

    /* Runs the command. args is the text after the name, without surrounding spaces, and may be
     * empty. The function reports errors itself (screen_warn). */
    void (*run)(struct ui *ui, const char *args);
    void (*act)(struct ui *ui);              /* runs a command without arguments */
    void (*turn)(struct ui *ui, bool is_on); /* runs a command whose argument is "on" or "off" */
    const char *setting; /* the field of ROW(settings) that "on" or "off" is stored in */
    const char *opens;   /* name of the screen that the command opens */
    const char *request; /* type of the request that the command sends */

    int64_t argument;      /* argument passed to the screen that `opens` names */
    const char *field;     /* the request's key for the typed arguments; NULL: they are not sent */
    const char *fields;    /* JSON: other fields of the request; NULL: none */
    const char *otherwise; /* N_(): the warning if arguments are neither a choice nor sent */
    const char *missing;   /* N_(): the warning if the argument is missing; NULL: the field is then
                              left out */
    const char *done;      /* N_(): the notice when the request succeeds or the setting is on;
                              NULL: none */
    const char *off;       /* N_(): the notice when the setting is off; NULL: none */
    screen_answer *result; /* handles a successful answer, instead of `done` */
};

/* The functions of the commands and the lists of words, each declared by a row. */
#define COMMAND(name, args, help, ...) COMMAND_FIRST(__VA_ARGS__, )
#define CHOICE(command, word, ...) COMMAND_FIRST(__VA_ARGS__, )
#define COMMAND_FIRST(first, ...) first
#define RUN(function) void function(struct ui *ui, const char *args);
#define RUN_WORDS(function, list) RUN(function) extern const char *const list[];
#define ACT(function) void function(struct ui *ui);
#define TURN(function) void function(struct ui *ui, bool is_on);
#define SETS(field)
#define OPENS(screen)
#define SENDS(type)
#define SHOWS(type, function) screen_answer function;
#include "daemon/screens/commands/commands.def"
#undef COMMAND
#undef CHOICE
#undef RUN
#undef RUN_WORDS
#undef ACT
#undef TURN
#undef SETS
#undef OPENS
#undef SENDS
#undef SHOWS

/* The commands in the order of commands.def, then the moderation commands; after the last, `name`
 * is NULL. The kernel knows the functions of other folders only by this list. */
extern const struct command command_list[];

/* The choices, named by command and word: "key list". After the last, `name` is NULL. */
extern const struct command command_choices[];

/* Finds a command by its name; NULL if there is none. Commands that are not for staff are also
 * found by an unambiguous beginning of the name. */
const struct command *command_find(const char *name);

/* Carries out a typed line that begins with a slash. Such a line is never sent as chat. */
void command_run(struct ui *ui, const char *line);

/* Writes the first sentence of a command's help into the empty text `out`. */
void command_write_summary(const struct command *command, struct text *out);

/* Copies the first word of `args` into `word` (truncated to cap - 1 bytes); returns what follows
 * it. */
const char *command_read_word(const char *args, char *word, size_t cap);

/* True if the text is the word, which is marked with N_(), or its translation, which help shows. */
bool command_word_is(const char *typed, const char *word);

/* Sends a moderation command (PROTOCOL.md, mod), written without its slash, and shows the answer.
 * If the core requires confirmation, asks the person and then sends the command again. */
void command_send_mod_command(struct ui *ui, const char *line);

/* Completes the word before the cursor; shows the candidates if there are several. For names of
 * people and numbers of tables the core is asked first. */
void ui_complete_word(struct ui *ui);

/* Confirmation of one's identity by password or authenticator code. */

/* bytes of an authenticator's code with its NUL: six digits, which people often type in two
 * groups */
#define CONFIRM_CODE_SIZE 7

/* Asks the person to confirm their identity now, before a request requires it. */
void screen_ask_to_confirm_identity(struct ui *ui);

/* Reads an authenticator's code: true if the text is six digits, which are copied without blanks.
 * No password is that short. */
bool confirm_parse_authenticator_code(const char *text, char code[CONFIRM_CODE_SIZE]);

/*
 * Limits how often the session makes hints, each of which takes as much processor time as drawing
 * many frames. Without the limit, keys or lines that are typed faster than anybody reads could use
 * more processor time than the session's watchdog allows, and end the session.
 */

/* Returns the hint (hint_make) for the view, which stays valid until the next call. The last hint
 * is kept, so asking again for the same step of a game costs nothing. NULL, after a warning, if the
 * session may not make a hint now. */
const struct hint *screen_find_hint(struct ui *ui, const struct game_view *view,
                                    const struct game_config *config, int64_t game_id);

/* The hints in the bottom row, each of which names a key. The most important hints come first.
 * Hints that do not fit are left out, except the last two. */
#define HINTS_MAX 16
#define HINT_MAX 32

struct hints {
    bool is_ascii; /* keys are named by words instead of arrows */
    int count;
    struct {
        char key[HINT_MAX];
        char label[HINT_MAX];
    } at[HINTS_MAX];
};

/* Adds a hint for the keys of a screen_key. Both texts are copied and cut to HINT_MAX - 1 bytes. A
 * hint beyond HINTS_MAX is dropped, and so is a second one for the same keys. */
void hints_add(struct hints *hints, const char *keys, const char *label);

/* Returns the names of keys (screen_key.keys) in the person's language; in ASCII mode, words
 * instead of arrows. */
const char *hints_translate_key_names(const char *keys, bool is_ascii);

/*
 * The input line: one line of UTF-8 text with a cursor, and the history of earlier lines. It knows
 * neither commands nor the terminal.
 */
#define INPUT_MAX 401 /* size in bytes, including the NUL; a chat line has at most 400 bytes */
#define INPUT_HISTORY_MAX 50

struct input {
    char text[INPUT_MAX];
    size_t len;
    size_t cursor;                    /* position of the cursor in bytes */
    char *history[INPUT_HISTORY_MAX]; /* earlier lines, the oldest first */
    int history_count;
    int history_at; /* index of the earlier line that is shown; history_count if the line being
                       typed is shown */
    char draft[INPUT_MAX]; /* the line being typed, kept while an earlier one is shown */
};

void input_clear(struct input *input);

/* Replaces the text and puts the cursor at its end. A longer text is truncated between
 * characters. */
void input_set_text(struct input *input, const char *text);

/* Edits the line. Pasted lines become one, with spaces between them. True if the key was a
 * character or an editing key; Enter, Tab and Esc are neither. With recalls_history, up and down
 * recall earlier lines. */
bool input_handle_key(struct input *input, const struct press *press, bool recalls_history);

/* Replaces the bytes from `start` to the cursor by a text. */
void input_replace_before_cursor(struct input *input, size_t start, const char *text);

/* Adds the current text to the history, unless it repeats the last line. */
void input_add_to_history(struct input *input);

/* Returns the number of columns before the cursor. */
int input_get_cursor_column(const struct input *input);

/* Takes typed bytes and handles each key; without bytes, an Esc that is a key of its own, because
 * nothing has followed it. False if there was neither. */
bool ui_take_typed_bytes(struct ui *ui, const uint8_t *bytes, size_t len);

/* Tells the person what a message from the core means for them, whichever screen is open: with a
 * notice, the bell or "your turn". Call it after the model was updated from the message. */
void ui_report_pushed_message(struct ui *ui, const char *type, const json_t *message);

/* Short messages to the person, and the bell. */

/* Shows a line above the input line for some seconds: information, or a warning. */
void screen_inform(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));
void screen_warn(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Removes the notice just shown as soon as the entered table changes, because the notice is then
 * outdated. */
void screen_drop_notice_when_table_changes(struct ui *ui);

/* Returns from when on the screen says that the house is away, in the session's clock; INT64_MAX:
 * it is not away. */
int64_t ui_away_notice_at_ms(const struct ui *ui);
#define UI_AWAY_TEXT N_("One moment… The house is coming back, and nothing is lost.")

/* Shows the reason for a refusal (`why` in the answer) as a warning. */
void screen_warn_of_refusal(struct ui *ui, const struct ui_answer *answer);

/* Warns that a password is too short or too long. */
void screen_warn_of_password_length(struct ui *ui);

/* Adds a line to the open chat channel: for answers of more than one line. */
void screen_add_chat_line(struct ui *ui, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Rings the bell, if the settings allow it. bottom.c already rings it when the person's turn has
 * come. */
void screen_ring_bell(struct ui *ui);

/*
 * The state of plain mode: printed lines that are not sent yet, and the line being typed. There is
 * a prompt only if typed text is echoed here; new lines are printed above the prompt, which is then
 * written again.
 *
 * Typed lines wait while an answer is outstanding, so that each command sees the result of the one
 * before: a file of commands works as if it were typed.
 */
struct plain {
    bool is_on;     /* plain mode is on, by choice or because the terminal supports nothing else */
    bool was_drawn; /* a drawn screen is on the terminal and must be cleared first */
    struct lines lines; /* printed lines that are not sent yet */
    struct bytes shown; /* output for the terminal: finished lines and echoed characters */
    struct bytes typed; /* typed bytes that are not handled yet */
    char question[LINES_LINE_MAX]; /* the open question as it was printed, with how to answer it */
    char suggested[INPUT_MAX];     /* the answer that Enter alone gives to the open question */
    bool is_prompted; /* the last line on the terminal is the prompt and the text typed so far */
    int64_t printed_n[CHAT_CHANNELS]; /* number of the last chat line printed, by channel */
    int64_t since_ms;                 /* unix ms: chat lines newer than this are printed at once */
    bool is_away_told;                /* the last line about it said that the house is away */
    bool is_asking;                   /* the prompt is the text of a question */
    bool has_house;                   /* the person's own tables have arrived */
    int64_t pass_ms; /* time in ms when the top screen will have something to print, even without an
                        event */
    bool is_ended;   /* input has ended */
    bool is_leaving; /* the session ends once all typed lines are carried out */
    int64_t end_ms;  /* when is_ended or is_leaving was set */
    int64_t begin_ms; /* time of the first event of the session; 0: none yet */
    int64_t line_ms;  /* when the last typed line was carried out */
};

/*
 * The functions below are only for files in kernel/.
 */

/* Prints the question that has just been opened. */
void ui_plain_print_question(struct ui *ui);

/* Handles a key pressed or a character pasted in plain mode. */
void ui_plain_handle_key(struct ui *ui, const struct press *press);

/* Plain mode, called after every event: carries out each typed line once the answers to the lines
 * before it have arrived, prints the top screen if it was not printed, and closes screens that take
 * no input. */
void ui_plain_carry_out_lines(struct ui *ui);

/* Questions to the person, answered in the input line. At most one question is open at a time. */

enum ask_kind {
    ASK_WORDS,
    ASK_SECRET, /* a secret answer: shown as dots, and not kept in the input line's history */
    ASK_YES,    /* answered by one key: y or Enter gives "y", any other key NULL */
    ASK_SURE,   /* before something that cannot be undone: only y gives "y", any other key NULL, as
                   people press Enter out of habit */
    ASK_KEYS,   /* answered by one of several keys (screen_ask_for_key) */
};

/* Receives the answer to a question, which is valid only during the call; NULL if the person
 * cancelled. */
typedef void screen_reply(struct ui *ui, void *state, const char *text);

/* Asks a question in the input line: Enter gives the answer, Esc gives NULL. A new question
 * replaces an open one, which is answered with NULL. The question belongs to the screen that asks,
 * and closing that screen closes the question. `initial_text` is put into the input line (may
 * be NULL). */
void screen_ask(struct ui *ui, enum ask_kind kind, const char *question, const char *initial_text,
                screen_reply *reply);

/* Asks ASK_SURE before something that cannot be undone, and after "y" sends the request. Steals its
 * fields. */
void screen_ask_and_send(struct ui *ui, const char *question, const struct ui_request *request);

struct ask_key {
    const char *key;   /* the keyboard key, as one character */
    const char *label; /* N_(): what the key does, for the bottom row */
};

/* Asks for one of several keys: the key pressed is the answer, Esc gives NULL. The last row of
 * `keys` is all NULLs. `keys` must stay valid until the question is answered. */
void screen_ask_for_key(struct ui *ui, const char *question, const struct ask_key *keys,
                        screen_reply *reply);

/* Whether a question that the person does not expect may be asked now: the person neither types a
 * line nor answers another question. */
bool screen_may_ask(const struct ui *ui);

/* Closes the open question if it is the one with this reply function, which gets NULL. */
void screen_close_question(struct ui *ui, screen_reply *reply);

/* Ends the session. If a running game needs the person, asks for confirmation first. */
void screen_quit_house(struct ui *ui);

/* Asks before the session ends, because a single key was pressed. If that question is already open,
 * ends the session: the key was pressed twice. Somebody without a name loses nothing and is not
 * asked. */
void screen_ask_before_quitting(struct ui *ui);

/* For the kernel: true if the open question is answered by yes or no. */
bool ui_question_is_yes_or_no(const struct ui *ui);

/* For the kernel: answers the open ASK_KEYS question if the text names one of the keyboard keys
 * that the question offers. False if it does not. */
bool ui_answer_question_by_key(struct ui *ui, const char *text);

/* For the kernel: closes the open question with this answer (NULL: cancelled). */
void ui_answer_question(struct ui *ui, const char *text);

/* Tells which chat channel is open in the lobby, and switches to another channel. */

/* Returns where a typed chat line goes: "table" at a table, otherwise "lobby" or the open
 * channel. */
const char *screen_chat_recipient(const struct ui *ui);

/* Returns the channel that is open in the lobby: CHAT_LOBBY, or CHAT_ROOM + its index in
 * model.rooms. */
int screen_current_channel(const struct ui *ui);

/* Opens the channel with this index. */
void screen_show_channel(struct ui *ui, int channel);

/* What screens and commands may know about their session: the model, the theme, the clocks and the
 * connection. All pointers are borrowed and stay valid during the session. */

/* The model from which all screens are drawn. */
const struct model *screen_model(const struct ui *ui);

/* The theme with which texts are written now. Plain mode has its own theme, which writes cards as
 * letters. */
const struct theme *screen_theme(const struct ui *ui);

/* Returns the output of plain mode: lines that are added to it are printed at once. */
struct lines *screen_get_plain_lines(struct ui *ui);

/* True if a new password has an allowed length. */
bool screen_password_length_is_valid(const struct ui *ui, const char *password);

/* The stack of open screens. */

/* The argument of screen_open for the rules screen: a game's index + 1, or 0 for the game of the
 * entered table. RULES_FULL is added to show the full rules. */
#define RULES_FULL 0x100

/* Opens a screen on top of the others. If the screen is open already, raises it and calls its
 * `enter` again; to raise the lobby closes all others. The state of a closed screen stays valid
 * until the function of a screen that runs has returned. Returns false, after a warning, if there
 * is no such screen or the stack is full. */
bool screen_open(struct ui *ui, const char *name, int64_t argument);

/* Opens a screen about a person ("": the person of this session). The screen reads the name in
 * ui->about when it is entered. */
bool screen_open_about_person(struct ui *ui, const char *screen_name, const char *person_name);

/* Closes the top screen, unless it is the lobby. */
void screen_close(struct ui *ui);

/* Closes all screens above the lobby, and opens the lobby if it is not open. */
void screen_return_to_lobby(struct ui *ui);

/* The name of the screen below the top one; "" if there is none. */
const char *screen_name_below_top(const struct ui *ui);

/* Returns the state of the open screen with that name, for commands that act on it; NULL if the
 * screen is not open. Valid until the stack changes. */
void *screen_find_state(struct ui *ui, const char *name);

/* Plain mode: prints the top screen again. */
void screen_print_top_again(struct ui *ui);

/*
 * The functions below are for the kernel.
 */

/* Returns the top layer, which always exists. Valid until the stack changes. */
struct ui_layer *ui_top_layer(struct ui *ui);

/* Notes which screen's function runs from now on: that screen receives the answers to the requests
 * that follow. Call it before you call a function of a screen that may not be on top. Returns the
 * earlier screen's serial, to restore it afterwards. */
uint32_t ui_set_running_screen(struct ui *ui, uint32_t serial);

/* Closes every screen, the lobby too, and forgets all requests. */
void ui_clear_stack(struct ui *ui);

/* Frees the states of closed screens. Call it when no function of a screen is running. */
void ui_free_closed_screens(struct ui *ui);

/* Sets the text of the input line, and carries out whole lines. */

/* Puts a text into the input line, as if the person had begun to type it: "/tell ada ". */
void screen_begin_typing(struct ui *ui, const char *text);

/* Carries out a line as if the person had entered it: as a command, as whatever an open screen
 * makes of it (struct screen, catches_line), otherwise as chat. */
void screen_carry_out_line(struct ui *ui, const char *line);

/* Says a text where the person is, whatever it consists of. */
void screen_say(struct ui *ui, const char *text);

/*
 * Defines what a screen is. With the headers included above, this one header offers everything that
 * screens and commands may use.
 *
 * A screen is a const struct at the end of its file and one line in screens.def. Screens stand on
 * a stack, the lobby at the bottom. The kernel owns the three bottom rows of every screen: a
 * line for notices, the input line, and the row of keys. A screen paints the body above them and
 * handles keys. None of these headers includes curses.
 */

/* A keyboard key that a screen uses, as its help and the bottom row show the key. */
struct screen_key {
    const char *keys; /* the key's name: "Enter", "1-7", "← →"; marked for translation with N_() if
                         it contains words */
    const char *help; /* N_(): what the key does, without a full stop; NULL: not in the help */
    const char
        *command;     /* the command that does the same as the key: "/sit"; NULL: there is none */
    const char *hint; /* N_(): the key's hint in the bottom row; NULL: it has no hint there */
};

/* A screen's handler for one type of messages that the core pushes. It is called after the model
 * has been updated from the message. */
struct screen_push {
    const char *type;
    void (*take)(struct ui *ui, void *state, const json_t *message);
};

struct screen {
    const char *name;  /* the name by which screen_open finds the screen: "lobby" */
    const char *title; /* N_() */
    /* bytes of the screen's state, which is zeroed before `enter` and freed after `leave`; may
     * be 0 */
    size_t state_size;
    bool is_framed;    /* the body has a frame over the whole width; the line for notices is the
                          frame's bottom line */
    bool shows_chat;   /* answers in the chat can be read there; elsewhere a notice shows them */
    bool has_own_exit; /* the bottom row shows no "? help" and "q back" */
    const struct screen_key *keys; /* the screen's keys; the last row is all NULLs */

    /* All functions but `draw` may be NULL. `argument` is the one that was given to screen_open. */
    void (*enter)(struct ui *ui, void *state, int64_t argument);
    void (*leave)(struct ui *ui, void *state);

    /* Draws the screen into canvas->body, which is blank. The screen may have any size from 60x18
     * on. `draw` stores in the state only the positions that later clicks and page keys need. */
    void (*draw)(struct ui *ui, void *state, const struct canvas *canvas);

    /* Returns the fields of the message lobby_watch (PROTOCOL.md): the rows of the lobby's lists
     * that the screen shows, as it was drawn last. The caller releases them. NULL: the screen shows
     * none of these rows. */
    json_t *(*lobby_query)(struct ui *ui, void *state);

    /* Handles a key, a click or the wheel. While the person types in the input line, only page
     * keys, clicks and the wheel come here. False if the screen does not use the key: the kernel
     * then handles it (q and Esc close, ? opens help; c, the space bar or / start typing; Enter and
     * any other character tell the person the keys of the screen). */
    bool (*key)(struct ui *ui, void *state, const struct press *press);

    /* True while typed characters begin a chat line, because the chat has the keyboard focus: the
     * screen then gets no characters. May be NULL. */
    bool (*takes_talk)(const struct ui *ui, const void *state);

    /* Receives a typed line that is about to be said. True if the line is not said, because the
     * screen has used it (a move) or has told the person why it was not said. Called for every open
     * screen, the top one first. May be NULL. */
    bool (*catches_line)(struct ui *ui, void *state, const char *line);

    /* Returns how many rows at the bottom of the body a long notice may cover, because nothing
     * stands there that the person must see to decide. NULL: any rows. */
    int (*count_free_rows)(const void *state);

    /* Adds the hints that depend on the screen's state to the bottom row. The kernel then adds the
     * hints of `keys`, and "? help" and "q back" unless `has_own_exit`; it repeats no key. */
    void (*hints)(struct ui *ui, void *state, struct hints *hints);

    /* Returns whether the help lists this one of `keys`: false for a key that the game at the table
     * has no use for. NULL: the help lists all keys. */
    bool (*lists_key)(struct ui *ui, const struct screen_key *key);

    /* The pushed messages that the screen handles even while another screen is above it. The last
     * row is all NULLs. May be NULL. */
    const struct screen_push *pushes;

    /* Prints the screen in lines, for plain mode. False if the screen still waits for an answer of
     * the core; the kernel then calls the function again after the next message. */
    bool (*print)(struct ui *ui, void *state, struct lines *lines);

    /* Plain mode: handles a typed line that is no command, without surrounding blanks; "" for Enter
     * alone. False if the screen does not use the line, which is then sent as chat. A screen
     * without this function is printed and closed. */
    bool (*line)(struct ui *ui, void *state, const char *line);

    /* Plain mode: called after every event, prints what has changed with time. Returns when the
     * next such change is due, by the clock of screen_now_ms; INT64_MAX: never. */
    int64_t (*pass)(struct ui *ui, void *state);

    /* Returns when the screen changes by itself (a running clock), by the clock of screen_now_ms;
     * INT64_MAX: never. */
    int64_t (*next_ms)(const struct ui *ui, const void *state);
};

/* Returns the area of the body, into which screens are drawn: all rows but the kernel's. Only for a
 * drawn screen. */
struct area screen_body(const struct ui *ui);

#define SCREEN(name) extern const struct screen name;
#include "daemon/screens/kernel/screens.def"
#undef SCREEN

/* Returns the screen of this name; NULL if there is none. */
const struct screen *screen_find(const char *name);

/*
 * The state of the user interface. Screens and commands read it; they change it with the functions
 * above, except members that only their own files use.
 */

#define UI_STACK_MAX 8
#define UI_REQUESTS_MAX 64 /* the most unanswered requests that the client allows */
#define UI_QUESTION_MAX MODEL_TEXT_MAX
#define UI_FRAME_MS 100 /* milliseconds between two frames, except after a key */
#define UI_NOTICE_MS 8000
#define UI_NOTICE_READ_MS 2500 /* milliseconds in which every notice can be read */
/* the screen says that it waits when an answer takes longer than this many milliseconds */
#define UI_LATE_MS 700
/* the screen says that the house is away after so many milliseconds: a core that is replaced
 * usually answers sooner */
#define UI_AWAY_MS 1000
#define UI_BOTTOM_ROWS 3
#define UI_NOTICE_MARGIN 6 /* columns beside a notice, left and right together */

/* A screen on the stack. Each opened screen gets a serial number of its own. */
struct ui_layer {
    const struct screen *screen;
    void *state;
    uint32_t serial;
    bool is_printed; /* the screen has been printed in plain mode */
};

/* A request whose answer is outstanding. */
struct ui_request {
    struct ui *ui;   /* the user interface that sent the request; NULL: this entry is free */
    uint32_t serial; /* serial of the screen that sent the request; 0: the request belongs to no
                        screen */
    const char *type;
    json_t *fields; /* kept until the answer arrives, because the request may have to be confirmed
                       and sent again */
    screen_answer *answer;
    bool is_for_success; /* `answer` handles only success */
    const char *notice;  /* N_(): the notice that reports success */
    int64_t tag;
    int64_t sent_ms;
};

struct ui_question {
    bool is_open;
    enum ask_kind kind;
    char text[UI_QUESTION_MAX];
    screen_reply *reply;
    const struct ask_key *keys; /* the keyboard keys that an ASK_KEYS question offers */
    uint32_t serial;
};

struct ui {
    struct display *display; /* the drawn terminal; NULL if the terminal supports only plain mode */
    struct plain plain;
    struct model *model;
    struct theme theme;
    struct ui_setup setup; /* the size and the line mode as they are now; `you` and `prepared` end
                              with ui_new */
    struct ui_layer stack[UI_STACK_MAX];
    struct state_block *closed; /* the states of closed screens (stack.c) */
    uint32_t painted_serial;    /* serial of the screen that the last frame shows; 0: none */
    int depth;
    char about[MODEL_NAME_MAX]; /* name of the person about whom a screen is opened
                                   (screen_open_about_person) */
    uint32_t last_serial;
    uint32_t
        running_serial; /* serial of the screen whose function is running; 0: the top screen's */
    struct ui_request requests[UI_REQUESTS_MAX];
    struct ui_question question;
    struct ui_request asked_first; /* the request that is sent after a "y" (screen_ask_and_send) */
    struct ui_request unconfirmed; /* the request that awaits the person's confirmation, to be sent
                                      again; `type` is NULL if there is none */
    struct key_parser keys;        /* makes keys of the typed bytes */
    struct input input;
    uint8_t room;       /* the open channel: CHAT_LOBBY, or CHAT_ROOM + its index in model.rooms */
    uint16_t room_news; /* a bit for each channel that has unread lines */
    bool is_typing; /* a line is being typed: letters go to the input line even if it is empty */
    char order[MODEL_TEXT_MAX]; /* the last moderation command, which is sent again with "yes" to
                                   confirm it */
    bool is_order_done;         /* the last moderation command succeeded */
    bool is_exec;               /* moderation commands come from the ssh command line */
    char notice[MODEL_TEXT_MAX];
    char last_warning[MODEL_TEXT_MAX];
    enum style notice_style;
    int64_t answered_ms;   /* when a notice last showed a line of the chat, which a screen covers */
    int64_t notice_end_ms; /* when the notice is removed; 0: there is none */
    bool is_notice_brief;  /* the next key removes the notice, which has then been read */
    /* a change of the entered table removes the notice, which is then outdated */
    bool is_notice_passing;
    bool is_notice_of_house; /* it came unasked, and so is not removed before it could be read */
    bool is_notice_painted; /* the notice has been seen, so it is removed when its screen is left */
    int64_t now_ms; /* the session's monotonic clock at the last input, tick or paint; all times in
                       the model use this clock unless they are marked as unix time */
    int64_t painted_ms;
    bool is_dirty;
    bool is_urgent; /* the next frame is painted without waiting */
    bool is_ringing;
    bool awaits_state; /* the core has not sent the person's own tables, and with them what the
                          first screen must know */
    bool was_to_act;   /* it was the player's turn at the entered table when the last pushed message
                          arrived */
    int turns; /* number of tables that waited for the player's move when the last pushed message
                  arrived */
    bool is_done;
    json_t *watched; /* the fields of the last lobby_watch; NULL: nothing of the lobby is watched */
    struct hint hint;  /* the last one, for the seat hint_seat at hint_step of hint_game */
    int64_t hint_game; /* 0: none was made yet */
    uint16_t hint_step;
    int8_t hint_seat;
    int64_t hints_since_ms; /* when the first of the last hints was made, and how many followed
                               within a second, with it (ui.h) */
    uint8_t hint_count;
    int64_t completion; /* number of the completion for which the core was asked last */
    bool awaits_rows;   /* the rows for which the last lobby_watch asked have not arrived yet */
    char title[MODEL_TEXT_MAX]; /* the window's title as it was last sent */
    int64_t going_to;           /* number of the table that the person has asked to enter */
    bool is_going_to_sit;
    int64_t going_back; /* the table to return to after a lost connection; 0: none */
};
