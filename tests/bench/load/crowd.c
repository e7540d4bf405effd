#include "tests/bench/load/crowd.h"

#include "tests/times.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define EVENTS_MAX 32
#define TICK_MS 10
#define READ_BYTES 16384
#define WAKE UINT32_MAX

void reasons_add(struct reasons *reasons, const char *words)
{
    reasons->total++;
    for (int i = 0; i < reasons->count; i++) {
        if (strcmp(reasons->each[i].words, words) == 0) {
            reasons->each[i].times++;
            return;
        }
    }
    if (reasons->count < CROWD_REASONS_MAX) {
        snprintf(reasons->each[reasons->count].words, WIRE_WHY_MAX, "%s", words);
        reasons->each[reasons->count++].times = 1;
    }
}

void reasons_print(const struct reasons *reasons, const char *caption)
{
    int named = 0;
    for (int i = 0; i < reasons->count; i++) {
        fprintf(stderr, "load: %d %s: %s\n", reasons->each[i].times, caption,
                reasons->each[i].words);
        named += reasons->each[i].times;
    }
    if (named < reasons->total) {
        fprintf(stderr, "load: %d %s: other reasons\n", reasons->total - named, caption);
    }
}

/* Takes the next member who wants to come in. Returns NULL when the crowd closes. */
static struct member *take_waiting(struct crowd *crowd)
{
    pthread_mutex_lock(&crowd->lock);
    while (crowd->waiting == NULL && !crowd->is_closing) {
        pthread_cond_wait(&crowd->has_work, &crowd->lock);
    }
    struct member *member = crowd->is_closing ? NULL : crowd->waiting;
    if (member != NULL) {
        crowd->waiting = member->next;
        if (crowd->waiting == NULL) {
            crowd->waiting_end = &crowd->waiting;
        }
    }
    pthread_mutex_unlock(&crowd->lock);
    return member;
}

static void hand_over(struct crowd *crowd, struct member *member)
{
    const uint64_t one = 1;
    pthread_mutex_lock(&crowd->lock);
    member->next = crowd->arrived;
    crowd->arrived = member;
    pthread_mutex_unlock(&crowd->lock);
    if (write(crowd->wake, &one, sizeof(one)) < 0) {
        perror("load: eventfd"); /* cannot happen: the counter is far from its end */
    }
}

/* A thread that brings people in, one after the other. */
static void *bring_in(void *context)
{
    struct crowd *crowd = context;
    const struct options *options = crowd->options;
    ssh_key key = NULL;
    if (options->key_file != NULL &&
        ssh_pki_import_privkey_file(options->key_file, NULL, NULL, NULL, &key) != SSH_OK) {
        fprintf(stderr, "load: cannot read the key %s\n", options->key_file);
    }
    for (struct member *member; (member = take_waiting(crowd)) != NULL;) {
        int turn = (int)(member - crowd->members);
        member->took_us = wire_connect(&member->wire, options, turn, key);
        if (member->took_us >= 0 && !wire_type(&member->wire, options->then)) {
            member->took_us = -1;
            wire_close(&member->wire);
        }
        hand_over(crowd, member);
    }
    ssh_key_free(key);
    return NULL;
}

bool crowd_init(struct crowd *crowd, const struct options *options, int capacity)
{
    *crowd = (struct crowd){.options = options, .capacity = capacity};
    pthread_mutex_init(&crowd->lock, NULL);
    pthread_cond_init(&crowd->has_work, NULL);
    crowd->waiting_end = &crowd->waiting;
    crowd->members = calloc((size_t)capacity, sizeof(*crowd->members));
    crowd->epoll = epoll_create1(EPOLL_CLOEXEC);
    crowd->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = WAKE};
    if (crowd->members == NULL || crowd->epoll < 0 || crowd->wake < 0 ||
        epoll_ctl(crowd->epoll, EPOLL_CTL_ADD, crowd->wake, &event) != 0) {
        perror("load: cannot begin");
        return false;
    }
    while (crowd->thread_count < options->at_a_time) {
        int error = pthread_create(&crowd->threads[crowd->thread_count], NULL, bring_in, crowd);
        if (error != 0) {
            fprintf(stderr, "load: cannot start a thread: %s\n", strerror(error));
            return false;
        }
        crowd->thread_count++;
    }
    return true;
}

void crowd_clear(struct crowd *crowd)
{
    pthread_mutex_lock(&crowd->lock);
    crowd->is_closing = true;
    pthread_cond_broadcast(&crowd->has_work);
    pthread_mutex_unlock(&crowd->lock);
    for (int i = 0; i < crowd->thread_count; i++) {
        pthread_join(crowd->threads[i], NULL);
    }
    for (int i = 0; crowd->members != NULL && i < crowd->capacity; i++) {
        wire_close(&crowd->members[i].wire);
    }
    free(crowd->members);
    close(crowd->wake);
    close(crowd->epoll);
    pthread_cond_destroy(&crowd->has_work);
    pthread_mutex_destroy(&crowd->lock);
}

void crowd_enter(struct crowd *crowd, int index)
{
    struct member *member = &crowd->members[index];
    member->state = MEMBER_ARRIVING;
    member->next = NULL;
    crowd->arriving_count++;
    pthread_mutex_lock(&crowd->lock);
    *crowd->waiting_end = member;
    crowd->waiting_end = &member->next;
    pthread_cond_signal(&crowd->has_work);
    pthread_mutex_unlock(&crowd->lock);
}

static void drop(struct crowd *crowd, int index, enum member_state state)
{
    struct member *member = &crowd->members[index];
    epoll_ctl(crowd->epoll, EPOLL_CTL_DEL, wire_fd(&member->wire), NULL);
    wire_close(&member->wire);
    member->state = state;
    crowd->in_count--;
}

void crowd_leave(struct crowd *crowd, int index)
{
    if (crowd->members[index].state == MEMBER_IN) {
        drop(crowd, index, MEMBER_ABSENT);
    }
}

static void lose(struct crowd *crowd, int index)
{
    reasons_add(&crowd->lost, crowd->members[index].wire.why);
    drop(crowd, index, MEMBER_LOST);
}

/* Reads all that has arrived for a member. */
static void read_output(struct crowd *crowd, int index)
{
    char bytes[READ_BYTES];
    int got;
    while ((got = wire_read(&crowd->members[index].wire, bytes, sizeof(bytes))) > 0) {
        if (crowd->on_output != NULL) {
            crowd->on_output(crowd->context, index, bytes, (size_t)got);
        }
    }
    if (got < 0) {
        lose(crowd, index);
    }
}

static void take_in(struct crowd *crowd, struct member *member)
{
    int index = (int)(member - crowd->members);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
    crowd->arriving_count--;
    if (member->took_us >= 0 &&
        epoll_ctl(crowd->epoll, EPOLL_CTL_ADD, wire_fd(&member->wire), &event) != 0) {
        snprintf(member->wire.why, WIRE_WHY_MAX, "epoll: %s", strerror(errno));
        wire_close(&member->wire);
        member->took_us = -1;
    }
    if (member->took_us < 0) {
        member->state = MEMBER_FAILED;
        reasons_add(&crowd->failed, member->wire.why);
        return;
    }
    member->state = MEMBER_IN;
    crowd->in_count++;
    read_output(crowd, index); /* libssh may already hold what came behind the marker */
}

static void take_in_arrived(struct crowd *crowd)
{
    uint64_t count;
    if (read(crowd->wake, &count, sizeof(count)) < 0) {
        return; /* nobody yet */
    }
    pthread_mutex_lock(&crowd->lock);
    struct member *member = crowd->arrived;
    crowd->arrived = NULL;
    pthread_mutex_unlock(&crowd->lock);
    while (member != NULL) {
        struct member *next = member->next;
        take_in(crowd, member);
        member = next;
    }
}

bool crowd_run(struct crowd *crowd, int64_t until_us, bool (*is_done)(void *), void *context)
{
    for (;;) {
        if (is_done != NULL && is_done(context)) {
            return true;
        }
        int64_t left_ms = (until_us - times_now_us() + 999) / 1000;
        if (left_ms <= 0) {
            return false;
        }
        struct epoll_event events[EVENTS_MAX];
        int wait_ms = left_ms < TICK_MS ? (int)left_ms : TICK_MS;
        int count = epoll_wait(crowd->epoll, events, EVENTS_MAX, wait_ms);
        for (int i = 0; i < count; i++) {
            uint32_t index = events[i].data.u32;
            if (index == WAKE) {
                take_in_arrived(crowd);
            } else if (crowd->members[index].state == MEMBER_IN) {
                read_output(crowd, (int)index);
            }
        }
    }
}

void crowd_type(struct crowd *crowd, int index, const char *keys)
{
    struct member *member = &crowd->members[index];
    if (member->state == MEMBER_IN && !wire_type(&member->wire, keys)) {
        lose(crowd, index);
    }
}
