/** The sandbox and the environment of commands on the owner's own machine (CONSENT-9), for `nodeHands`. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MachinePaths } from '../machine/machine-path.ts';
import { commandEnvironment } from './environment.ts';
import { Sandbox } from './sandbox.ts';
import { SeatbeltSandbox } from './seatbelt-sandbox.ts';

interface CommandFlags {
  /** auto: bubblewrap, or sandbox-exec on macOS, if it works. */
  sandbox: 'auto' | 'none';
  /** The names of environment variables that commands get, besides harmless ones such as PATH. */
  env: readonly string[];
}

/** The network is on, as is the default of the kernel: public hosts, through a proxy. */
export function ownCommands({ sandbox, env }: CommandFlags): {
  sandbox?: Sandbox | SeatbeltSandbox;
  env: Record<string, string>;
} {
  const named = env.flatMap(name => {
    const value = process.env[name];
    // The model reads the output of commands, so it must not get the token of this client.
    return value === undefined || name === 'CHAT_KERNEL_TOKEN' ? [] : [[name, value]];
  });
  return {
    env: { ...commandEnvironment(process.env), ...Object.fromEntries(named) },
    ...(sandbox === 'auto' && { sandbox: openSandbox() }),
  };
}

function openSandbox(): Sandbox | SeatbeltSandbox {
  // The settings and data of a kernel on this machine, at their usual places.
  const places = ['.config/chat-kernel', '.local/share/chat-kernel'].map(path => join(homedir(), path));
  const paths = new MachinePaths(places);
  return process.platform === 'darwin'
    ? new SeatbeltSandbox(paths)
    : new Sandbox({ sandbox: 'auto', network: 'on' }, paths);
}
