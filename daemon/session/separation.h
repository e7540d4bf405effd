#pragma once

/*
 * How a session's process gets a table of descriptors of its own at a cost that does not grow with
 * the number of sessions.
 *
 * fork(2) copies the gate's whole table, some descriptors for every session, and the new process
 * would have to close nearly all of them. So the new process begins with the gate's own table
 * (CLONE_FILES), and close_range(2) then gives it a copy that holds only the descriptors below
 * SEPARATION_FDS. The gate keeps the descriptors of its sessions above that number. Until the
 * process reports its separation, the gate closes none of the descriptors that the process uses.
 */
enum {
    SEPARATION_FDS = 256
};

/* The byte that the process writes to signed_in_fd (session.h) after its separation. */
#define SEPARATION_DONE 'o'

/* Separates this process's table of descriptors from the gate's, and reports it. A process must
 * call this before it opens or closes any descriptor. Exits on failure. */
void separation_begin(int signed_in_fd);

/* Gives a descriptor a number of at least SEPARATION_FDS. Returns the number; if there is no free
 * one, the descriptor's old number. */
int separation_keep_from_children(int fd);

/* Gives a descriptor a number below SEPARATION_FDS. Returns the number; if there is no free one,
 * the descriptor's old number. */
int separation_give_to_children(int fd);
