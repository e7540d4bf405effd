#include "tests/bench/load/chat.h"

#include "tests/bench/load/house_play.h"
#include "tests/times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_LEN 12
#define SENDER 0
#define TYPING_US 300000
#define BETWEEN_US 2000000 /* people may send a line every two seconds */

/* One person who waits for a line. */
struct listener {
    char tail[WORD_LEN]; /* the last bytes of the output so far: the word may be split */
    size_t tail_len;
    bool has_seen;
};

struct chat {
    struct run *run;
    struct listener *listeners;
    char word[WORD_LEN + 1];
    int64_t begin_us;
    int left; /* listeners who have not seen the line */
    double *times_ms;
    size_t count;
};

/* Makes the word of a line. It differs in every letter from that of the line before, so that no
 * letter on the screen can stay as it is. */
static void make_word(struct chat *chat, int line)
{
    static const char base[WORD_LEN + 1] = "hcxmqkzwvbtj";
    for (int i = 0; i < WORD_LEN; i++) {
        chat->word[i] = (char)('a' + (base[i] - 'a' + line * 7) % 26);
    }
}

static bool listener_sees(struct listener *listener, const char *word, const char *bytes,
                          size_t len)
{
    char border[2 * WORD_LEN];
    size_t first = len < WORD_LEN - 1 ? len : WORD_LEN - 1;
    memcpy(border, listener->tail, listener->tail_len);
    memcpy(border + listener->tail_len, bytes, first);
    size_t border_len = listener->tail_len + first;
    if (memmem(border, border_len, word, WORD_LEN) != NULL ||
        memmem(bytes, len, word, WORD_LEN) != NULL) {
        return true;
    }
    const char *end = len >= WORD_LEN - 1 ? bytes + len : border + border_len;
    size_t all = len >= WORD_LEN - 1 ? len : border_len;
    listener->tail_len = all < WORD_LEN - 1 ? all : WORD_LEN - 1;
    memmove(listener->tail, end - listener->tail_len, listener->tail_len);
    return false;
}

static void hear(void *context, int member, const char *bytes, size_t len)
{
    struct chat *chat = context;
    if (member == SENDER || member >= chat->run->people) {
        return;
    }
    struct listener *listener = &chat->listeners[member];
    if (!listener->has_seen && listener_sees(listener, chat->word, bytes, len)) {
        listener->has_seen = true;
        chat->left--;
        chat->times_ms[chat->count++] = (double)(times_now_us() - chat->begin_us) / 1000.0;
    }
}

static bool everybody_has_seen(void *context)
{
    const struct chat *chat = context;
    return chat->left == 0;
}

/* Sends a line and waits for all. The times are appended. Returns how many did not see it. */
static int send_line(struct chat *chat, int line)
{
    struct crowd *crowd = &chat->run->crowd;
    make_word(chat, line);
    crowd_type(crowd, SENDER, house_play.before_chat);
    crowd_type(crowd, SENDER, chat->word);
    crowd_run(crowd, times_now_us() + TYPING_US, NULL, NULL);
    memset(chat->listeners, 0, (size_t)chat->run->people * sizeof(*chat->listeners));
    chat->left = 0;
    for (int i = 0; i < chat->run->people; i++) {
        chat->left += i != SENDER && crowd->members[i].state == MEMBER_IN ? 1 : 0;
    }
    chat->begin_us = times_now_us();
    crowd_type(crowd, SENDER, house_play.after_chat);
    crowd_run(crowd, chat->begin_us + (int64_t)chat->run->options->timeout_s * 1000000,
              everybody_has_seen, chat);
    return chat->left;
}

static void report_chat(struct chat *chat, double *first_ms, double *last_ms, int missing)
{
    struct report *report = &chat->run->report;
    size_t lines = (size_t)chat->run->options->chat_lines;
    (void)times_sort(chat->times_ms, chat->count);
    (void)times_sort(first_ms, lines);
    (void)times_sort(last_ms, lines);
    report_set(report, "chat_first_ms", "chat line: until the first sees it, median (ms)", 2,
               report_quantile(first_ms, lines, 0.5));
    report_set(report, "chat_p50_ms", "  half have seen it (ms)", 2,
               report_quantile(chat->times_ms, chat->count, 0.5));
    report_set(report, "chat_p99_ms", "  99 % have seen it (ms)", 2,
               report_quantile(chat->times_ms, chat->count, 0.99));
    report_set(report, "chat_last_ms", "  the last has seen it, median (ms)", 2,
               report_quantile(last_ms, lines, 0.5));
    report_set(report, "chat_last_worst_ms", "  the last has seen it, worst line (ms)", 2,
               report_quantile(last_ms, lines, 1));
    report_set(report, "chat_missing", "  people who did not see a line", 0, missing);
}

static void measure_lines(struct chat *chat, double *first_ms, double *last_ms)
{
    int missing = 0;
    for (int line = 0; line < chat->run->options->chat_lines; line++) {
        size_t begin = chat->count;
        missing += send_line(chat, line);
        /* the times of a line are in the order in which people saw it */
        first_ms[line] = chat->count > begin ? chat->times_ms[begin] : 0;
        last_ms[line] = chat->count > begin ? chat->times_ms[chat->count - 1] : 0;
        crowd_run(&chat->run->crowd, times_now_us() + BETWEEN_US, NULL, NULL);
    }
    report_chat(chat, first_ms, last_ms, missing);
    if (missing > 0) {
        fprintf(stderr, "load: a chat line was not seen by %d people within %d s\n", missing,
                chat->run->options->timeout_s);
        chat->run->has_failed = true;
    }
}

void chat_measure(struct run *run)
{
    size_t lines = (size_t)run->options->chat_lines;
    if (lines == 0 || run->people < 2) {
        return;
    }
    struct chat chat = {.run = run};
    chat.listeners = calloc((size_t)run->people, sizeof(*chat.listeners));
    chat.times_ms = calloc((size_t)run->people * lines, sizeof(*chat.times_ms));
    double *first_ms = calloc(lines, sizeof(*first_ms));
    double *last_ms = calloc(lines, sizeof(*last_ms));
    if (chat.listeners != NULL && chat.times_ms != NULL && first_ms != NULL && last_ms != NULL) {
        phases_settle(run);
        run->crowd.on_output = hear;
        run->crowd.context = &chat;
        measure_lines(&chat, first_ms, last_ms);
        run->crowd.on_output = NULL;
    } else {
        fprintf(stderr, "load: out of memory\n");
        run->has_failed = true;
    }
    free(last_ms);
    free(first_ms);
    free(chat.times_ms);
    free(chat.listeners);
}
