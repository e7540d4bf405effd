#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Reads what the processes of a server use: the process `pid` and all its descendants.
 *
 * CPU time is read from each process's CPU clock, in nanoseconds, with that of its threads that
 * have ended; the CPU time of ended children is read from their parents, rounded to clock ticks. A
 * child that nobody waits for is lost from the sum.
 */
struct server {
    pid_t pid;
    double own_cpu_ms; /* CPU time that this program has used to look at the server */
};

struct server_process {
    pid_t pid, parent;
    bool is_counted;
    double children_ms; /* CPU time of its children that have ended */
    double cpu_ms;      /* its own */
};

struct server_cpu {
    double total_ms;
    int64_t at_us;                    /* when it was read */
    int count;                        /* processes of the server */
    struct server_process *processes; /* only those; server_cpu_clear frees them */
};

/* Returns false, with a message on standard error, if the server does not run or /proc cannot be
 * read. */
bool server_read_cpu(struct server *server, struct server_cpu *out);
void server_cpu_clear(struct server_cpu *cpu);

/* Returns the most CPU time in milliseconds that one process used from `before` to `after`. */
double server_busiest_ms(const struct server_cpu *before, const struct server_cpu *after);

struct server_memory {
    double pss_kib;         /* shared pages are divided among those who share them */
    double private_kib;     /* pages of one process only */
    double page_tables_kib; /* of these processes */
    double kernel_kib;      /* slab, kernel stacks and page tables of the whole machine */
    int count;              /* processes of the server */
};

/* Returns false, with a message on standard error, if it cannot be read. A process that ends
 * meanwhile is left out. */
bool server_read_memory(struct server *server, struct server_memory *out);

/* Adds the memory of one process to `out`. If the process has ended, adds nothing. Returns false,
 * with a message on standard error, if its memory cannot be read. */
bool server_add_process_memory(pid_t pid, struct server_memory *out);
