#pragma once

/*
 * Tell a gate or a session, at the other end of the socket, that nobody answers for the house, and
 * that it answers after all (PROTOCOL.md, "When the house is away"). Whoever has the core's end of
 * the socket may do so. house_away_tell_waiting says besides that it may take long, because the
 * core cannot use its data: whoever has not signed in need not wait. If the socket has no room,
 * nothing is told: its process does not read at present, and only its screen would say so.
 */
void house_away_tell(int socket);
void house_away_tell_waiting(int socket);
void house_away_tell_end(int socket);
