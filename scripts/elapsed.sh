#!/bin/sh
# Minutes and seconds since START, which is in seconds since 1970.
now=$(date +%s)
seconds=$((now - ${START:-$now}))
printf '%d:%02d\n' $((seconds / 60)) $((seconds % 60))
