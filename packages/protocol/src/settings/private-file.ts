/** Judges whether other users of a machine can read a file with secrets. */

/**
 * Whether other users may read or write a file. A group may read what root owns, like the keys of a database server: only
 * root can have given a service its file in that way.
 */
export const isOpenToOthers = ({ mode, uid }: { mode: number; uid: number }): boolean =>
  (mode & (uid === 0 ? 0o037 : 0o077)) !== 0;
