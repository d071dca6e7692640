/** What of the kernel's environment the program of a guest gets: what programs need, and nothing that may be a secret. */

export type Environment = Readonly<Record<string, string | undefined>>;

const PASSED_ON = ['HOME', 'LANG', 'PATH', 'SHELL', 'TMPDIR', 'USER'];

/** `own`: what its entry in the settings says; it wins. */
export function guestEnvironment(kernel: Environment, own: Environment = {}): Record<string, string> {
  const environment: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const passedOn = Object.entries(kernel).filter(
    ([name]) => PASSED_ON.includes(name) || name.startsWith('LC_'),
  );
  for (const [name, value] of [...passedOn, ...Object.entries(own)]) {
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
