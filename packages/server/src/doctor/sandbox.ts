/** The sandbox of what models do on this machine: whether the one that the settings want works. */
import type { Settings } from '@chat-kernel/protocol';
import { MachinePaths, Sandbox } from '@chat-kernel/tools';
import { type Finding, ok, problem, warning } from './finding.ts';

/** @param settingsPlaces absolute paths that settings are read from */
export async function checkSandbox(
  { tools, data_dir }: Settings,
  settingsPlaces: readonly string[],
): Promise<Finding> {
  const { sandbox, network } = tools.shell;
  if (sandbox === 'none') return ok('sandbox', NONE);
  const paths = new MachinePaths([data_dir, ...settingsPlaces]);
  const reason = await new Sandbox(tools.shell, paths).problem();
  if (reason !== null && sandbox === 'auto' && network === 'on') {
    return warning('sandbox', `${NONE}: ${reason}`, 'or say tools.shell.sandbox: none where that is meant');
  }
  if (reason !== null) {
    return problem(
      'sandbox',
      reason,
      'or set tools.shell.sandbox: none, such as in a container, which is one itself',
    );
  }
  return ok(
    'sandbox',
    `bubblewrap works; commands write in the working directory, and reach ${reached(network)}`,
  );
}

const NONE = 'none; the commands of models can do all that this user can';

function reached(network: Settings['tools']['shell']['network']): string {
  if (network === 'off') return 'no host';
  return network === 'on' ? 'public hosts alone' : network.join(', ');
}
