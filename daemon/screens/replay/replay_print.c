#include "daemon/screens/replay/replay.h"

#include "daemon/screens/table/table.h"

void replay_print_step(const struct replay_game *game, const struct game_view *before,
                       const struct words *words, struct lines *lines)
{
    const struct story *story = &game->story;
    bool is_new_round = before->round != game->view.round;
    if (is_new_round) {
        game_print_new_hands(before, &game->view, words, lines);
    }
    game_print_story_lines(story, 0, story->old_count, words, lines);
    if (story->old_count > 0) {
        game_print_score(&game->last_row, &game->view, words, lines);
    }
    game_print_story_lines(story, story->old_count, story->count, words, lines);
    if (!is_new_round) {
        game_print_new_hands(before, &game->view, words, lines);
    }
    if (replay_game_is_over(game)) {
        struct story result;
        story_tell_result(&game->view, &game->record.source.config, game->winners, &result);
        game_print_story_lines(&result, 0, result.count, words, lines);
    }
}
