# Becomes the program "$@", which leads its session. A watcher next to it waits for the end of fd 3, whose other end only the
# kernel holds: when the kernel closes it, or dies, the watcher ends all processes of the session.

# Sends a signal to each process of this session except the watcher; fails if there is none. Processes are found by
# their session and not by their group, because programs such as timeout create new groups.
signal_others() {
  signal=$1
  found=1
  for stat in /proc/[0-9]*/stat; do
    read -r line 2>/dev/null <"$stat" || continue
    # After the name in parentheses, which may contain spaces: state, parent, group, session.
    set -- "${line%% *}" ${line##*) }
    if [ "$5" = "$$" ] && [ "$2" != Z ] && [ "$1" != "$watcher" ]; then
      found=0
      kill "-$signal" "$1"
    fi
  done
  return $found
}

watch() {
  trap '' HUP INT TERM
  read -r _ <&3
  if ! read -r watcher _ </proc/self/stat; then
    # Without /proc, signal the group instead; the last signal reaches the watcher too.
    kill -s TERM -- "-$$"
    sleep 2
    kill -s KILL -- "-$$"
  fi
  signal_others TERM || return
  for _ in 1 2 3 4; do
    sleep 0.5
    signal_others 0 || return
  done
  # SIGKILL is repeated, in case a process has started a child in between.
  for _ in 1 2 3 4 5; do
    signal_others KILL || return
    sleep 0.1
  done
}

# The watcher starts from a process that exits immediately, because the program must not have a child that it did not
# start. The watcher has none of the program's pipes: their ends show the kernel that the program has exited. Redirect by
# exec, because a redirected function may keep its old descriptors open.
(
  {
    exec </dev/null >/dev/null 2>&1 4>&- 5>&-
    watch
  } &
)

exec "$@" 3<&-
