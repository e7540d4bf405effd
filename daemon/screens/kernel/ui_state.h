#pragma once

#include "daemon/screens/drawing/display.h"
#include "daemon/screens/kernel/input.h"
#include "daemon/screens/kernel/plain.h"
#include "daemon/screens/kernel/screen.h"

/* The kernel's own memory. Screens and commands go through screen.h. */

#define UI_STACK_MAX 8
#define UI_REQUESTS_MAX 64 /* as many as the client takes */
#define UI_QUESTION_MAX 200
#define UI_FRAME_MS 100 /* at most ten pictures a second, but after a key */
#define UI_NOTICE_MS 8000
#define UI_LATE_MS 700 /* an answer later than this is excused with a word */
#define UI_BOTTOM_ROWS 3
#define UI_TORN_MAX 4 /* bytes of a character */

/* A screen on the stack. The serial tells it from one that stood there before. */
struct ui_layer {
    const struct screen *screen;
    void *state;
    uint32_t serial;
    bool is_told; /* in plain mode */
};

/* A request under way. */
struct ui_request {
    struct ui *ui;   /* NULL: free */
    uint32_t serial; /* of the screen that asked; 0: the kernel */
    const char *type;
    json_t *fields; /* kept until the answer: it may have to be made again, confirmed */
    screen_answer *answer;
    int64_t tag;
    int64_t sent_ms;
};

struct ui_question {
    bool is_open;
    enum ask_kind kind;
    char text[UI_QUESTION_MAX];
    screen_reply *reply;
    const struct ask_key *keys; /* of ASK_KEYS */
    uint32_t serial;
};

struct ui {
    struct display *display; /* NULL where the terminal takes plain lines alone */
    struct plain plain;
    struct client *client;
    struct model *model;
    struct theme theme;
    bool has_bell;
    bool has_key;
    bool is_ascii_terminal; /* whatever the account's settings say */
    bool is_telnet;
    unsigned password_min, password_max; /* bytes */
    char suggested_name[MODEL_NAME_MAX];
    struct ui_layer stack[UI_STACK_MAX];
    int depth;
    char about[MODEL_NAME_MAX]; /* screen_open_about */
    uint32_t last_serial;
    uint32_t acting_serial; /* of the screen whose function runs; 0: the one on top (ui_act_as) */
    struct ui_request requests[UI_REQUESTS_MAX];
    /* What follows an answer lies above requests (ui.c sets both): ui_confirm_first for one that
     * has to be confirmed, and ui_plain_go_on after each. */
    void (*confirm_first)(struct ui *ui, const struct ui_request *refused, const json_t *answer);
    void (*go_on)(struct ui *ui);
    struct ui_question question;
    struct ui_request unconfirmed; /* to be made again; type NULL: none (confirm.c) */
    uint8_t torn[UI_TORN_MAX];     /* the beginning of a character, its rest still on the way */
    size_t torn_len;
    struct input input;
    uint8_t room;       /* what the lobby's talk shows: CHAT_LOBBY, or one from CHAT_ROOM on */
    uint16_t room_news; /* bit CHAT_…: something was said there that has not been shown */
    bool is_typing;     /* letters go to the input line, though it may be empty */
    char order[MODEL_TEXT_MAX]; /* sent to the house last, to be sent again with a "yes" */
    bool is_order_done;         /* that one was carried out, all of it */
    bool is_exec;               /* orders come from the ssh command, not typed in the house */
    char notice[MODEL_TEXT_MAX];
    char last_warning[MODEL_TEXT_MAX];
    enum style notice_style;
    int64_t notice_end_ms;  /* 0: none */
    bool is_notice_brief;   /* the next key takes it away: it has been read */
    bool is_notice_passing; /* the entered table's next news take it away: it is not true then */
    bool is_notice_painted; /* it has been seen: it goes with the screen it stood on */
    bool has_time;          /* the session's clock is known */
    int64_t now_ms;
    int64_t painted_ms;
    bool is_dirty;
    bool is_urgent; /* paint without waiting for the next frame */
    bool is_ringing;
    bool was_to_act; /* at the entered table */
    int turns;       /* tables that waited for a move when last told */
    bool is_done;
    char title[MODEL_TEXT_MAX]; /* of the window, as sent last */
    int64_t going_to;           /* the table one is entering */
    bool is_going_to_sit;
    int64_t going_back; /* to the table where the connection was lost; 0: not */
};
