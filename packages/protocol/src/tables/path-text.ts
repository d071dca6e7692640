/**
 * Compares paths of any operating system by their text, because they belong to machines that only their clients can
 * access.
 */

/** Home directories of Linux, macOS and Windows. */
const HOME = /^(?:~[^/]*|\/(?:root|var\/root|(?:home|Users)\/[^/]+)|[a-z]:\/Users\/[^/]+)(?=\/|$)/iu;

/** Returns the home directory at the beginning of a path, with slashes; undefined if there is none. */
export const homeOf = (path: string): string | undefined =>
  HOME.exec(`${pathRoot(path) === '/' ? '/' : ''}${splitPath(path).join('/')}`)?.[0];

export const splitPath = (path: string): string[] =>
  path.split(/[/\\]/).filter(step => step !== '' && step !== '.');

/** `/`, `~`, a drive, or empty. */
export const pathRoot = (path: string): string => {
  const root = /^(?:[/\\]|~|[a-z]:)?/i.exec(path)?.[0].toLowerCase() ?? '';
  return root === '\\' ? '/' : root;
};
