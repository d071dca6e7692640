# Becomes the module "$@". A watcher next to it waits for the end of fd 3, whose other end only the kernel holds: when the
# kernel closes it, or dies, the watcher ends everything in the process group of the module.

watch() {
  trap '' HUP INT TERM
  read -r _ <&3
  kill -s TERM -- "-$$"
  sleep 2
  # The watcher is in the group, too.
  kill -s KILL -- "-$$"
}

# The watcher starts from a process that exits immediately, because the module must not have a child that it did not
# start. The watcher has none of the module's pipes: their ends show the kernel that the module has exited.
(
  {
    exec </dev/null >/dev/null 2>&1
    watch
  } &
)

exec "$@" 3<&-
