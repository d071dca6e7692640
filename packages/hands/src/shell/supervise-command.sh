# Runs "$@" for the kernel, and ends all of its processes once the kernel closes fd 3 or dies.
# fd 1: receives stdout and stderr in order. fd 3: open as long as the command may run. fd 4: receives the exit code.
# fd 5: a connection for the command, or closed.

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
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 0.1
    signal_others 0 || return
  done
  # SIGKILL is repeated, in case a process has started a child in between.
  for _ in 1 2 3 4 5; do
    signal_others KILL || return
    sleep 0.1
  done
}

# Redirect by exec, because a redirected function may keep its old descriptors open.
{
  exec </dev/null >/dev/null 2>&1 4>&- 5>&-
  watch
} &

# Send the output to cat through a real pipe: the kernel reads from a socket, which cannot be opened as /dev/stderr.
# cat outlives SIGTERM, so that the last output arrives.
{
  "$@" 4>&-
  echo "$?" >&4
} </dev/null 2>&1 3<&- | {
  trap '' TERM
  exec cat
} 3<&- 4>&- 5>&-
