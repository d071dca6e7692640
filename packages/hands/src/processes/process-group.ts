/** Sends signals to a process and all its children. */

/** Sends a signal to the process group that `pid` leads. If the group has already ended, this is not an error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
