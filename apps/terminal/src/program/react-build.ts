/**
 * Chooses the build of React that ships: the other one takes twice the time and memory. React looks at NODE_ENV once, when
 * it is loaded, so this module is imported before it; commands of the model must not find the variable, so it goes again.
 */
const before = process.env.NODE_ENV;
process.env.NODE_ENV ??= 'production';

/** Takes back what was set for the loading of React; called once all is loaded. */
export function forgetBuild(): void {
  if (before === undefined) delete process.env.NODE_ENV;
}
