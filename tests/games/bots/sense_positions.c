#include "tests/games/bots/sense_positions.h"

#include "tests/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 1024
#define BLANKS " \t\n"

/* A file while it is read. */
struct reader {
    struct position position;
    unsigned line;
    bool has_position; /* false before the file's first position */
    bool is_started;   /* the seed was read, so the state is set up */
    bool has_moves;    /* the next indented line has further moves */
};

static void refuse(const struct reader *reader, const char *what, const char *word)
{
    fail_msg("%s:%u: %s: %s", reader->position.file, reader->line, what, word == NULL ? "" : word);
}

static void read_set_up(struct reader *reader, char *words)
{
    struct position *position = &reader->position;
    char *rest = NULL;
    char *word = strtok_r(words, BLANKS, &rest);
    if (word == NULL || word[1] != '\0' || word[0] < '2' || word[0] > '7') {
        refuse(reader, "no number of players", word);
        return;
    }
    position->config = game_config_default(position->game, (uint8_t)(word[0] - '0'));
    while ((word = strtok_r(NULL, BLANKS, &rest)) != NULL) {
        char *value = strchr(word, '=');
        if (value == NULL) {
            refuse(reader, "no option", word);
            return;
        }
        *value++ = '\0';
        if (!game_config_set(position->game, &position->config, word, value)) {
            refuse(reader, "unknown option", word);
        }
    }
}

/* Reads up to 64 hexadecimal digits; those that are left out are zeros. Deals the game. */
static void start_game(struct reader *reader, char *words)
{
    struct position *position = &reader->position;
    uint8_t seed[SEED_BYTES] = {0};
    size_t len = strcspn(words, BLANKS);
    for (size_t i = 0; i < len; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = strchr(digits, words[i]);
        if (digit == NULL || i >= sizeof(seed) * 2) {
            refuse(reader, "bad seed", words);
            return;
        }
        uint8_t value = (uint8_t)(digit - digits);
        seed[i / 2] |= (uint8_t)(i % 2 == 0 ? value << 4 : value);
    }
    if (game_start(position->game, &position->config, seed, &position->state, NULL) != GAME_OK) {
        refuse(reader, "bad set-up", NULL);
    }
    reader->is_started = true;
}

static void make_moves(struct reader *reader, char *words)
{
    struct position *position = &reader->position;
    char *rest = NULL;
    for (char *seat = strtok_r(words, BLANKS, &rest); seat != NULL;
         seat = strtok_r(NULL, BLANKS, &rest)) {
        const char *text = strtok_r(NULL, BLANKS, &rest);
        uint8_t move = text == NULL ? MOVE_NONE : game_move_parse(position->game, text);
        if (!reader->is_started || move == MOVE_NONE ||
            game_apply(position->game, &position->state, (uint8_t)(seat[0] - '0'), move, NULL) !=
                GAME_OK) {
            refuse(reader, "move is refused", text);
            return;
        }
    }
}

static void read_senseless_moves(struct reader *reader, char *words)
{
    struct position *position = &reader->position;
    char *rest = NULL;
    char *word = strtok_r(words, BLANKS, &rest);
    position->seat = word == NULL ? SEATS_MAX : (uint8_t)(word[0] - '0');
    while ((word = strtok_r(NULL, BLANKS, &rest)) != NULL) {
        uint8_t move = game_move_parse(position->game, word);
        if (move == MOVE_NONE) {
            refuse(reader, "no such move", word);
            return;
        }
        position->never.bits[move / 64] |= UINT64_C(1) << (move % 64);
    }
}

static void begin_position(struct reader *reader)
{
    struct position *position = &reader->position;
    reader->has_position = true;
    reader->is_started = false;
    position->line = reader->line;
    position->never = move_set_empty();
    position->reason[0] = '\0';
}

/* Reads a line, whose first word says what it tells. Returns true if the position is complete. */
static bool read_line(struct reader *reader, char *line)
{
    size_t len = strcspn(line, BLANKS);
    char *rest = line + len + strspn(line + len, BLANKS);
    if (len == 0 && reader->has_moves) {
        make_moves(reader, rest);
        return false;
    }
    reader->has_moves = false;
    if (len == 0 || line[0] == '#') {
        return false;
    }
    line[len] = '\0';
    if (strcmp(line, "players") == 0) {
        begin_position(reader);
        read_set_up(reader, rest);
    } else if (strcmp(line, "seed") == 0 && reader->has_position) {
        start_game(reader, rest);
    } else if (strcmp(line, "moves") == 0) {
        reader->has_moves = true;
        make_moves(reader, rest);
    } else if (strcmp(line, "never") == 0 && reader->is_started) {
        read_senseless_moves(reader, rest);
    } else if (strcmp(line, "because") == 0 && reader->is_started) {
        size_t words = strcspn(rest, "\n");
        assert_true(words > 0 && words < sizeof(reader->position.reason));
        memcpy(reader->position.reason, rest, words);
        reader->position.reason[words] = '\0';
        return true;
    } else {
        refuse(reader, "unknown line", line);
    }
    return false;
}

static void read_file(const char *folder, const char *name,
                      void (*visit)(void *, const struct position *), void *context)
{
    static struct reader reader;
    static char line[LINE_MAX_BYTES];
    char id[64] = {0};
    size_t id_len = strcspn(name, "_.");
    memset(&reader, 0, sizeof(reader));
    assert_true(id_len < sizeof(id));
    memcpy(id, name, id_len);
    reader.position.game = game_find(id);
    (void)snprintf(reader.position.file, sizeof(reader.position.file), "%s/%s", folder, name);
    FILE *file = fopen(reader.position.file, "r");
    if (file == NULL || reader.position.game == NULL) {
        refuse(&reader, "no file of a game", id);
        return;
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        reader.line++;
        if (strchr(line, '\n') == NULL) {
            refuse(&reader, "line is too long", NULL);
        }
        if (read_line(&reader, line)) {
            visit(context, &reader.position);
            reader.has_position = reader.is_started = false;
        }
    }
    if (reader.has_position) {
        refuse(&reader, "position has no reason", NULL);
    }
    assert_int_equal(fclose(file), 0);
}

static int is_text_file(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end != NULL && strcmp(end, ".txt") == 0;
}

void sense_positions_visit(const char *folder,
                           void (*visit)(void *context, const struct position *position),
                           void *context)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_text_file, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        read_file(folder, entries[i]->d_name, visit, context);
        free(entries[i]);
    }
    free(entries);
}
