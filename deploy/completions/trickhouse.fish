# Completes the command line of trickhouse in fish.

# Whether the command is one of these words.
function __trickhouse_command_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

# Whether no command has been typed yet.
function __trickhouse_has_no_command
    test (count (commandline -opc)) -eq 1
end

# Whether so many words have been typed before the cursor, the name of the program among them.
function __trickhouse_word_count_is
    test (count (commandline -opc)) -eq $argv[1]
end

function __trickhouse_games
    set -l games oh-hell hund heckin-hounds head-and-tail suppose
    printf '%s\n' $games
end

complete -c trickhouse -f
complete -c trickhouse -s h -l help -d 'Explain the command'
complete -c trickhouse -n __trickhouse_has_no_command -l version -d 'Print the version'

complete -c trickhouse -n '__trickhouse_command_is help; and __trickhouse_word_count_is 2; or __trickhouse_has_no_command' -a '
    simulate\t"Let bots play games, and print their histories"
    replay\t"Show what a seat knew at each step of a game"
    verify\t"Check finished games against their seeds"
    bench\t"Measure how strong a bot is"
    serve\t"Open the house"
    check-config\t"Show every setting, and check a file of settings"
    stop\t"Close a house"
    status\t"Show whether a house is open, and what its processes do"
    metrics\t"Print the metrics of an open house"
    reload\t"Read the settings again and run a newer program"
    admin\t"Run moderation commands in an open house"
    backup\t"Back up the data of a house"
    restore\t"Replace the data of a closed house by a backup"
    check-data\t"Check a backup, or the data of a house"
    export\t"Print everything that is kept about a person, as JSON"
    cluster\t"Move a house to PostgreSQL, or back; show and change its nodes"
    help\t"Explain a command"'

complete -c trickhouse -n '__trickhouse_command_is serve stop status metrics reload admin backup restore' -l data -x -a '(__fish_complete_directories (commandline -ct))' -d 'The data folder'

complete -c trickhouse -n '__trickhouse_command_is simulate; and __trickhouse_word_count_is 2' -a '(__trickhouse_games)'
complete -c trickhouse -n '__trickhouse_command_is simulate bench' -l players -x -d 'Number of players'
complete -c trickhouse -n '__trickhouse_command_is simulate bench' -l option -x -d 'An option of the game, KEY=VALUE'
complete -c trickhouse -n '__trickhouse_command_is simulate bench' -l bots -x -a '(__fish_append , random easy medium strong)' -d 'How the bots play'
complete -c trickhouse -n '__trickhouse_command_is simulate' -l games -x -d 'Number of games'
complete -c trickhouse -n '__trickhouse_command_is simulate' -l seed -x -d '64 hex digits'
complete -c trickhouse -n '__trickhouse_command_is simulate' -l legal -d 'Add all legal moves to every move'

complete -c trickhouse -n '__trickhouse_command_is replay' -l seat -x -d 'The view of this seat, from 0'
complete -c trickhouse -n '__trickhouse_command_is replay' -l spectator -d 'The view of a spectator'
complete -c trickhouse -n '__trickhouse_command_is replay' -l step -x -d 'Only the view before this move'
complete -c trickhouse -n '__trickhouse_command_is replay' -l game -x -d 'Only this history of the file'

complete -c trickhouse -n '__trickhouse_command_is bench; and __trickhouse_word_count_is 2' -a bots
complete -c trickhouse -n '__trickhouse_command_is bench; and __trickhouse_word_count_is 3' -a '(__trickhouse_games)'
complete -c trickhouse -n '__trickhouse_command_is bench' -l deals -x -d 'Number of deals'
complete -c trickhouse -n '__trickhouse_command_is bench' -l rounds -x -d 'End each game after so many rounds'
complete -c trickhouse -n '__trickhouse_command_is bench' -l move-seconds -x -d 'Time of a program for each move'

complete -c trickhouse -n '__trickhouse_command_is serve' -l config -r -F -d 'Read the settings from this file'
complete -c trickhouse -n '__trickhouse_command_is serve' -l log -d 'Write the log to the data folder'
complete -c trickhouse -n '__trickhouse_command_is serve' -l detach -d 'Keep the house open in the background'
complete -c trickhouse -n '__trickhouse_command_is serve' -l check -d 'Only check the options and settings'
complete -c trickhouse -n '__trickhouse_command_is serve' -l ready-fd -x -d 'Write the port to this descriptor'
complete -c trickhouse -n '__trickhouse_command_is serve' -l ssh-port -x -d 'Port for ssh'
complete -c trickhouse -n '__trickhouse_command_is serve' -l telnet-port -x -d 'Listen for telnet too, on this port'
complete -c trickhouse -n '__trickhouse_command_is serve' -l bind -x -d 'Listen on this address only'
complete -c trickhouse -n '__trickhouse_command_is serve' -l name -x -d 'Name of the house'
complete -c trickhouse -n '__trickhouse_command_is serve' -l user -x -a '(__fish_complete_users)' -d 'Run as this user'
complete -c trickhouse -n '__trickhouse_command_is serve' -l sessions -x -d 'Connections at the same time'
complete -c trickhouse -n '__trickhouse_command_is serve' -l bot-delay -x -d 'Milliseconds before the move of a bot'
complete -c trickhouse -n '__trickhouse_command_is serve' -l grace -x -d 'Seconds to wait for an absent player'

complete -c trickhouse -n '__trickhouse_command_is check-config' -l sample -d 'Print a file that explains every setting'
complete -c trickhouse -n '__trickhouse_command_is check-config' -l manual -d 'Print the manual page of the settings'

complete -c trickhouse -n '__trickhouse_command_is status' -l json -d 'Print an object of JSON'

complete -c trickhouse -n '__trickhouse_command_is admin' -l json -d 'Print the answer for programs'
complete -c trickhouse -n '__trickhouse_command_is admin' -l yes -d 'Confirm the command'
complete -c trickhouse -n '__trickhouse_command_is admin; and contains -- audit (commandline -opc)' -l verify -d 'Check the audit log'

complete -c trickhouse -n '__trickhouse_command_is check-data' -l games -d 'Play every finished game again'
complete -c trickhouse -n '__trickhouse_command_is check-data' -l audit -d 'Verify the audit log'
complete -c trickhouse -n '__trickhouse_command_is check-data' -l quiet -d 'Print errors only'
complete -c trickhouse -n '__trickhouse_command_is check-data' -l backup -d 'Check as a house checks its backups'

complete -c trickhouse -n '__trickhouse_command_is cluster; and __trickhouse_word_count_is 2' -a 'copy status handover forget accept'
complete -c trickhouse -n '__trickhouse_command_is cluster' -l json -d 'Print an object of JSON'
complete -c trickhouse -n '__trickhouse_command_is replay verify check-config restore check-data export cluster' -F
