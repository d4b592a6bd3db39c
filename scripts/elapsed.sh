#!/bin/sh
# Prints the time since START (seconds since 1970) as minutes:seconds.
now=$(date +%s)
seconds=$((now - ${START:-$now}))
printf '%d:%02d\n' $((seconds / 60)) $((seconds % 60))
