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

# install_missing KIND...: installs the missing packages through apt and prints their names. Needs
# root only if a package is missing.
install_missing()
{
    local name missing=() as_root=() install
    local clusters=/etc/postgresql-common/createcluster.conf
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
    install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y
        --no-install-recommends)
    "${as_root[@]}" apt-get update -qq
    if [[ " ${missing[*]} " == *" postgresql-"* ]]; then
        # PostgreSQL's package opens a database server unless this file says otherwise.
        "${install[@]}" postgresql-common >/dev/null
        grep -q '^ *create_main_cluster' "$clusters" ||
            echo 'create_main_cluster = false' | "${as_root[@]}" tee -a "$clusters" >/dev/null
    fi
    "${install[@]}" "${missing[@]}" >/dev/null
}

# build PRESET [CMAKE_OPTION...]: configures and builds; prints nothing unless that fails.
build()
{
    local preset=$1 log
    log=$(mktemp)
    if ! { cd "$root" && cmake --preset "$@" && cmake --build --preset "$preset"; } \
        >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        rm -f "$log"
        die "the $preset build failed"
    fi
    rm -f "$log"
}
