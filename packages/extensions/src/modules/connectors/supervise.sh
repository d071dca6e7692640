# Becomes the module "$@". Beside it a watcher waits for the end of fd 3, whose other end only the kernel holds: when
# the kernel lets go of it, or dies, everything in the process group of the module is ended.

watch() {
  trap '' HUP INT TERM
  read -r _ <&3
  kill -s TERM -- "-$$"
  sleep 2
  # Itself included.
  kill -s KILL -- "-$$"
}

# From a process that ends at once: the module shall not find a child that it did not start. Without the module's
# pipes, for their ends tell the kernel that the module has gone.
(
  {
    exec </dev/null >/dev/null 2>&1
    watch
  } &
)

exec "$@" 3<&-
