# Functions that the scripts of this folder share; each of them sources this file.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

die()
{
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# read_version: prints the project's version; standard input is CMakeLists.txt.
read_version()
{
    sed -n 's/^project(trickhouse VERSION \([0-9.]*\).*/\1/p'
}

# list_packages KIND...: prints the packages that deploy/packages lists for these kinds.
list_packages()
{
    local kinds=" $* " kind name
    while read -r kind name; do
        case $kinds in
        *" $kind "*) printf '%s\n' "$name" ;;
        esac
    done < <(grep -v '^#' "$root/deploy/packages")
}

# without_new_cluster COMMAND...: runs the command, which installs packages. If Debian's package of
# PostgreSQL is one of them, it does not make and start a database server, as it else would: the
# tests start servers of their own. The command begins with sudo unless root runs the script.
without_new_cluster()
{
    local as_root=() status=0
    local settings=/etc/postgresql-common/createcluster.d/trickhouse.conf
    [ "$1" != sudo ] || as_root=(sudo)
    "${as_root[@]}" mkdir -p "$(dirname "$settings")"
    echo 'create_main_cluster = false' | "${as_root[@]}" tee "$settings" >/dev/null
    "$@" || status=$?
    "${as_root[@]}" rm -f "$settings"
    return $status
}

# install_missing KIND...: installs the missing packages through apt and prints their names. Needs
# root only if a package is missing.
install_missing()
{
    local name missing=() as_root=()
    while read -r name; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q '^install ok installed$' ||
            missing+=("$name")
    done < <(list_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || die "needs Debian's packages: ${missing[*]}"
    printf 'Installing from Debian: %s\n' "${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            die "as root, please run: apt-get install --no-install-recommends ${missing[*]}"
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y
        --no-install-recommends "${missing[@]}")
    case " ${missing[*]} " in
    *" postgresql-"*) without_new_cluster "${install[@]}" ;;
    *) "${install[@]}" ;;
    esac >/dev/null
}

# build_target TARGET PRESET [CMAKE_OPTION...]: configures and builds; prints nothing unless that
# fails. A clone that was moved since its last build is built anew, because cmake refuses to go on.
build_target()
{
    local target=$1 preset=$2 folder=$root/build/$2 log built
    shift
    { mkdir -p "$folder" && [ -w "$folder" ]; } 2>/dev/null ||
        die "cannot write into $folder: please clone the project into a folder of yours"
    built=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt" 2>/dev/null) || true
    if [ -n "$built" ] && ! [ "$built" -ef "$root" ]; then
        echo "Building anew, since this clone was in $built before"
        rm -rf "$folder"
    fi
    log=$(mktemp) || die "cannot write into ${TMPDIR:-/tmp}"
    # in English, for the words below
    if ! (cd "$root" && export LC_ALL=C && cmake --preset "$@" &&
        cmake --build --preset "$preset" --target "$target") >"$log" 2>&1; then
        if grep -qiE 'no space left|quota exceeded' "$log" || is_full "$folder" || is_full "$log"; then
            rm -f "$log"
            die "the $preset build failed, because the disk of $folder or of ${TMPDIR:-/tmp} is full"
        fi
        tail -n 60 "$log" >&2
        rm -f "$log"
        die "the $preset build failed"
    fi
    rm -f "$log"
}

# is_full PATH: tells whether the file system has less than a MiB left.
is_full()
{
    [ "$(df --output=avail "$1" 2>/dev/null | tail -n 1)" -lt 1024 ] 2>/dev/null
}

# build PRESET [CMAKE_OPTION...]: the same, with everything.
build()
{
    build_target all "$@"
}

# make_house_user USER: makes the system user that runs a house, if missing.
make_house_user()
{
    getent passwd "$1" >/dev/null && return
    echo "Making the user $1, whom the house runs as"
    useradd --system --user-group --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin "$1"
}

# can_user USER TEST FILE: runs test(1) on the file as the user.
can_user()
{
    setpriv --reuid "$1" --regid "$1" --clear-groups test "$2" "$3"
}

# copy_program PROGRAM FOLDER: copies the built program and its catalogues into the folder.
copy_program()
{
    mkdir -p "$2"
    install -p -m 755 "$1" "$2/trickhouse.new" # the time tells whether a house runs an older one
    mv "$2/trickhouse.new" "$2/trickhouse"
    # Make new files instead of overwriting: a running house has the old ones mapped into memory.
    rm -rf "$2/locale"
    cp -R "$(dirname "$1")/locale" "$2/locale"
}
