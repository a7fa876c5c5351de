#!/usr/bin/env bash
# Over four ranks of MPI: the edges and the bytes of one process, whatever happens on the way.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v mpicc >/dev/null || ! command -v mpirun >/dev/null || ! ls /usr/lib/llvm-*/lib/libclang.so* >/dev/null 2>&1; then
    apt-get update
    apt-get install -y --no-install-recommends libopenmpi-dev openmpi-bin libclang-dev
fi
# Linted here: where there is no MPI, its code is not compiled.
cargo clippy --quiet --locked --features mpi -- -D warnings
cargo build --quiet --locked --features mpi
umm=$(realpath -m "${CARGO_TARGET_DIR:-target}")/debug/umm
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# CI is root, and has fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export RAYON_NUM_THREADS=2

fail() {
    echo "tests/mpi.sh: $*" >&2
    exit 1
}

# A grid, most of whose distances are equal, with copies of some points.
for x in 0 1 2 3 4 5 6 7; do
    for y in 0 1 2 3 4 5 6 7; do echo "$x,$y"; done
done >grid.csv
head -n 9 grid.csv >>grid.csv

edges() {
    "$umm" greedy "$@" --engine paper --csv one.csv >/dev/null
    for ranks in 1 4; do
        for engine in mpi mpi-fast; do
            mpirun -n $ranks "$umm" greedy "$@" --engine $engine --csv ranks.csv >report.txt
            cmp one.csv ranks.csv || fail "greedy $*: $ranks ranks of $engine give other edges"
            [ "$(grep -c '^edges' report.txt)" = 1 ] || fail "greedy $*: not one report"
        done
    done
}
for spread in square clusters; do
    edges random -n 150 --seed 3 --distribution $spread
done
edges grid.csv
printf '0,0\n1,0\n3,0\n' >line.csv # one rank has no line
edges line.csv
echo '5,5' >point.csv # no rank has one
edges point.csv

"$umm" greedy random -n 30000 --csv one.csv >/dev/null
mpirun -n 4 "$umm" greedy random -n 30000 --engine mpi-fast --csv ranks.csv >/dev/null
cmp one.csv ranks.csv || fail "mpi-fast gives other edges than fast"

# Tables of five block columns, and of one.
chords() {
    "$umm" opt solve "$@" --engine cpu --csv one.csv >one.txt
    for ranks in 1 4; do
        mpirun -n $ranks "$umm" opt solve "$@" --engine mpi --csv ranks.csv >report.txt
        cmp one.csv ranks.csv || fail "opt solve $*: $ranks ranks give other chords"
        diff <(grep '^total weight' one.txt) <(grep '^total weight' report.txt) ||
            fail "opt solve $*: $ranks ranks give another weight, or not one"
    done
}
for type in f32 f64 i32; do
    chords random -n 300 --type $type
done
chords random -n 5
awk 'BEGIN { for (a = 0; a < 130; a++) for (b = 0; b < 130; b++)
    printf "%s%s", (a * 7 + b * 3) % 9 ? (a * b) % 11 - 3 : "inf", b < 129 ? "," : "\n" }' >weights.csv
chords --weights weights.csv --type f64
# All but the times.
answer() { sed -E 's/"(engine|seconds|relaxations_per_s|triangles_s)": *[^,}]*[,]?//g'; }
for problem in matrix-chain search-tree; do
    "$umm" opt $problem random -n 200 --json --engine cpu | answer >one.json
    mpirun -n 4 "$umm" opt $problem random -n 200 --json --engine mpi | answer >ranks.json
    cmp one.json ranks.json || fail "opt $problem: four ranks give another answer"
done
awk 'BEGIN { for (a = 0; a < 70; a++) for (b = 0; b < 70; b++)
    printf "inf%s", b < 69 ? "," : "\n" }' >weights.csv
code=0
mpirun -n 4 "$umm" opt solve --weights weights.csv --engine mpi 2>error.txt || code=$?
[ $code = 1 ] || fail "weights without a triangulation end with exit code $code: $(cat error.txt)"
[ "$(grep -c 'have no triangulation' error.txt)" = 1 ] || fail "not told once: $(cat error.txt)"

# What is wrong before ranks meet is told once, too, and so is what they find out together.
told_once() {
    local code=0 text=$1
    shift
    mpirun -n 4 "$umm" "$@" >/dev/null 2>error.txt || code=$?
    [ $code = 2 ] || fail "$*: exit code $code: $(cat error.txt)"
    [ "$(grep -c "$text" error.txt)" = 1 ] || fail "$*: not told once: $(cat error.txt)"
}
for engine in mpi mpi-fast; do
    told_once 'missing.csv: ' greedy missing.csv --engine $engine
done
told_once 'at most 16384 points' greedy random -n 40000 --engine mpi
told_once 'missing.csv: ' opt solve missing.csv --engine mpi
told_once 'start more ranks' opt solve random -n 131072 --type f64 --engine mpi
told_once 'missing.toml: ' sweep missing.toml -o missing.csv
told_once 'no_such_listing' bounds no_such_listing --set n=8
told_once 'has a parameter .m.' complexity prefix_sums --set m=8,16

study() {
    "$umm" "$@" >one.txt
    mpirun -n 4 "$umm" "$@" >ranks.txt
    cmp one.txt ranks.txt || fail "$*: four ranks print something else"
}
study bounds umm_opt --set n=8..32*2 -p 16,64 -w 4,32 -l 1,5
study bounds sum_hmm --set n=256 -m hmm -d 1,2 --json
study complexity prefix_sums --set n=8..64*2 --bulk column -p 64,256

cat >spec.toml <<'TOML'
algorithm = ["permute", "umm_opt"]
set.n = "16..40+8"
threads = "1..64*2"
latency = "1..6"
mode = ["sync", "async"]
phases = true
TOML
"$umm" sweep spec.toml -o whole.csv >/dev/null
mpirun -n 4 "$umm" sweep spec.toml -o all.csv >report.txt
cmp whole.csv all.csv || fail "a sweep over ranks gives another table"
[ "$(wc -l <report.txt)" = 1 ] || fail "a sweep over ranks is not reported once"

# A rank that dies takes the others with it, and no row.
mpirun -n 4 "$umm" sweep spec.toml -o killed.csv >/dev/null 2>&1 &
mpirun=$!
until [ -e killed.csv.partial ] && [ "$(wc -l <killed.csv.partial)" -gt 50 ]; do
    kill -0 $mpirun || fail "the sweep was over before a rank could be killed"
    sleep 0.01
done
kill -9 "$(pgrep -P $mpirun | tail -n 1)"
wait $mpirun && fail "a rank was killed, and mpirun does not say so"
rows=$(wc -l <killed.csv.partial)
mpirun -n 4 "$umm" sweep spec.toml -o killed.csv >/dev/null
cmp whole.csv killed.csv || fail "after a rank was killed, the sweep goes on to another table"

# What is wrong with one point ends all ranks.
printf 'algorithm endless(n)\ninout a[n] : f32\nwhile a[0] >= 0 do\n  a[1] <- 1\n' >endless.alg
code=0
mpirun -n 4 "$umm" sweep endless.alg --set n=4,8 --while-limit 100 -o endless.csv 2>error.txt || code=$?
[ $code = 2 ] || fail "a point that fails ends with exit code $code: $(cat error.txt)"
[ "$(grep -c 'at the point endless' error.txt)" = 1 ] || fail "not told once: $(cat error.txt)"

echo "mpi: triangulations, tables, studies and sweeps over ranks passed ($rows rows when a rank was killed)"
