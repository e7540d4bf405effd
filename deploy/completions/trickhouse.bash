# Completes the command line of trickhouse in bash.

# Completes $cur as the last item of a list with commas, which consists of the given words.
_trickhouse_list()
{
    local before=
    case $cur in
    *,*) before=${cur%,*}, ;;
    esac
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$*" -- "${cur##*,}")
    compopt -o nospace
}

# Completes the value of the option $prev. Returns 1 if that is no option with a value.
_trickhouse_value()
{
    case $prev in
    --data)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        ;;
    --config)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        ;;
    --user) mapfile -t COMPREPLY < <(compgen -u -- "$cur") ;;
    --bots) _trickhouse_list random easy medium strong ;;
    --bind | --bot-delay | --deals | --game | --games | --grace | --move-seconds | --name | \
        --option | --players | --ready-fd | --rounds | --seat | --seed | --sessions | --ssh-port | \
        --step | --telnet-port)
        # --games takes a number in simulate only.
        [ "$prev" != --games ] || [ "$command" = simulate ]
        ;;
    *) return 1 ;;
    esac
}

_trickhouse()
{
    local commands="simulate replay verify bench serve check-config stop status metrics reload admin
        backup restore check-data export cluster help --help --version"
    local games="oh-hell hund heckin-hounds head-and-tail suppose"
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} options= words= wants_file=false
    COMPREPLY=()
    # bash splits --data=DIR into three words.
    if [ "$cur" = = ]; then
        cur=
    elif [ "$prev" = = ]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$cur")
        return
    fi
    case $command in
    simulate)
        options="--players --games --seed --option --bots --legal"
        words=$games
        ;;
    replay)
        options="--seat --spectator --step --game"
        wants_file=true
        ;;
    verify) wants_file=true ;;
    bench)
        options="--players --bots --deals --rounds --move-seconds --option"
        words=$games
        [ "$COMP_CWORD" -gt 2 ] || words=bots
        ;;
    serve)
        options="--data --config --log --detach --check --ready-fd --ssh-port --telnet-port --bind
            --name --user --sessions --bot-delay --grace"
        ;;
    check-config)
        options="--sample --manual"
        wants_file=true
        ;;
    stop | metrics | reload | backup) options=--data ;;
    status) options="--data --json" ;;
    admin)
        options="--data --json --yes"
        case " ${COMP_WORDS[*]} " in
        *" audit "*) options=--verify ;;
        esac
        ;;
    restore)
        options=--data
        wants_file=true
        ;;
    check-data)
        options="--games --audit --quiet --backup"
        wants_file=true
        ;;
    export) wants_file=true ;;
    cluster)
        options=--json
        if [ "$COMP_CWORD" -eq 2 ]; then
            words="copy status handover forget accept"
        else
            wants_file=true
        fi
        ;;
    help) words=$commands ;;
    esac
    if _trickhouse_value; then
        return
    fi
    if [ -z "$words" ] || [ "${cur#-}" != "$cur" ]; then
        words="$words $options --help"
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    if $wants_file && [ "${cur#-}" = "$cur" ]; then
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}

complete -F _trickhouse trickhouse
