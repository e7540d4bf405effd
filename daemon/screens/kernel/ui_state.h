#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"

/* The kernel's own state. Screens and commands include ui.h, which hides this state from
 * them. */

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
    struct client *client;
    struct model *model;
    struct theme theme;
    bool has_bell;
    bool
        is_ascii_terminal; /* the terminal cannot show UTF-8, whatever the account's settings say */
    struct session_info session;
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
    struct ui_request unconfirmed; /* the request that awaits the person's confirmation, to be sent
                                      again; `type` is NULL if there is none */
    struct key_parser keys;        /* makes keys of the typed bytes */
    struct input input;
    uint8_t room;       /* the open channel: CHAT_LOBBY, or CHAT_ROOM + its index in model.rooms */
    uint16_t room_news; /* a bit for each channel that has unread lines */
    bool is_typing; /* a line is being typed: letters go to the input line even if it is empty */
    char order[MODEL_TEXT_MAX]; /* the last moderation command, which is sent again with "yes" to
                                   confirm it */
    char asked_about[MODEL_TEXT_MAX]; /* what the last screen_ask_about was about */
    bool is_order_done;               /* the last moderation command succeeded */
    bool is_exec;                     /* moderation commands come from the ssh command line */
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
    bool has_time;          /* the session's clock is known */
    int64_t now_ms;
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
    char *watched; /* the fields of the last lobby_watch, as JSON; NULL: nothing of the lobby is
                      watched */
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
