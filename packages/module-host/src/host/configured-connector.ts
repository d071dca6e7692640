/** Creates the connector of a module from the settings. */
import type { ProcessEnvironment } from '@chat-kernel/hands/processes';
import type { ModuleSettings } from '@chat-kernel/protocol';
import { programConnector } from '../connectors/program-connector.ts';
import { socketConnector } from '../connectors/socket-connector.ts';
import type { HostedModuleDeps } from '../hosted/hosted-module.ts';
import { nameMistake } from './module-name.ts';

/** Returns the connector of the module, or a sentence that says why its entry in the settings is not usable. */
export function configuredConnector(
  name: string,
  { socket, command, args, env }: ModuleSettings,
  environment: ProcessEnvironment,
): HostedModuleDeps['connector'] {
  const mistake = nameMistake(name);
  if (mistake) return mistake;
  if (socket !== undefined && command !== undefined) return 'its entry has both a socket and a command';
  if (socket !== undefined) return () => socketConnector(socket);
  if (command === undefined) return 'its entry has neither a socket nor a command';
  return log => programConnector({ command, args, env }, environment, text => log.printed(text));
}
