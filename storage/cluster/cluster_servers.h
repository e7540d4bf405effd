#pragma once

#include "storage/cluster/cluster_state.h"

/*
 * Inside storage/cluster/ only: connects to the right one of the URL's servers.
 *
 * More than one server may say that it takes writes: a former primary that was cut off or stood
 * still says so until somebody stops it, but its commits wait in vain for a standby. So all servers
 * are asked at once, and of those that answer soon the one with the highest timeline (PostgreSQL's
 * number of a history, which rises when a standby becomes the primary) is taken. Of several with
 * the same timeline, the next try takes another one.
 */
