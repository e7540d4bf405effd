#ifndef DAEMON_SCREENS_KERNEL_SCREEN_H
#define DAEMON_SCREENS_KERNEL_SCREEN_H

#include "daemon/screens/kernel/draw.h"
#include "daemon/screens/kernel/lines.h"
#include "daemon/screens/kernel/theme.h"
#include "daemon/screens/model/model.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A screen is a const struct at the end of its file and one line in screens.def. Screens stand on
 * a stack, the lobby at the bottom. The kernel owns the three bottom rows of every screen: a rule
 * that carries notices, the input line, the key line; a screen paints the body above
 * them and answers keys. Nothing here includes curses.
 */
struct ui;

enum press_kind {
    PRESS_CHAR, /* `code` is the character; Ctrl-A is code 1 */
    PRESS_ENTER,
    PRESS_ESCAPE,
    PRESS_TAB,
    PRESS_BACKTAB,
    PRESS_BACKSPACE,
    PRESS_DELETE,
    PRESS_UP,
    PRESS_DOWN,
    PRESS_LEFT,
    PRESS_RIGHT,
    PRESS_HOME,
    PRESS_END,
    PRESS_PAGE_UP,
    PRESS_PAGE_DOWN,
    PRESS_CLICK, /* at row, column of the whole screen */
    PRESS_WHEEL_UP,
    PRESS_WHEEL_DOWN,
};

struct press {
    enum press_kind kind;
    uint32_t code;   /* PRESS_CHAR: a Unicode character */
    int row, column; /* PRESS_CLICK and wheel */
};

/* The key line: what matters now, most important first; what does not fit is left out, the last
 * two added stay. */
#define HINTS_MAX 16
#define HINT_MAX 32

struct hints {
    int count;
    struct {
        char key[HINT_MAX];
        char label[HINT_MAX];
    } at[HINTS_MAX];
};

void hints_add(struct hints *hints, const char *key, const char *label);

/* A row of a screen's part of the help. */
struct screen_key {
    const char *keys;    /* "Enter", "1-7" */
    const char *help;    /* N_(): what it does, a sentence without full stop */
    const char *command; /* the command that does the same, "/sit"; NULL: none (moving about) */
};

struct screen {
    const char *name;  /* for screen_open: "lobby" */
    const char *title; /* N_() */
    size_t
        state_size; /* the screen's own state: zeroed before enter, freed after leave; may be 0 */
    bool is_framed; /* the body is a box over the whole width: the rule closes it */
    const struct screen_key *keys; /* ended by a row of NULLs */

    /* All may be NULL but draw. `argument` is screen_open's. */
    void (*enter)(struct ui *ui, void *state, int64_t argument);
    void (*leave)(struct ui *ui, void *state);

    /* Paints canvas->body; everything is blank before. Called at any size of at least 60x18, so
     * it keeps nothing from one call to the next but what it needs to answer clicks and pages. */
    void (*draw)(struct ui *ui, void *state, const struct canvas *canvas);

    /* A key while nothing is being typed (pages, clicks, the wheel: always, unless a question
     * stands). False: not wanted; the kernel does the usual thing (q and Esc close, ? helps, c
     * and the space bar, any other letter, Enter or / start typing). */
    bool (*key)(struct ui *ui, void *state, const struct press *press);

    void (*hints)(struct ui *ui, void *state, struct hints *hints);

    /* After the model took a push, whatever place in the stack. */
    void (*push)(struct ui *ui, void *state, const char *type, const json_t *message);

    /* Tells the same in lines, for plain mode. False: it does not know enough yet and is asked
     * again after the next answer or push. */
    bool (*tell)(struct ui *ui, void *state, struct lines *lines);

    /* Plain mode: a line typed that is no command, without blanks around it; "" for Enter alone.
     * False: not wanted, so it is talk. A screen without this function is told and left. */
    bool (*line)(struct ui *ui, void *state, const char *line);

    /* Plain mode, after every event: tells what only time brings, and when (by screen_now's clock)
     * it will have something to tell again; INT64_MAX for never. */
    int64_t (*pass)(struct ui *ui, void *state);

    /* When it wants to be drawn again though nothing happened (a running clock), by
     * screen_now's clock; INT64_MAX for never. */
    int64_t (*next_ms)(const struct ui *ui, const void *state);
};

#define SCREEN(name) extern const struct screen name;
#include "daemon/screens/kernel/screens.def"
#undef SCREEN

/* NULL when there is none of that name, or past the last. */
const struct screen *screen_find(const char *name);
const struct screen *screen_at(size_t index);

/* Puts a screen on top. One already on the stack is uncovered instead, and entered anew. The
 * caller's state stays valid unless it was above that one. False: no such screen (a notice says
 * so) or the stack (8) is full. */
bool screen_open(struct ui *ui, const char *name, int64_t argument);

/* The same for a screen that is about somebody, whose name it learns from screen_about when it is
 * entered; "" is oneself. */
bool screen_open_about(struct ui *ui, const char *name, const char *about);
const char *screen_about(const struct ui *ui);

/* screen_open's argument for the rules: a game's index + 1, or 0 for the entered table's; and
 * whether all of them. */
#define RULES_FULL 0x100

/* Takes the top screen off; the lobby stays. The state given to the caller is gone afterwards. */
void screen_close(struct ui *ui);

/* Back to the lobby (opens it when it is not there: after sign-up). */
void screen_home(struct ui *ui);

/* The name of the screen below the top one, "" when there is none. */
const char *screen_below(const struct ui *ui);

/* What everything on the screens is drawn from. */
const struct model *screen_model(const struct ui *ui);
const struct theme *screen_theme(const struct ui *ui);

/* The look that is chosen, for where something is drawn. */
const struct theme *screen_look(const struct ui *ui);

/* As of the last input, tick or paint, by the session's clock, which never jumps: the clock of
 * everything in the model that is not said to be unix time. */
int64_t screen_now(const struct ui *ui);

/* The time of day, unix ms. */
int64_t screen_unix_now(void);

/* Sends a request; steals `fields` (may be NULL). The answer comes while this very screen is on
 * the stack and is dropped otherwise. With `answer` NULL, and always when the screen is gone, a
 * refusal becomes a notice by itself. `tag` is the caller's; `type` is a constant. When the house
 * wants it confirmed first (`step_up`), the person is asked and it is sent again: the caller sees
 * only the last answer, or the refusal if they give up. */
typedef void screen_answer(struct ui *ui, void *state, int64_t tag, bool is_ok,
                           const json_t *answer);
void screen_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                    int64_t tag);

/* Asks for the password or a code, to confirm ahead of what will want it. */
void screen_confirm(struct ui *ui);

/* The look and the bell: at once, and kept with the account when there is one. */
void screen_set_look(struct ui *ui, enum theme_kind kind, bool is_ascii, bool has_bell);
bool screen_has_bell(const struct ui *ui);

/* Whether the account may be used by telnet too; guests are told that they always may. */
void screen_set_telnet(struct ui *ui, bool is_on);

/* Plain lines instead of pictures; the choice is kept with the account. */
bool screen_is_plain(const struct ui *ui);
void screen_set_plain(struct ui *ui, bool is_on);

/* Plain mode: where news are told at once. */
struct lines *screen_lines(struct ui *ui);

/* Plain mode: the top screen is told again. */
void screen_retell(struct ui *ui);

/* Before sign-up: the name to suggest (may be ""), and whether the connection's key can be bound.
 */
const char *screen_suggested_name(const struct ui *ui);
bool screen_has_key(const struct ui *ui);

/* Whether others can read along what is typed. */
bool screen_is_telnet(const struct ui *ui);

/* Whether a new password is neither too short nor too long; and the word to who chose one. */
bool screen_password_fits(const struct ui *ui, const char *password);
void screen_password_warn(struct ui *ui);

/* Bytes a password has at least. */
unsigned screen_password_min(const struct ui *ui);

/* The account exists now: takes the answer's `you`. */
void screen_signed_up(struct ui *ui, const json_t *you);

/* The account has the password just chosen: from now on the old one is asked for. */
void screen_password_set(struct ui *ui);

/* One line for the person, shown in the rule for some seconds: info or a refusal. */
void screen_notice(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));
void screen_warn(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What was refused last, "" when nothing was; borrowed until the next warning. */
const char *screen_last_warning(const struct ui *ui);

/* The notice or warning just given is about the entered table as it is now: it goes as soon as
 * something happens there. */
void screen_notice_passes(struct ui *ui);

/* The `why` of a refusal as a warning. */
void screen_refused(struct ui *ui, const json_t *answer);

/* Asks in the input line, which takes the answer: Enter gives it, Esc gives NULL. One question
 * at a time: a new one replaces the old, which gets NULL. Belongs to the top screen and goes with
 * it. `initial` stands in the input line at first (may be NULL). */
enum ask_kind {
    ASK_WORDS,
    ASK_SECRET, /* shown as dots, kept out of the history */
    ASK_YES,    /* y or Enter gives "y", n and Esc give NULL, at once */
    ASK_KEYS,   /* screen_ask_keys */
};
typedef void screen_reply(struct ui *ui, void *state, const char *text);
void screen_ask(struct ui *ui, enum ask_kind kind, const char *question, const char *initial,
                screen_reply *reply);

/* Asks for one of some keys, which answers at once and is the answer; Esc gives NULL. The table
 * ends with a row of NULLs and outlives the question. */
struct ask_key {
    const char *key;   /* one character */
    const char *label; /* N_(): what it does, for the row of keys */
};
void screen_ask_keys(struct ui *ui, const char *question, const struct ask_key *keys,
                     screen_reply *reply);

/* What stands in the input line now (a question's answer included); borrowed. */
const char *screen_typed(const struct ui *ui);

/* Starts typing with this text, as if the person had typed it: "/tell ada ". */
void screen_type(struct ui *ui, const char *text);

/* Carries out a line as if it had been entered: a command, else chat where one is. */
void screen_enter_line(struct ui *ui, const char *line);

/* Enters a table and shows it; asks for the password when it is locked. is_to_sit: also takes the
 * first free seat. */
void screen_enter_table(struct ui *ui, int64_t table, bool is_to_sit);

/* Leaves the review that one leads or follows, if any. */
void screen_leave_review(struct ui *ui);

/* Goes to the next table where it is one's turn, or says that there is none. */
void screen_next_turn(struct ui *ui);

/* Leaves the entered table (asks first when a seat in play is kept) and goes back to the lobby. */
void screen_leave_table(struct ui *ui);

/* What a command that tells more than a line says, put where the chat is: in the channel that is
 * open now. */
void screen_say(struct ui *ui, const char *text);

/* Whom talk reaches: "table" where one is entered, else "lobby" or the channel that is shown. */
const char *screen_audience(const struct ui *ui);

/* The lobby's talk: which channel it shows (CHAT_LOBBY, or one from CHAT_ROOM on), showing another,
 * the next that way, and whether something was said in one while another was shown. */
int screen_room(const struct ui *ui);
void screen_show_room(struct ui *ui, int channel);
void screen_step_room(struct ui *ui, int by);
bool screen_room_has_news(const struct ui *ui, int channel);

/* A game with default options against careful bots, begun at once; the table's screen opens. */
void screen_quick_game(struct ui *ui);

/* Rings (when the settings allow) and marks the window's title; the kernel does it for "your
 * turn" by itself. */
void screen_bell(struct ui *ui);

/* Ends the session: asks once when a game of one's own is running. */
void screen_quit(struct ui *ui);

#endif
