#!/bin/bash
# Runs COMMAND with a scheduler of its own, in a private mount namespace: nothing of it is seen outside (root only).
# usage: namespace.sh cron|systemd COMMAND [ARG ...]
set -euo pipefail
if [ "${IN_NAMESPACE:-}" != 1 ]; then exec env IN_NAMESPACE=1 unshare -m bash "$0" "$@"; fi
scheduler="$1"
shift
case "$scheduler" in
  cron)
    # An empty spool, and none of the machine's own jobs, which this daemon would run a second time.
    mount -t tmpfs tmpfs /run
    mount -t tmpfs tmpfs /var/spool/cron
    mount -t tmpfs tmpfs /etc/cron.d
    mount --bind /dev/null /etc/crontab
    install -d -m 1730 -g crontab /var/spool/cron/crontabs
    /usr/sbin/cron -f 2>/dev/null &
    daemon=$!
    # It tells a change of the spool by whole seconds: one in the second of its first look would stay unseen.
    sleep 2
    ;;
  systemd)
    XDG_RUNTIME_DIR="$(mktemp -d)"
    export XDG_RUNTIME_DIR
    mkdir -p /run/systemd
    mount -t tmpfs tmpfs /run/systemd
    # By this folder systemctl knows that the machine was booted with systemd.
    mkdir -p /run/systemd/system "$HOME/.config/systemd/user"
    /lib/systemd/systemd --user --log-level=warning --log-target=console \
      >"$XDG_RUNTIME_DIR/manager.log" 2>&1 &
    daemon=$!
    for _ in $(seq 100); do [ -S "$XDG_RUNTIME_DIR/systemd/private" ] && break; sleep 0.1; done
    ;;
esac
status=0
"$@" || status=$?
kill "$daemon" 2>/dev/null || true
wait "$daemon" 2>/dev/null || true
if [ "$scheduler" = systemd ]; then rm -rf "$XDG_RUNTIME_DIR"; fi
exit "$status"
