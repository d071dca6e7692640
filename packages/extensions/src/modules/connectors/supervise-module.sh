# Becomes the module "$@". A watcher beside it waits for the end of fd 3, whose other end only the kernel holds: when the
# kernel closes it, or dies, the watcher ends everything in the process group of the module.

watch() {
  trap '' HUP INT TERM
  read -r _ <&3
  kill -s TERM -- "-$$"
  sleep 2
  # The watcher is in the group, too.
  kill -s KILL -- "-$$"
}

# The watcher starts from a process that ends at once: a module shall not find a child that it did not start. It has none
# of the module's pipes, because their ends tell the kernel that the module has gone.
(
  {
    exec </dev/null >/dev/null 2>&1
    watch
  } &
)

exec "$@" 3<&-
