#pragma once

/*
 * Tell a gate or a session, at the other end of the socket, that nobody answers for the house, and
 * that it answers after all (PROTOCOL.md, "When the house is away"). Whoever has the core's end of
 * the socket may do so. If the socket has no room, nothing is told: its process does not read at
 * present, and only its screen would say so.
 */
void house_away_tell(int socket);
void house_away_tell_end(int socket);
