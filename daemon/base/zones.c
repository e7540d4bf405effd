#include "daemon/base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define FOLDER "/usr/share/zoneinfo/"
#define ZONES_MAX 640
#define RULE_SIZE 56

static struct zone {
    char name[ZONES_NAME_SIZE];
    char rule[RULE_SIZE];
} zones[ZONES_MAX];
static size_t zone_count;
static const struct zone *used;

/* Reads the rule, which is the last line of the zone's file. */
static bool read_rule(struct zone *zone)
{
    char path[sizeof(FOLDER) + ZONES_NAME_SIZE];
    char end[RULE_SIZE + 2] = "";
    (void)snprintf(path, sizeof(path), FOLDER "%s", zone->name);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    size_t len = fseek(file, -(long)(sizeof(end) - 1), SEEK_END) == 0
                     ? fread(end, 1, sizeof(end) - 1, file)
                     : 0;
    (void)fclose(file);
    if (len == 0 || end[len - 1] != '\n') {
        return false;
    }
    end[len - 1] = '\0';
    const char *rule = memrchr(end, '\n', len - 1);
    if (rule == NULL || rule[1] == '\0') {
        return false;
    }
    (void)snprintf(zone->rule, sizeof(zone->rule), "%s", rule + 1);
    return true;
}

static void add_zone(const char *name)
{
    struct zone *zone = &zones[zone_count];
    if (zone_count < ZONES_MAX && strlen(name) < ZONES_NAME_SIZE && strstr(name, "..") == NULL) {
        (void)snprintf(zone->name, sizeof(zone->name), "%s", name);
        zone_count += read_rule(zone);
    }
}

void zones_load(void)
{
    char line[256];
    FILE *list = zone_count == 0 ? fopen(FOLDER "zone.tab", "re") : NULL;
    if (list == NULL) {
        return;
    }
    add_zone("UTC");
    while (fgets(line, sizeof(line), list) != NULL) {
        /* country, coordinates, name and perhaps a comment, with tabs between them */
        char *rest = line;
        (void)strsep(&rest, "\t");
        (void)strsep(&rest, "\t");
        const char *name = strsep(&rest, "\t\n");
        if (line[0] != '#' && name != NULL) {
            add_zone(name);
        }
    }
    (void)fclose(list);
}

static const struct zone *find_zone(const char *name)
{
    const struct zone *found = NULL;
    for (size_t i = 0; i < zone_count; i++) {
        const char *last = strrchr(zones[i].name, '/');
        if (strcasecmp(zones[i].name, name) == 0) {
            return &zones[i];
        }
        if (found == NULL && last != NULL && strcasecmp(last + 1, name) == 0) {
            found = &zones[i];
        }
    }
    return found;
}

const char *zones_use(const char *name)
{
    const struct zone *zone = find_zone(name);
    if (zone == NULL || setenv("TZ", zone->rule, 1) != 0) {
        return NULL;
    }
    tzset();
    used = zone;
    return zone->name;
}

const char *zones_used(void)
{
    return used == NULL ? "" : used->name;
}
