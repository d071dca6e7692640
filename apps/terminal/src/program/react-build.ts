/**
 * Selects the production build of React: the development build takes twice the time and memory. React reads NODE_ENV when
 * it is loaded, so import this module first. The variable is then restored, because commands of the model inherit it.
 */
const before = process.env.NODE_ENV;
process.env.NODE_ENV ??= 'production';

/** Restores the variable after React has been loaded. */
export function forgetBuild(): void {
  if (before === undefined) delete process.env.NODE_ENV;
}
