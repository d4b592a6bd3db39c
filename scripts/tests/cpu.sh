#!/bin/sh
# A build for this CPU says in one line what is missing on an older one, instead of dying with SIGILL.
#
# Usage: cpu.sh PROGRAM          built with -C target-cpu=native; needs qemu-x86_64 (Debian: qemu-user)
set -eu

program=$1
if ! command -v qemu-x86_64 > /dev/null; then
    echo "cpu: skipped (qemu-x86_64 not found)"
    exit 0
fi
if "$program" compiler | grep "Compilation settings" | grep -qv avx2; then
    echo "cpu: skipped (not built for a CPU with AVX2)"
    exit 0
fi
for cpu in qemu64 Nehalem SandyBridge; do
    message=$(qemu-x86_64 -cpu "$cpu" "$program" bench 1 1 1 2>&1 | grep -v "TCG doesn't support") || true
    case $message in
        "vedette: built for another CPU, missing here: "*avx2*"make portable)") ;;
        *) echo "cpu: $cpu: $message" >&2; exit 1 ;;
    esac
done
echo "cpu: ok"
