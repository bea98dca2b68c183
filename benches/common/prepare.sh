# Sourced by the `run` of a bench: the Python environment of the peers, and the program under test.
# Sets `python` (of that environment), and exports NEVIS.
benches=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=$(cd "$benches/.." && pwd)
environment=${NEVIS_PEERS_ENV:-$root/target/peers-env}
python=$environment/bin/python

[[ -x $python ]] || python3 -m venv "$environment"
# With everything in place pip neither downloads nor asks the network.
"$python" -m pip install --quiet --disable-pip-version-check -r "$benches/peers/requirements.txt"
# FIt-SNE is built from its source, which wants FFTW; where that cannot be installed the benches leave FIt-SNE out.
# shellcheck source=scripts/setup
source "$root/scripts/setup"
if ! "$python" -c 'import fitsne' 2>/dev/null && ensure_packages "has_header fftw3.h|libfftw3-dev"; then
    "$python" -m pip install --quiet --disable-pip-version-check cython==0.29.37 setuptools==65.5.0 wheel &&
        "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps fitsne==1.2.1 ||
        echo "FIt-SNE could not be built" >&2
fi

# NEVIS=path measures a program built elsewhere, such as last month's.
if [[ -z ${NEVIS:-} ]]; then
    cargo build --release --quiet --manifest-path "$root/Cargo.toml" --bin nevis
    NEVIS=${CARGO_TARGET_DIR:-$root/target}/release/nevis
fi
export NEVIS
# Modules of benches/common and benches/peers are found by name.
export PYTHONPATH=$benches/common:$benches/peers PYTHONDONTWRITEBYTECODE=1
