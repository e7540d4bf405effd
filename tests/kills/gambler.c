#include "tests/kills/gambler.h"
#include "tests/times.h"

#include "games/game.h"
#include "lobby/protocol/protocol.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASKED_MAX 128      /* twice as many requests as the client allows to wait */
#define COME_BACK_MS 200   /* longest pause before connecting again */
#define LOOK_AGAIN_MS 1000 /* time after which a refused request is sent again */
/* time after which a connection is given up when the house has sent no greeting */
#define COME_IN_MS 20000
#define TALK_ONE_IN 200
#define WORD_SIZE 16 /* the house's words for the states of a table are shorter */

struct asked {
    const char *type;
    struct ledger_move move;
};

struct gambler {
    struct link_login login;
    const struct node *nodes;
    unsigned node_count;
    const struct company *company;
    struct ledger *ledger;
    struct gambler_counts *counts;
    struct link link;
    struct client *client; /* the connection; NULL: not connected */
    int64_t conn;          /* the number of the connection; 0: the house has not greeted yet */
    int64_t came_ms;
    int64_t welcome_ms; /* when the house greeted this connection last */
    int64_t next_ms;    /* when the next action is due */
    int64_t now_ms;
    int64_t seen_ms; /* when the latest view arrived that showed something new */
    int64_t seen_game, seen_step;
    int pace_ms, mean_more_ms;
    int64_t thinks_ms; /* how long before the next move */
    int64_t asked_ms;  /* when the latest move was sent */
    int64_t asked_us;  /* when the latest move was sent, in microseconds */
    int64_t requests;
    struct asked asked[ASKED_MAX];
    const char *doing; /* the type of the unanswered request that is not a move; NULL: none */
    int64_t game;
    int64_t moved_step; /* the step for which a move was already sent; -1: no move was sent */
    bool has_asked_again;
    bool is_over;
    bool is_resting;
    json_t *seats;                          /* of the latest `table` message; NULL in the lobby */
    char state[WORD_SIZE], halt[WORD_SIZE]; /* of that message; "" in the lobby */
    bool is_seated, is_host;
    json_t *view;        /* of the latest `view` message */
    const json_t *legal; /* the legal moves, borrowed from `view`; NULL without one */
    int64_t step;        /* of the view */
    int64_t view_table;  /* the table of that message */
    int64_t hosts_table; /* a table where the host of the company waits for the others; 0: none */
    bool knows_mine; /* whether the house has told this connection where the gambler has a seat */
    int64_t mine;    /* a table where the gambler has a seat; 0: none */
};

static uint32_t draw_number_below(uint32_t bound)
{
    return randombytes_uniform(bound);
}

static void set_table(struct gambler *gambler, const json_t *table)
{
    json_decref(gambler->seats);
    gambler->seats = json_incref(json_object_get(table, "seats"));
    (void)snprintf(gambler->state, WORD_SIZE, "%s", ledger_read_text(table, "state"));
    (void)snprintf(gambler->halt, WORD_SIZE, "%s", ledger_read_text(table, "halt"));
    gambler->is_seated = json_is_integer(json_object_get(table, "you"));
    gambler->is_host = json_is_true(json_object_get(table, "is_host"));
}

static void set_view(struct gambler *gambler, json_t *view)
{
    json_decref(gambler->view);
    gambler->view = json_incref(view);
    gambler->legal = json_object_get(gambler->view, "legal");
    gambler->step = ledger_read_number(gambler->view, "step");
}

static void forget_table(struct gambler *gambler)
{
    set_table(gambler, NULL);
    set_view(gambler, NULL);
    gambler->game = 0;
    gambler->moved_step = -1;
    gambler->is_over = false;
    gambler->has_asked_again = false;
}

struct gambler *gambler_new(const struct link_login *login, const struct node *nodes,
                            unsigned node_count, const struct company *company,
                            struct ledger *ledger, struct gambler_counts *counts)
{
    struct gambler *gambler = calloc(1, sizeof(*gambler));
    if (gambler == NULL) {
        abort();
    }
    gambler->login = *login;
    gambler->nodes = nodes;
    gambler->node_count = node_count;
    gambler->company = company;
    gambler->ledger = ledger;
    gambler->counts = counts;
    gambler->link = (struct link){.in = -1, .out = -1};
    forget_table(gambler);
    return gambler;
}

static void hang_up(struct gambler *gambler, int64_t now_ms)
{
    forget_table(gambler);
    client_free(gambler->client);
    gambler->client = NULL;
    gambler->conn = 0;
    gambler->requests = 0;
    gambler->doing = NULL;
    gambler->knows_mine = false;
    gambler->mine = 0;
    gambler->hosts_table = 0;
    link_close(&gambler->link);
    gambler->next_ms = now_ms + draw_number_below(COME_BACK_MS);
}

void gambler_free(struct gambler *gambler)
{
    if (gambler != NULL) {
        hang_up(gambler, 0);
        free(gambler);
    }
}

int gambler_input_fd(const struct gambler *gambler)
{
    return gambler->link.in;
}

void gambler_set_pace(struct gambler *gambler, int pace_ms, int mean_more_ms)
{
    gambler->pace_ms = pace_ms;
    gambler->thinks_ms = pace_ms;
    gambler->mean_more_ms = mean_more_ms;
}

static int64_t draw_thinking_ms(const struct gambler *gambler)
{
    double chance = (1.0 + draw_number_below(1000000)) / 1000000;
    return gambler->pace_ms + (int64_t)(-log(chance) * gambler->mean_more_ms);
}

void gambler_stop_moving(struct gambler *gambler)
{
    gambler->is_resting = true;
}

bool gambler_awaits_answer(const struct gambler *gambler)
{
    return gambler->client != NULL && client_oldest_unanswered_id(gambler->client) != 0;
}

static void send_request_line(void *context, const char *json, size_t len)
{
    struct gambler *gambler = context;
    link_send(&gambler->link, json, len);
}

/* Records the first move at the table that was sent, or made by anybody, at or after since_ms. */
static void record_first_move(const struct gambler *gambler, int64_t at_or_after_ms)
{
    struct gambler_counts *counts = gambler->counts;
    if (counts->first_ms == 0 && counts->since_ms != 0 && at_or_after_ms >= counts->since_ms) {
        counts->first_ms = gambler->now_ms;
    }
}

static void record_move_time(struct gambler *gambler)
{
    struct gambler_counts *counts = gambler->counts;
    struct gambler_waits *waits = counts->waits;
    counts->moves++;
    if (waits != NULL && waits->count < waits->capacity) {
        waits->us[waits->count++] = times_now_us() - gambler->asked_us;
    }
    record_first_move(gambler, gambler->asked_ms);
}

/* Returns the number of the open table of that host, or 0. */
static int64_t find_table_of_host(const json_t *tables, const char *host)
{
    size_t index;
    json_t *row;
    json_array_foreach(tables, index, row)
    {
        if (strcmp(ledger_read_text(row, "host"), host) == 0 &&
            strcmp(ledger_read_text(row, "state"), "open") == 0) {
            return ledger_read_number(row, "id");
        }
    }
    return 0;
}

static void handle_answer(void *context, bool is_ok, const json_t *answer)
{
    struct gambler *gambler = context;
    const struct asked *asked = &gambler->asked[ledger_read_number(answer, "id") % ASKED_MAX];
    if (strcmp(asked->type, "move") == 0) {
        if (is_ok) {
            ledger_record_move(gambler->ledger, &asked->move);
            record_move_time(gambler);
        } else {
            gambler->moved_step = -1; /* the latest view says which moves are legal now */
        }
        return;
    }
    gambler->doing = NULL;
    if (!is_ok) {
        gambler->next_ms += LOOK_AGAIN_MS;
        if (strcmp(asked->type, "table_enter") == 0) {
            gambler->mine = 0;
        }
    } else if (strcmp(asked->type, "table_open") == 0) {
        /* the table's number is known before the `table` message arrives */
        gambler->mine = ledger_read_number(answer, "table");
        ledger_record_table(gambler->ledger, gambler->mine);
    } else if (strcmp(asked->type, "tables") == 0) {
        gambler->hosts_table =
            find_table_of_host(json_object_get(answer, "tables"), gambler->company->host);
    }
}

static void send_request(struct gambler *gambler, const char *type, json_t *fields)
{
    struct asked *asked = &gambler->asked[(gambler->requests + 1) % ASKED_MAX];
    *asked = (struct asked){
        .type = type,
        .move = {.game = gambler->game,
                 .step = ledger_read_number(fields, "step"),
                 .conn = gambler->conn,
                 .request = gambler->requests + 1},
    };
    (void)snprintf(asked->move.text, sizeof(asked->move.text), "%s",
                   ledger_read_text(fields, "move"));
    if (client_send_request(gambler->client, type, fields, handle_answer, gambler)) {
        gambler->requests++;
        if (strcmp(type, "move") != 0) {
            gambler->doing = type;
        }
    }
}

static void read_table(struct gambler *gambler, const json_t *message)
{
    int64_t game = ledger_read_number(message, "game_id");
    if (game != gambler->game) {
        set_view(gambler, NULL);
        gambler->moved_step = -1;
        gambler->is_over = false;
        gambler->has_asked_again = false;
    }
    gambler->game = game;
    set_table(gambler, message);
}

static void read_view(struct gambler *gambler, const json_t *message)
{
    const struct gambler_watch *watch = &gambler->counts->watch;
    if (watch->see_view != NULL) {
        watch->see_view(watch->context, gambler->view, json_object_get(message, "view"));
    }
    ledger_record_view(gambler->ledger, gambler->game, message);
    int64_t before = gambler->view == NULL ? INT64_MAX : gambler->step;
    set_view(gambler, json_object_get(message, "view"));
    gambler->view_table = ledger_read_number(message, "table");
    if (gambler->step > before) {
        record_first_move(gambler, gambler->welcome_ms); /* somebody moved after the welcome */
    }
    if (gambler->game != gambler->seen_game || gambler->step != gambler->seen_step) {
        gambler->seen_game = gambler->game;
        gambler->seen_step = gambler->step;
        gambler->seen_ms = gambler->now_ms;
        gambler->thinks_ms = draw_thinking_ms(gambler);
    }
}

static void handle_message(void *context, const char *type, const json_t *message)
{
    struct gambler *gambler = context;
    if (strcmp(type, "welcome") == 0) {
        gambler->counts->resyncs += gambler->conn != 0;
        gambler->conn = ledger_read_number(message, "conn");
        gambler->welcome_ms = gambler->now_ms;
        gambler->moved_step = -1;
        gambler->knows_mine = false;
        forget_table(gambler);
    } else if (strcmp(type, "sent_out") == 0) {
        forget_table(gambler);
    } else if (strcmp(type, "mine") == 0) {
        const json_t *row = json_array_get(json_object_get(message, "tables"), 0);
        gambler->knows_mine = true;
        gambler->mine = row == NULL ? 0 : ledger_read_number(row, "table");
    } else if (strcmp(type, "chat") == 0) {
        ledger_record_chat(gambler->ledger, message);
    } else if (strcmp(type, "table") == 0) {
        read_table(gambler, message);
    } else if (strcmp(type, "view") == 0) {
        read_view(gambler, message);
    } else if (strcmp(type, "result") == 0) {
        ledger_record_result(gambler->ledger, message);
        gambler->is_over = true;
    }
}

static void send_chat_line(struct gambler *gambler)
{
    char text[64];
    (void)snprintf(text, sizeof(text), "%s says %" PRIu32, gambler->login.user,
                   draw_number_below(1000000));
    send_request(gambler, "say",
                 json_pack("{s:s,s:s,s:s}", "to", gambler->seats == NULL ? "lobby" : "table",
                           "kind", "say", "text", text));
}

static void open_table(struct gambler *gambler)
{
    unsigned seats = gambler->company->people + gambler->company->bots;
    const struct game_def *game;
    do {
        game = game_at((uint8_t)draw_number_below(game_count()));
    } while (game->seats_min > seats || game->seats_max < seats);
    send_request(gambler, "table_open",
                 json_pack("{s:s,s:i,s:{},s:i}", "game", game->id, "players", (int)seats, "options",
                           "clock_s", 0));
}

static void enter_table(struct gambler *gambler, int64_t table)
{
    send_request(gambler, "table_enter", json_pack("{s:I}", "table", (json_int_t)table));
}

static void enter_or_open_table(struct gambler *gambler)
{
    const char *host = gambler->company->host;
    if (gambler->mine != 0) {
        enter_table(gambler, gambler->mine);
    } else if (strcmp(host, gambler->login.user) == 0) {
        open_table(gambler);
    } else if (gambler->hosts_table != 0) {
        enter_table(gambler, gambler->hosts_table);
        gambler->hosts_table = 0;
    } else {
        send_request(gambler, "tables", json_pack("{s:s,s:s}", "show", "open", "filter", host));
    }
}

/* Counts the seats that bots have taken with `of_bots`, and otherwise the seats that people have
 * taken. */
static unsigned count_taken_seats(const struct gambler *gambler, bool of_bots)
{
    size_t index;
    json_t *seat;
    unsigned count = 0;
    json_array_foreach(gambler->seats, index, seat)
    {
        bool is_bot = strcmp(ledger_read_text(seat, "kind"), "bot") == 0;
        count += json_is_object(seat) && is_bot == of_bots;
    }
    return count;
}

static void take_seat_add_bot_or_start_game(struct gambler *gambler)
{
    if (!gambler->is_seated) {
        send_request(gambler, "seat_take", NULL);
    } else if (gambler->is_host && count_taken_seats(gambler, false) == gambler->company->people) {
        if (count_taken_seats(gambler, true) < gambler->company->bots) {
            send_request(gambler, "bot_add",
                         json_pack("{s:s}", "policy", gambler->company->policy));
        } else {
            send_request(gambler, "table_start", NULL);
        }
    }
}

static void send_legal_move(struct gambler *gambler)
{
    size_t count = json_array_size(gambler->legal);
    int64_t step = gambler->step;
    if (count == 0 || gambler->is_over || gambler->is_resting || gambler->moved_step == step) {
        return;
    }
    if (gambler->now_ms - gambler->seen_ms < gambler->thinks_ms ||
        strcmp(gambler->halt, "round") == 0) {
        return;
    }
    gambler->moved_step = step;
    gambler->asked_ms = gambler->now_ms;
    gambler->asked_us = times_now_us();
    send_request(gambler, "move",
                 json_pack("{s:I,s:I,s:O}", "table", (json_int_t)gambler->view_table, "step",
                           (json_int_t)step, "move",
                           json_array_get(gambler->legal, draw_number_below((uint32_t)count))));
}

static void do_next_action(struct gambler *gambler, int64_t now_ms)
{
    if (gambler->doing == NULL && now_ms >= gambler->next_ms && !gambler->is_resting) {
        if (draw_number_below(TALK_ONE_IN) == 0) {
            send_chat_line(gambler);
        } else if (gambler->seats == NULL) {
            gambler->next_ms = now_ms + 50;
            enter_or_open_table(gambler);
        } else if (strcmp(gambler->state, "open") == 0) {
            gambler->next_ms = now_ms + 50;
            take_seat_add_bot_or_start_game(gambler);
        } else if (strcmp(gambler->halt, "round") == 0 || strcmp(gambler->halt, "house") == 0) {
            gambler->next_ms = now_ms + 50;
            send_request(gambler, "resume", json_pack("{s:b}", "stop", gambler->halt[0] == 'r'));
        } else if (strcmp(gambler->state, "finished") == 0 && !gambler->has_asked_again) {
            gambler->has_asked_again = true;
            send_request(gambler, "rematch", NULL);
        } else {
            gambler->next_ms = now_ms + LOOK_AGAIN_MS;
            if (strcmp(gambler->state, "finished") == 0) {
                gambler->has_asked_again = false; /* the request for a rematch may not have reached
                                                     the house, so it is sent again */
            }
        }
    }
    if (gambler->view != NULL) {
        send_legal_move(gambler);
    }
}

static void connect_to_house(struct gambler *gambler, int64_t now_ms)
{
    if (now_ms < gambler->next_ms || gambler->is_resting) {
        return;
    }
    gambler->login.port = gambler->nodes[draw_number_below(gambler->node_count)].port;
    if (!link_open(&gambler->link, &gambler->login)) {
        gambler->next_ms = now_ms + LOOK_AGAIN_MS;
        return;
    }
    gambler->came_ms = now_ms;
    gambler->counts->connections++;
    gambler->client = client_new(send_request_line, gambler);
    client_set_push_receiver(gambler->client, handle_message, gambler);
    client_send_hello(gambler->client, "gambler");
}

/* Takes what the house has sent. Returns false if the connection is over. */
static bool receive(struct gambler *gambler)
{
    bool is_there = link_read(&gambler->link);
    char *line;
    size_t len;
    while ((line = link_next_line(&gambler->link, &len)) != NULL) {
        if (client_receive_packet(gambler->client, line, len) != CLIENT_OK) {
            is_there = false;
        }
    }
    return is_there;
}

void gambler_run_pass(struct gambler *gambler, int64_t now_ms, bool is_readable)
{
    gambler->now_ms = now_ms;
    if (gambler->client == NULL) {
        connect_to_house(gambler, now_ms);
        return;
    }
    bool is_there = !is_readable || receive(gambler);
    if (!is_there || (gambler->conn == 0 && now_ms - gambler->came_ms > COME_IN_MS)) {
        hang_up(gambler, now_ms);
        return;
    }
    link_send_waiting_bytes(&gambler->link);
    if (gambler->conn != 0 && gambler->knows_mine) {
        do_next_action(gambler, now_ms);
    }
}
