#!/bin/sh
# Sets up what is not there yet for `setup.sh run`, `test` or `lint`: .venv with the packages that
# pyproject.toml lists, and system packages. The Makefile runs it; it is quick when all is there.
set -eu
cd "$(dirname "$0")/.."
goal=$1

fail() {
    echo "$1" >&2
    exit 1
}

# --- the virtual environment ---------------------------------------------------------------------

# Written last: the requirements that are installed.
stamp=.venv/installed.txt
# There while .venv is being made or changed: what an interrupted set-up leaves is made anew.
unfinished=.venv/unfinished

wanted() {
    .venv/bin/python - "$goal" <<'PYTHON'
import sys
import tomllib

with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
print(*project["project"]["dependencies"], sep="\n")
if sys.argv[1] != "run":
    print(*project["dependency-groups"]["dev"], sep="\n")
PYTHON
}

# runs PYTHON CODE: whether that Python is there and runs the code without an error.
runs() {
    "$1" -c "$2" 2>/dev/null
}

is_new_enough() {
    runs "$1" 'import sys; sys.exit(sys.version_info < (3, 11))'
}

version() {
    "$1" --version 2>/dev/null
}

# Whether .venv is whole, and of the Python that is asked for, if one is.
is_usable() {
    ! [ -f "$unfinished" ] &&
        is_new_enough .venv/bin/python &&
        runs .venv/bin/python "import pip" &&
        { [ -z "${PYTHON:-}" ] || [ "$(version "$PYTHON")" = "$(version .venv/bin/python)" ]; }
}

# Sets `python` to the first that is new enough.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        set -- "$PYTHON"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11
    fi
    for python; do
        if is_new_enough "$python"; then
            return
        fi
    done
    fail "$1 is not Python 3.11 or newer: install one, and name it with make $goal PYTHON=..."
}

create_venv() {
    find_python
    rm -rf .venv
    mkdir .venv
    : >"$unfinished"
    if runs "$python" "import ensurepip"; then
        "$python" -m venv .venv
    elif runs "$python" "import pip"; then
        # Debian keeps ensurepip in a package of its own, python3-venv.
        "$python" -m venv --without-pip .venv
        site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
        PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ROOT_USER_ACTION=ignore "$python" -m pip install \
            --quiet --disable-pip-version-check --target "$site" pip
    else
        fail "$python has neither ensurepip nor pip: install Debian's python3-venv or python3-pip."
    fi
}

set_up_venv() {
    if [ -f "$stamp" ] && is_usable && ! wanted | grep -qvxFf "$stamp"; then
        return
    fi
    echo "Installing the Python packages that pyproject.toml lists into .venv."
    if ! is_usable; then
        create_venv
    fi
    : >"$unfinished"
    wanted >"$stamp.new"
    status=0
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$stamp.new" || status=$?
    rm "$unfinished"
    [ "$status" = 0 ] || exit "$status"
    mv "$stamp.new" "$stamp"
}

# --- the system's packages -----------------------------------------------------------------------

missing=
packages=

# need WHAT PACKAGE...: WHAT is missing, and these Debian packages bring it.
need() {
    missing="$missing${missing:+, }$1"
    shift
    packages="$packages $*"
}

need_driver() {
    status=0
    .venv/bin/python app.py --list-adapters >/dev/null 2>&1 || status=$?
    if [ "$status" = 2 ]; then
        need "a Vulkan driver" libvulkan1 mesa-vulkan-drivers
    fi
}

# What the libraries in the packages glfw and imgui-bundle load or are linked with.
need_window() {
    names="libX11.so.6 libXcursor.so.1 libXext.so.6 libXi.so.6 libXinerama.so.1 libXrandr.so.2"
    debian="libx11-6 libxcursor1 libxext6 libxi6 libxinerama1 libxrandr2"
    if [ "${XDG_SESSION_TYPE:-}" = wayland ]; then
        names="$names libwayland-client.so.0 libwayland-cursor.so.0"
        names="$names libwayland-egl.so.1 libxkbcommon.so.0"
        debian="$debian libwayland-client0 libwayland-cursor0 libwayland-egl1 libxkbcommon0"
    fi
    load='import ctypes, sys; [ctypes.CDLL(name) for name in sys.argv[1:]]'
    # shellcheck disable=SC2086
    if [ "$(uname)" = Linux ] && ! .venv/bin/python -c "$load" $names 2>/dev/null; then
        # shellcheck disable=SC2086
        need "libraries for a window" $debian
    fi
}

# need_command COMMAND PACKAGE
need_command() {
    command -v "$1" >/dev/null || need "$1" "$2"
}

install_packages() {
    [ -n "$packages" ] || return 0
    if ! command -v apt-get >/dev/null; then
        fail "Not found: $missing. Please install it; on Debian this would be:$packages."
    fi
    sudo=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            fail "Not found: $missing. Run once as root: apt-get update && apt-get install$packages"
        fi
        sudo=sudo
    fi
    echo "Not found: $missing. Installing with apt-get:$packages."
    apt="$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300"
    $apt update || echo "apt-get update failed; trying with the lists that are there." >&2
    # shellcheck disable=SC2086
    $apt install -y --no-install-recommends $packages >/dev/null
}

set_up_venv
case $goal in
run)
    need_driver
    # Without a display there is no window: the terminal and --headless do without.
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}$packages" ]; then
        need_window
    fi
    ;;
test)
    need_driver
    need_window
    need_command Xvfb xvfb
    need_command xdotool xdotool
    need_command xrdb x11-xserver-utils
    need_command tmux tmux
    ;;
esac
install_packages
