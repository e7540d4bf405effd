#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/people/people.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The screen of a player's profile: statistics of each game, the rating over time, and recent
 * games, which Enter replays. */

#define GAMES_MAX 8
#define RECENT_MAX 10
#define CHART_ROWS 5

struct profile_game {
    struct leader_row row;
    struct standing_row standing;
};

struct profile {
    struct profile_row who;
    bool is_there;
    struct profile_game games[GAMES_MAX];
    int game_count;
    int shown; /* index of the game whose chart is shown */
    struct played recent[RECENT_MAX];
    int recent_count;
    struct list list;  /* the list of recent games */
    int64_t asked_tag; /* number of the last request; answers to older ones are dropped */
};

static void handle_profile_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct profile *profile = answer->state;
    if (answer->tag != profile->asked_tag) {
        return;
    }
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
        screen_close(ui);
        return;
    }
    (void)profile_row_read(answer->json, &profile->who);
    profile->game_count = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(answer->json, "games")); i++) {
        const json_t *game = json_array_get(json_object_get(answer->json, "games"), i);
        if (profile->game_count < GAMES_MAX) {
            struct profile_game *at = &profile->games[profile->game_count];
            profile->game_count += leader_read_standing(game, &at->row, &at->standing);
        }
    }
    profile->is_there = true;
}

static void handle_recent_games_answer(UNUSED struct ui *ui, const struct ui_answer *answer)
{
    struct profile *profile = answer->state;
    /* if the request for recent games was refused, the answer to `profile` shows why */
    const json_t *rows = answer->tag == profile->asked_tag && answer->is_ok
                             ? json_object_get(answer->json, "rows")
                             : NULL;
    for (size_t i = 0; i < json_array_size(rows) && profile->recent_count < RECENT_MAX; i++) {
        profile->recent_count += played_read_game(json_array_get(rows, i), profile->who.name,
                                                  INT_MAX, &profile->recent[profile->recent_count]);
    }
}

static void enter_profile(struct ui *ui, void *state, UNUSED int64_t argument)
{
    struct profile *profile = state;
    const char *about = ui->about;
    int64_t tag = profile->asked_tag + 1;
    *profile = (struct profile){.asked_tag = tag};
    snprintf(profile->who.name, sizeof profile->who.name, "%s",
             about[0] != '\0' ? about : screen_model(ui)->you.name);
    screen_send_request(ui, "profile", json_pack("{s:s}", "name", profile->who.name),
                        handle_profile_answer, tag);
    screen_send_request(ui, "games",
                        json_pack("{s:s, s:i}", "name", profile->who.name, "count", RECENT_MAX),
                        handle_recent_games_answer, tag);
}

static void write_joined_and_last_seen(const struct profile *profile, struct text *out)
{
    const char *since = words_write_day(profile->who.created_ms, &TEXT_OF(32));
    const char *seen = words_write_day(profile->who.seen_ms, &TEXT_OF(32));
    if (profile->who.is_here) {
        text_format(out, _("Here since %s. In the house now."), since);
    } else if (profile->who.seen_ms > 0) {
        text_format(out, _("Here since %s. Last seen %s."), since, seen);
    } else {
        text_format(out, _("Here since %s."), since);
    }
}

static const char *describe_kind_of_player(const struct profile *profile)
{
    return person_label(profile->who.kind, profile->who.level, profile->who.role);
}

static int draw_game_statistics(const struct profile *profile, const struct canvas *canvas,
                                int screen_row)
{
    leader_draw_headings(canvas, screen_row++, _("Game"), leader_stat_heading(NULL));
    for (int i = 0; i < profile->game_count; i++) {
        const struct profile_game *game = &profile->games[i];
        leader_draw_row(canvas, screen_row++, i == profile->shown ? STYLE_STRONG : STYLE_PLAIN,
                        &game->row, clock_unix_ms());
    }
    return screen_row;
}

#define LABEL_WIDTH 6
#define EIGHTHS 8
/* The chart's scale covers a difference of at least this many points, so that small changes do not
 * look like cliffs. */
#define LEAST_SPAN 40

struct scale {
    int32_t low, high;
};

static struct scale choose_chart_scale(const int32_t *values, int count)
{
    struct scale scale = {values[0], values[0]};
    for (int i = 1; i < count; i++) {
        scale.low = values[i] < scale.low ? values[i] : scale.low;
        scale.high = values[i] > scale.high ? values[i] : scale.high;
    }
    if (scale.high - scale.low < LEAST_SPAN) {
        scale.low = (scale.low + scale.high - LEAST_SPAN) / 2;
        scale.high = scale.low + LEAST_SPAN;
    }
    return scale;
}

static void put_bar_block(const struct canvas *canvas, int height_eighths, struct text *out)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const ascii[] = {" ", ".", ".", ".", "#", "#", "#", "#", "#"};
    int at = height_eighths < 0 ? 0 : height_eighths > EIGHTHS ? EIGHTHS : height_eighths;
    text_put(out, (canvas->theme->is_ascii ? ascii : blocks)[at]);
}

/* Draws a small chart of numbers over time: one bar per number, one column wide. If the area is too
 * narrow, only the newest numbers are shown. Bars consist of block characters that fill eighths of
 * a row, or of # and . in ASCII mode. The highest and the lowest number are written at the left
 * edge. */
static void draw_chart(const struct canvas *canvas, const struct area *area, const int32_t *values,
                       int value_count)
{
    int width = area->width - LABEL_WIDTH;
    if (value_count <= 0 || width <= 0 || area->height <= 0) {
        return;
    }
    if (value_count > width) {
        values += value_count - width;
        value_count = width;
    }
    const struct scale scale = choose_chart_scale(values, value_count);
    /* The lowest value is drawn too, as one eighth of a row. */
    const int levels = area->height * EIGHTHS - 1;
    for (int row = 0; row < area->height; row++) {
        struct text out = TEXT_OF(1024);
        int below = (area->height - 1 - row) * EIGHTHS;
        for (int i = 0; i < value_count; i++) {
            int level = 1 + (values[i] - scale.low) * levels / (scale.high - scale.low);
            put_bar_block(canvas, level - below, &out);
        }
        draw_text(canvas, area->row + row, area->column + LABEL_WIDTH, width, STYLE_GOOD, out.at);
    }
    draw_formatted_text(canvas, area->row, area->column, LABEL_WIDTH - 1, STYLE_DIM, "%d",
                        scale.high);
    draw_formatted_text(canvas, area->row + area->height - 1, area->column, LABEL_WIDTH - 1,
                        STYLE_DIM, "%d", scale.low);
}

static int draw_rating_chart(const struct profile *profile, const struct canvas *canvas,
                             int screen_row)
{
    const struct profile_game *game = &profile->games[profile->shown];
    struct area area = {screen_row + 1, 2, CHART_ROWS, canvas->body.width - 4};
    draw_formatted_text(canvas, screen_row, 2, canvas->body.width - 4, STYLE_DIM,
                        _("%s: the rating, game by game. Stat: %s."), _(game->standing.game->title),
                        _(game->standing.game->stat.title));
    draw_chart(canvas, &area, game->standing.chart.values, game->standing.chart.count);
    return screen_row + 1 + CHART_ROWS;
}

static void draw_recent_games(struct profile *profile, const struct canvas *canvas, int screen_row,
                              int row_count)
{
    static const struct played_column_area places[] = {
        {PLAYED_DAY, 4, 11},       {PLAYED_GAME, 16, 17},  {PLAYED_PLACE, 34, 8},
        {PLAYED_SCORE, 42, 6},     {PLAYED_CHANGE, 49, 7}, {PLAYED_NUMBER, 58, 8},
        {PLAYED_OPPONENTS, 68, 0},
    };
    list_set_size(&profile->list, row_count < 2 ? 0 : profile->recent_count, row_count - 1);
    if (profile->list.count > 0) {
        played_draw_list(canvas, screen_row, &profile->list, profile->recent, places,
                         ARRAY_LEN(places));
    }
}

static void draw_profile(UNUSED struct ui *ui, void *state, const struct canvas *canvas)
{
    struct profile *profile = state;
    struct text facts = TEXT_OF(256);
    int at = canvas->body.row + 2;
    int end = canvas->body.row + canvas->body.height;
    draw_header(canvas, profile->who.name,
                profile->is_there ? describe_kind_of_player(profile) : "");
    if (!profile->is_there) {
        draw_text(canvas, at, 2, canvas->body.width - 4, STYLE_PLAIN, _("Asking the house…"));
        return;
    }
    write_joined_and_last_seen(profile, &facts);
    draw_text(canvas, at, 2, canvas->body.width - 4, STYLE_PLAIN, facts.at);
    at += 2;
    if (profile->game_count == 0) {
        draw_text(canvas, at, 2, canvas->body.width - 4, STYLE_PLAIN, _("No rated game yet."));
        at += 2;
    } else {
        at = draw_game_statistics(profile, canvas, at) + 1;
        at = draw_rating_chart(profile, canvas, at) + 1;
    }
    draw_recent_games(profile, canvas, at, end - at);
}

static void print_rating_history(const struct profile_game *game, struct lines *lines)
{
    int32_t low = game->row.rating.value, high = low;
    for (int i = 0; i < game->standing.chart.count; i++) {
        low = game->standing.chart.values[i] < low ? game->standing.chart.values[i] : low;
        high = game->standing.chart.values[i] > high ? game->standing.chart.values[i] : high;
    }
    if (game->standing.chart.count > 1) {
        lines_format(lines, _("%s: the rating went from %d to %d, between %d and %d."),
                     _(game->standing.game->title), game->standing.chart.values[0],
                     game->standing.chart.values[game->standing.chart.count - 1], low, high);
    }
}

static bool print_profile(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct profile *profile = state;
    struct text facts = TEXT_OF(256);
    if (!profile->is_there) {
        return false;
    }
    write_joined_and_last_seen(profile, &facts);
    lines_format(lines, "%s%s%s. %s", profile->who.name,
                 describe_kind_of_player(profile)[0] != '\0' ? ", " : "",
                 describe_kind_of_player(profile), facts.at);
    if (profile->game_count == 0) {
        lines_put(lines, _("No rated game yet."));
    }
    for (int i = 0; i < profile->game_count; i++) {
        const struct profile_game *game = &profile->games[i];
        leader_put_row_line(&game->row, game->standing.game->stat.title, clock_unix_ms(), lines);
        print_rating_history(game, lines);
    }
    for (int i = 0; i < profile->recent_count; i++) {
        played_put_game_line(&profile->recent[i], lines);
    }
    return true;
}

static bool handle_profile_key(struct ui *ui, void *state, const struct press *press)
{
    struct profile *profile = state;
    if (press->kind == PRESS_TAB && profile->game_count > 1) {
        profile->shown = (profile->shown + 1) % profile->game_count;
        return true;
    }
    if (press->kind == PRESS_ENTER && profile->list.count > 0) {
        screen_open(ui, "replay", profile->recent[profile->list.selected].game_id);
        return true;
    }
    return list_handle_key(&profile->list, press);
}

static void add_profile_hints(UNUSED struct ui *ui, void *state, struct hints *hints)
{
    const struct profile *profile = state;
    if (profile->list.count > 0) {
        hints_add(hints, "Enter", _("replay"));
        hints_add(hints, "↑ ↓", _("choose"));
    }
    if (profile->game_count > 1) {
        hints_add(hints, "Tab", _("next game's chart"));
    }
}

static const struct screen_key profile_keys[] = {
    {"Enter", N_("go through the game step by step"), "/replay", NULL},
    {"Tab", N_("the chart of the next game"), NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

const struct screen profile_screen = {
    .name = "profile",
    .title = N_("Profile"),
    .state_size = sizeof(struct profile),
    .keys = profile_keys,
    .enter = enter_profile,
    .draw = draw_profile,
    .key = handle_profile_key,
    .hints = add_profile_hints,
    .print = print_profile,
};
