/**
 * Detects directories in which other users can create sockets: the kernel would treat what listens there as a module.
 */
const GROUP = 0o020;
const ALL = 0o002;

/** Returns which other users may write with these permissions, such as `everybody`; undefined if no other user may. */
export function writableByOthers(mode: number): string | undefined {
  // Windows reports permissions that it does not have.
  if (process.platform === 'win32') return undefined;
  if (mode & ALL) return 'everybody';
  return mode & GROUP ? 'its group' : undefined;
}
