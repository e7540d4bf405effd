#ifndef DAEMON_SESSION_CONFINE_H
#define DAEMON_SESSION_CONFINE_H

/*
 * What a session gives up before it reads a byte from outside (SECURITY.md, Sandbox of a session):
 * other processes, core dumps, being traced by its user, new privileges, memory without end.
 * Sanitizer builds keep their memory. What the kernel refuses is said on the log.
 */
void confine_session(void);

#endif
