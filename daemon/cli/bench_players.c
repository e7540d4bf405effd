#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char exec_prefix[] = "exec:";

static uint8_t choose_by_policy(void *context, const struct bench_turn *turn)
{
    const struct bench_policy *own = context;
    return policy_choose_move(own->policy, own->search, turn->view, turn->config, turn->random, 0);
}

/* Ends the word that begins here: at the first comma, or at the end of the list. The commas of
 * commands (`\,`) lose their backslashes. Returns the next word; NULL after the last one. */
static char *end_word(char *word)
{
    char *to = word;
    const char *from = word;
    while (*from != '\0' && *from != ',') {
        from += from[0] == '\\' && from[1] == ',';
        *to++ = *from++;
    }
    bool is_last = *from == '\0';
    *to = '\0';
    return is_last ? NULL : word + (from + 1 - word);
}

static const struct bench_player *find_other(const struct bench_player *others, const char *name)
{
    while (others != NULL && others->name != NULL && strcmp(others->name, name) != 0) {
        others++;
    }
    return others != NULL && others->name != NULL ? others : NULL;
}

/* Makes the player of a place. Returns the exit status. */
static int make_player(struct bench_players *players, const struct subcommand *self, uint8_t place,
                       const char *word, const struct game_def *game,
                       const struct bench_player_list *others)
{
    const struct bench_player *other = find_other(others->at, word);
    const struct policy *policy = policy_find(word);
    if (strncmp(word, exec_prefix, sizeof(exec_prefix) - 1) == 0) {
        players->programs[place] =
            bench_exec_start(word + sizeof(exec_prefix) - 1, others->limit_s);
        players->at[place] = (struct bench_player){
            .name = word, .context = players->programs[place], .choose = bench_exec_choose};
        return players->programs[place] == NULL ? 1 : 0;
    }
    if (other != NULL && other->game_id != NULL && strcmp(other->game_id, game->id) != 0) {
        return subcommand_report_wrong_usage(self, _("%s plays only %s"), word, other->game_id);
    }
    if (other != NULL) {
        players->at[place] = *other;
        return 0;
    }
    if (policy == NULL) {
        return subcommand_report_wrong_usage(self, _("--bots names no player \"%s\""), word);
    }
    players->policies[place] =
        (struct bench_policy){.policy = policy, .search = &players->searches[place == 0 ? 0 : 1]};
    players->at[place] = (struct bench_player){.name = policy_name(policy),
                                               .context = &players->policies[place],
                                               .choose = choose_by_policy};
    return 0;
}

int bench_players_read(struct bench_players *players, const struct subcommand *self,
                       const char *list, const struct game_def *game, uint8_t count,
                       const struct bench_player_list *others)
{
    *players = (struct bench_players){.count = count};
    players->words = strdup(list);
    if (players->words == NULL) {
        fputs(_("trickhouse bench: out of memory\n"), stderr);
        return 1;
    }
    const char *word = NULL;
    char *rest = players->words;
    int status = 0;
    for (uint8_t place = 0; place < count && status == 0; place++) {
        if (rest != NULL) {
            word = rest;
            rest = end_word(rest);
        }
        status = make_player(players, self, place, word, game, others);
    }
    if (status == 0 && rest != NULL) {
        return subcommand_report_wrong_usage(self, _("--bots names more than %u players"), count);
    }
    return status;
}

uint32_t bench_players_count_playouts(const struct bench_players *players,
                                      const struct game_view *view)
{
    const struct policy *policy = players->policies[0].policy;
    if (policy == NULL || policy_playouts(policy) == 0) {
        return 0;
    }
    struct search_choice choices[MOVES_MAX];
    uint8_t count = search_list_choices(&players->searches[0], view, choices);
    uint32_t sum = 0;
    for (uint8_t i = 0; i < count; i++) {
        sum += choices[i].visits;
    }
    return sum;
}

void bench_players_clear(struct bench_players *players)
{
    for (uint8_t place = 0; place < players->count; place++) {
        bench_exec_stop(players->programs[place]);
    }
    free(players->words);
}
