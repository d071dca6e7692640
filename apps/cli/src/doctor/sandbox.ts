/** Checks that the configured sandbox works. */
import { MachinePaths, Sandbox } from '@chat-kernel/hands/own-machine';
import type { Settings } from '@chat-kernel/protocol';
import { type Finding, ok, problem, warning } from './finding.ts';

/** @param settingsPlaces absolute paths of settings files */
export async function checkSandbox(
  { tools, data_dir }: Settings,
  settingsPlaces: readonly string[],
): Promise<Finding> {
  const { sandbox, network } = tools.shell;
  if (sandbox === 'none') return ok('sandbox', NONE);
  const paths = new MachinePaths([data_dir, ...settingsPlaces]);
  const reason = await new Sandbox(tools.shell, paths).problem();
  if (reason !== null && sandbox === 'auto' && network === 'on') {
    return warning('sandbox', `${NONE}: ${reason}`, 'or set tools.shell.sandbox: none to confirm this');
  }
  if (reason !== null) {
    return problem('sandbox', reason, 'or set tools.shell.sandbox: none, for example in a container');
  }
  return ok(
    'sandbox',
    `bubblewrap works; commands can write in the working directory and reach ${reached(network)}`,
  );
}

const NONE = 'none; commands of models have all permissions of this user';

function reached(network: Settings['tools']['shell']['network']): string {
  if (network === 'off') return 'no host';
  return network === 'on' ? 'public hosts only' : network.join(', ');
}
