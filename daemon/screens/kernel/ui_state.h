#pragma once

#include "daemon/screens/drawing/display.h"
#include "daemon/screens/kernel/input.h"
#include "daemon/screens/kernel/plain.h"
#include "daemon/screens/kernel/screen.h"

/* The kernel's own state. Screens and commands use screen.h. */

#define UI_STACK_MAX 8
#define UI_REQUESTS_MAX 64 /* as many as the client allows */
#define UI_QUESTION_MAX 200
#define UI_FRAME_MS 100 /* at most ten frames a second, except after a key */
#define UI_NOTICE_MS 8000
#define UI_LATE_MS 700 /* after this time without an answer, the screen says that it waits */
#define UI_BOTTOM_ROWS 3
#define UI_TORN_MAX 4 /* bytes of a character */

/* A screen on the stack. The serial distinguishes it from earlier ones. */
struct ui_layer {
    const struct screen *screen;
    void *state;
    uint32_t serial;
    bool is_told; /* in plain mode */
};

/* An outstanding request. */
struct ui_request {
    struct ui *ui;   /* NULL: free */
    uint32_t serial; /* of the screen that asked; 0: the kernel */
    const char *type;
    json_t *fields; /* kept until the answer, because it may have to be confirmed and sent again */
    screen_answer *answer;
    screen_result *result;
    const char *notice; /* N_(): shown on success */
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
    struct display *display; /* NULL if the terminal supports only plain mode */
    struct plain plain;
    struct client *client;
    struct model *model;
    struct theme theme;
    bool has_bell;
    bool is_ascii_terminal; /* overrides the account's settings */
    struct session_info session;
    struct ui_layer stack[UI_STACK_MAX];
    int depth;
    char about[MODEL_NAME_MAX]; /* screen_open_about_person */
    uint32_t last_serial;
    uint32_t acting_serial; /* of the screen whose function runs; 0: the one on top
                               (ui_set_acting_screen) */
    struct ui_request requests[UI_REQUESTS_MAX];
    /* Hooks for layers above requests, set by ui.c: ui_confirm_request for a request that must be
     * confirmed, and ui_plain_carry_out_lines after each answer. */
    void (*confirm_first)(struct ui *ui, const struct ui_request *refused, const json_t *answer);
    void (*go_on)(struct ui *ui);
    struct ui_question question;
    struct ui_request unconfirmed; /* to be sent again; type NULL: none (confirm.c) */
    uint8_t torn[UI_TORN_MAX];     /* the first bytes of an incomplete character */
    size_t torn_len;
    struct input input;
    uint8_t room;       /* the open channel: CHAT_LOBBY, or CHAT_ROOM + its place in model.rooms */
    uint16_t room_news; /* bit CHAT_…: the channel has unread lines */
    bool is_typing;     /* letters go to the input line even if it is empty */
    char order[MODEL_TEXT_MAX]; /* the last moderation command, to be sent again with "yes" */
    bool is_order_done;         /* the last moderation command was carried out completely */
    bool is_exec; /* moderation commands come from the ssh command line, not typed in the house */
    char notice[MODEL_TEXT_MAX];
    char last_warning[MODEL_TEXT_MAX];
    enum style notice_style;
    int64_t notice_end_ms; /* 0: none */
    bool is_notice_brief;  /* the next key removes it: it has been read */
    /* the entered table's next news remove it, because it is then outdated */
    bool is_notice_passing;
    bool is_notice_painted; /* it has been seen: it is removed with its screen */
    bool has_time;          /* the session's clock is known */
    int64_t now_ms;
    int64_t painted_ms;
    bool is_dirty;
    bool is_urgent; /* paint without waiting for the next frame */
    bool is_ringing;
    bool was_to_act; /* at the entered table */
    int turns;       /* tables that waited for a move when last reported */
    bool is_done;
    char title[MODEL_TEXT_MAX]; /* of the window, as last sent */
    int64_t going_to;           /* the table being entered */
    bool is_going_to_sit;
    int64_t going_back; /* of the table where the connection was lost; 0: none */
};
