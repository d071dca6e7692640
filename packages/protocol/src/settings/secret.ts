/** Marks secrets, which responses, logs and errors must not show, and paths. */
import type { z } from 'zod';

/** Marks a value as a secret. */
export const secret = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ secret: true });

const SECRET_NAME =
  /key|token|secret|passw(?:or)?d|credential|signature|\bsig\b|(?:\b|_)auth(?:\b|_)|^(?:proxy-)?authorization$|^cookie$/i;

/** Checks whether a header, variable or flag with this name has a secret value. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/**
 * Checks whether the value of a header or variable is a secret: by its name, or if it is long, has no space and mixes
 * letters and digits. A plain word (`X-Title: Chat`) is not a secret: hiding it everywhere would damage texts.
 */
export const isSecretValue = (name: string, value: string): boolean =>
  isSecretName(name) || (/^\S{16,}$/.test(value) && /[a-z]/i.test(value) && /\d/.test(value));

/**
 * Whether other users may read or write a file. A group may read what root owns, like the keys of a database server: only
 * root can have given a service its file in that way.
 */
export const isOpenToOthers = ({ mode, uid }: { mode: number; uid: number }): boolean =>
  (mode & (uid === 0 ? 0o037 : 0o077)) !== 0;

/** Marks a value as a path. */
export const path = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ path: true });
