/** The sandbox of what models do on this machine: whether the one that the settings want works. */
import type { Settings } from '@chat-kernel/protocol';
import { MachinePaths, sandboxProblem } from '@chat-kernel/tools';
import { type Finding, ok, problem } from './finding.ts';

/** @param settingsPlaces absolute paths that settings are read from */
export async function checkSandbox(
  { tools, data_dir }: Settings,
  settingsPlaces: readonly string[],
): Promise<Finding> {
  const { sandbox, network } = tools.shell;
  if (sandbox === 'none') return ok('sandbox', 'none; the commands of models can do all that this user can');
  const reason = await sandboxProblem({ paths: new MachinePaths([data_dir, ...settingsPlaces]), network });
  if (reason !== null) {
    return problem(
      'sandbox',
      reason,
      'or set tools.shell.sandbox: none, such as in a container, which is one itself',
    );
  }
  return ok(
    'sandbox',
    network === 'off'
      ? 'bubblewrap works; commands have no network'
      : 'bubblewrap works; commands have the network of this machine, and reach the kernel',
  );
}
