# Runs "$@" for the kernel, and ends all that it started once the kernel lets go of fd 3, or dies.
# fd 1: takes the output, errors in their place. fd 3: open as long as the command may run. fd 4: takes the exit code.

# Sends a signal to each process of this session but the watcher; fails where there is none. Processes are found by
# their session and not by their group, for programs such as timeout make new groups.
signal_others() {
  signal=$1
  found=1
  for stat in /proc/[0-9]*/stat; do
    read -r line 2>/dev/null <"$stat" || continue
    # Behind the name in parentheses, which may hold spaces: state, parent, group, session.
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
    # Without /proc the group has to do; the last signal reaches the watcher too.
    kill -s TERM -- "-$$"
    sleep 2
    kill -s KILL -- "-$$"
  fi
  signal_others TERM || return
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 0.1
    signal_others 0 || return
  done
  # SIGKILL is repeated, should a process have had a child in between.
  for _ in 1 2 3 4 5; do
    signal_others KILL || return
    sleep 0.1
  done
}

# The redirections are made by exec, for a redirected function may keep its old descriptors open.
{
  exec </dev/null >/dev/null 2>&1 4>&-
  watch
} &

# The output goes to cat through a real pipe: the kernel reads from a socket, which cannot be opened as /dev/stderr.
# cat outlives SIGTERM, so that the last output arrives.
{
  "$@" 4>&-
  echo "$?" >&4
} </dev/null 2>&1 3<&- | {
  trap '' TERM
  exec cat
} 3<&- 4>&-
