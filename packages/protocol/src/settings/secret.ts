/** Values that no answer, log or error may show. */
import type { z } from 'zod';

/** Marks a value as a secret. */
export const secret = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ secret: true });

const SECRET_NAME =
  /key|token|secret|passw(?:or)?d|credential|signature|\bsig\b|(?:\b|_)auth(?:\b|_)|^(?:proxy-)?authorization$|^cookie$/i;

/** Tells whether a thing with this name (a header, a variable, a flag) has a secret for its value. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/**
 * Tells whether the value of a header or a variable is a secret: by its name, or as it is long, has no space and mixes letters
 * and digits. A plain word (`X-Title: Chat`) is none: to hide it in each text would say nothing and spoil the text.
 */
export const isSecretValue = (name: string, value: string): boolean =>
  isSecretName(name) || (/^\S{16,}$/.test(value) && /[a-z]/i.test(value) && /\d/.test(value));
