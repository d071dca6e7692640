/**
 * Builds the environment of programs that the kernel starts: it has what programs need, without the kernel's secrets.
 */

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

const PASSED_ON = ['HOME', 'LANG', 'PATH', 'SHELL', 'TMPDIR', 'USER'];

/** Returns the variables of the kernel that programs may have, always with a PATH. */
export function harmlessVariables(kernel: ProcessEnvironment): Record<string, string> {
  const variables: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  for (const [name, value] of Object.entries(kernel)) {
    if (value !== undefined && (PASSED_ON.includes(name) || name.startsWith('LC_'))) variables[name] = value;
  }
  return variables;
}
