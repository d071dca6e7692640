/** Directories in which others than their owner can put sockets: what listens there would be taken for a module. */
const GROUP = 0o020;
const ALL = 0o002;

/** Returns who else may write where the permissions are these, such as `everybody`; undefined where nobody may. */
export function writableByOthers(mode: number): string | undefined {
  // Windows reports permissions that it does not have.
  if (process.platform === 'win32') return undefined;
  if (mode & ALL) return 'everybody';
  return mode & GROUP ? 'its group' : undefined;
}
