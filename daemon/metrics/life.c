#include "daemon/metrics/metrics.h"

#include "daemon/base/base.h"

#include <stdbool.h>
#include <string.h>

#define MS_PER_S 1000

static void store(_Atomic int64_t *number, int64_t value)
{
    atomic_store_explicit(number, value, memory_order_relaxed);
}

static int64_t load(const _Atomic int64_t *number)
{
    return atomic_load_explicit(number, memory_order_relaxed);
}

void life_copy_name(const struct life *life, char name[LIFE_NAME_SIZE + 1])
{
    size_t len = strnlen(life->name, sizeof life->name);
    for (size_t i = 0; i < len; i++) {
        bool is_letter = life->name[i] >= 'a' && life->name[i] <= 'z';
        name[i] = '?';
        if (is_letter) {
            name[i] = life->name[i];
        }
    }
    name[len] = '\0';
}

void life_give_sign(const struct metrics *metrics, enum life_doing doing)
{
    if (metrics->page != NULL) {
        struct life *life = &metrics->page->lives[metrics->process];
        store(&life->seen_ms, clock_steady_ms());
        atomic_store_explicit(&life->doing, (uint32_t)doing, memory_order_relaxed);
    }
}

void life_set_work(const struct metrics *metrics, uint64_t work)
{
    if (metrics->page != NULL) {
        atomic_store_explicit(&metrics->page->lives[metrics->process].work, work,
                              memory_order_relaxed);
    }
}

uint64_t life_get_work(const struct metrics *metrics, unsigned process)
{
    return metrics->page == NULL
               ? 0
               : atomic_load_explicit(&metrics->page->lives[process].work, memory_order_relaxed);
}

int64_t life_get_seen_ms(const struct metrics *metrics, unsigned process)
{
    return metrics->page == NULL ? 0 : load(&metrics->page->lives[process].seen_ms);
}

void life_note_start(const struct metrics *metrics, unsigned process, const char *name, int64_t pid)
{
    if (metrics->page == NULL) {
        return;
    }
    struct life *life = &metrics->page->lives[process];
    int64_t now_ms = clock_steady_ms();
    bool has_died = load(&life->pid) == 0;
    if (strncmp(life->name, name, sizeof life->name) != 0) {
        /* another process had this place before a reload */
        atomic_store_explicit(&life->restarts, 0, memory_order_relaxed);
        strncpy(life->name, name, sizeof life->name);
        has_died = false;
    }
    store(&life->started_ms, now_ms);
    if (!has_died) {
        store(&life->seen_ms, now_ms);
    }
    atomic_store_explicit(&life->doing, LIFE_STARTS, memory_order_relaxed);
    atomic_store_explicit(&life->work, 0, memory_order_relaxed);
    store(&life->pid, pid);
}

void life_note_resumed(const struct metrics *metrics, unsigned process, const char *name,
                       int64_t pid)
{
    const struct life *life = metrics->page != NULL ? &metrics->page->lives[process] : NULL;
    if (life != NULL &&
        (load(&life->pid) != pid || strncmp(life->name, name, sizeof life->name) != 0)) {
        life_note_start(metrics, process, name, pid);
    }
}

void life_note_death(const struct metrics *metrics, unsigned process)
{
    if (metrics->page == NULL) {
        return;
    }
    struct life *life = &metrics->page->lives[process];
    char name[LIFE_NAME_SIZE + 1];
    life_copy_name(life, name);
    store(&life->pid, 0);
    atomic_fetch_add_explicit(&life->restarts, 1, memory_order_relaxed);
    metrics_add(metrics, METRIC_process_restarts, name, NULL, 1);
}

void life_forget(const struct metrics *metrics, unsigned process)
{
    if (metrics->page != NULL) {
        struct life *life = &metrics->page->lives[process];
        memset(life->name, 0, sizeof life->name);
        store(&life->pid, 0);
    }
}

static int64_t find_longest_silence_ms(const struct metrics_page *page, const char *name,
                                       int64_t now_ms)
{
    int64_t longest_ms = 0;
    for (size_t i = 0; i < LIFE_PROCESSES; i++) {
        int64_t silence_ms = now_ms - load(&page->lives[i].seen_ms);
        if (strncmp(page->lives[i].name, name, LIFE_NAME_SIZE) == 0 && silence_ms > longest_ms) {
            longest_ms = silence_ms;
        }
    }
    return longest_ms;
}

void life_measure_silence(const struct metrics *metrics, int64_t now_ms)
{
    const struct metric_label *label = metric_at(METRIC_process_silence_seconds)->labels[0];
    for (size_t i = 0; metrics->page != NULL && i < label->count; i++) {
        const char *name = metric_label_value(label, i);
        metrics_set(metrics, METRIC_process_silence_seconds, name, NULL,
                    (uint64_t)find_longest_silence_ms(metrics->page, name, now_ms) / MS_PER_S);
    }
}
