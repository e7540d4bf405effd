#include "daemon/screens/people/people.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/table/table.h"
#include "games/game.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define WORD_MAX 64

static const struct {
    const char *word, *also; /* two words for the span of time, which people may type; requests
                                contain the first */
    const char *words;
} spans[LEADER_SPANS] = {
    [LEADER_ALL] = {"all", "ever", NULL},
    [LEADER_MONTH] = {"month", "30d", N_("last 30 days")},
    [LEADER_WEEK] = {"week", "7d", N_("last 7 days")},
    [LEADER_SEASON] = {"season", "quarter", N_("this season")},
};

int64_t leader_filter_pack(const struct leader_filter *filter)
{
    return filter->game | filter->players << 8 | filter->span << 12 | filter->is_friends << 16 |
           filter->is_bots << 17;
}

struct leader_filter leader_filter_unpack(int64_t argument)
{
    struct leader_filter filter = {
        .game = (uint8_t)(argument & 0xff),
        .players = (uint8_t)(argument >> 8 & 0xf),
        .span = (uint8_t)(argument >> 12 & 0x3),
        .is_friends = (argument >> 16 & 1) != 0,
        .is_bots = (argument >> 17 & 1) != 0,
    };
    filter.game = filter.game < game_count() ? filter.game : 0;
    return filter;
}

static bool parse_span_word(const char *word, uint8_t *span)
{
    for (int i = 0; i < LEADER_SPANS; i++) {
        if (strcasecmp(word, spans[i].word) == 0 || strcasecmp(word, spans[i].also) == 0) {
            *span = (uint8_t)i;
            return true;
        }
    }
    return false;
}

/* "4p", "4". */
static bool parse_player_count(const char *word, uint8_t *players)
{
    bool is_good = word[0] >= '2' && word[0] <= '0' + SEATS_MAX &&
                   (word[1] == '\0' || strcasecmp(word + 1, "p") == 0);
    *players = is_good ? (uint8_t)(word[0] - '0') : *players;
    return is_good;
}

bool leader_filter_parse(const char *text, struct leader_filter *filter, char *unknown, size_t cap)
{
    char word[WORD_MAX], name[2 * WORD_MAX] = "";
    struct text game = text_init(name, sizeof name);
    while (*text != '\0') {
        text = command_read_word(text, word, sizeof word);
        if (strcasecmp(word, "bots") == 0) {
            filter->is_bots = true;
        } else if (strcasecmp(word, "friends") == 0) {
            filter->is_friends = true;
        } else if (!parse_span_word(word, &filter->span) &&
                   !parse_player_count(word, &filter->players)) {
            /* A game's name may have several words. */
            text_put(&game, game.len > 0 ? " " : "");
            text_put(&game, word);
        }
    }
    int found = game.len > 0 ? option_find_game(name) : filter->game;
    if (found < 0) {
        snprintf(unknown, cap, "%s", name);
        return false;
    }
    filter->game = (uint8_t)found;
    return true;
}

void leader_filter_add_to_request(const struct leader_filter *filter, json_t *fields)
{
    json_object_set_new(fields, "game", json_string(game_at(filter->game)->id));
    json_object_set_new(fields, "span", json_string(spans[filter->span].word));
    json_object_set_new(fields, "players", json_integer(filter->players));
    json_object_set_new(fields, "among", json_string(filter->is_friends ? "friends" : "all"));
    json_object_set_new(fields, "bots", json_boolean(filter->is_bots));
}

void leader_filter_describe(const struct leader_filter *filter, struct text *out)
{
    if (filter->players > 0) {
        text_format_list_item(out, _("%d at the table"), filter->players);
    }
    if (spans[filter->span].words != NULL) {
        text_format_list_item(out, "%s", _(spans[filter->span].words));
    }
    if (filter->is_friends) {
        text_format_list_item(out, "%s", _("friends"));
    }
    if (filter->is_bots) {
        text_format_list_item(out, "%s", _("bots"));
    }
}

void leader_filter_select_next_player_count(struct leader_filter *filter)
{
    const struct game_def *game = game_at(filter->game);
    if (filter->players < game->seats_min) {
        filter->players = game->seats_min;
    } else if (filter->players < game->seats_max) {
        filter->players++;
    } else {
        filter->players = 0;
    }
}
