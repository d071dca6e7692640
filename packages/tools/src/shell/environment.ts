/** The environment of a command: the kernel's variables that programs need, and none that may be a secret. */
import { homedir } from 'node:os';

const PASSED_ON = ['HOME', 'LANG', 'PATH', 'SHELL', 'TMPDIR', 'USER'];

export function commandEnvironment(
  kernel: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: homedir(),
  };
  for (const [name, value] of Object.entries(kernel)) {
    if (value !== undefined && (PASSED_ON.includes(name) || name.startsWith('LC_'))) {
      environment[name] = value;
    }
  }
  return { ...environment, TERM: 'dumb' };
}
