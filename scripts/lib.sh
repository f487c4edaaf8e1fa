# What the scripts share; source it from the root of the repository, with strict mode on.

say() { printf '== %s\n' "$*"; }
die() {
    printf 'scripts/%s: %s\n' "$(basename -- "$0")" "$*" >&2
    exit 1
}

find_python() {
    local candidate
    for candidate in python3.13 python3.12 python3.11 python3; do
        if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    die "no Python 3.11 or later with its venv module on PATH (on Debian: apt install python3-venv)"
}

works() { .venv/bin/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

# The directory is part of it: a tree that was moved has an editable install of the old place. So is the
# program, of which an installation has a copy.
fingerprint() {
    .venv/bin/python -c 'import hashlib, os, pathlib
read = [pathlib.Path(name).read_bytes() for name in ("pyproject.toml", "src/tabwright/faces/cli/tabwright")]
print(hashlib.sha256(b"".join(read)).hexdigest(), os.getcwd())'
}

# prepare STAMP WHAT REQUIREMENT: a venv with the requirement installed, once for each fingerprint.
prepare() {
    local python stamp=.venv/$1
    [[ -w . ]] || die "$PWD is not writable by $(id -un 2>/dev/null || id -u); use a clone of your own"
    [[ ! -e .venv || -w .venv ]] || die "$PWD/.venv belongs to another user; remove it or use a clone of your own"
    if ! works; then
        python=$(find_python)
        say "venv: .venv from $python"
        rm -rf .venv
        "$python" -m venv .venv
    fi
    # pip and the browser cache want a home that can be written.
    if [[ ! -d ${HOME:-} || ! -w ${HOME:-} ]]; then
        export HOME=$PWD/.venv/home
        mkdir -p "$HOME"
    fi
    if [[ $(cat "$stamp" 2>/dev/null) != "$(fingerprint)" ]]; then
        say "install: $2"
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --root-user-action ignore -e "$3"
        fingerprint >"$stamp"
    fi
}
