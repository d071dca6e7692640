/** Sends signals to a process and all its children. */

/** Sends a signal to the process group that `pid` leads; undefined: the process did not start. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended, or belongs to another user.
  }
}
