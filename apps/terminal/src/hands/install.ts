/** Installs and removes the service of `chat-kernel hands`: a systemd user unit, or a macOS launch agent. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandOptions } from '@chat-kernel/hands';

/** The command to run: the runtime with its flags, and the file. */
interface ServiceProgram {
  words: readonly string[];
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** Writes the service and returns the next step. @throws Error on other systems */
export function install(options: StandByHandsOptions, program: ServiceProgram): string {
  const { path, start } = locateService(options.name, program);
  const args = [...program.words, 'hands', ...buildArguments(options)];
  mkdirSync(dirname(path), { recursive: true });
  const text = program.platform === 'darwin' ? renderPlist(options, args) : renderUnit(options, args);
  // The file contains the token.
  writeFileSync(path, text, { mode: 0o600 });
  return `Wrote ${path}. Start it with:\n  ${start}\n`;
}

/** Removes the service and returns how to stop a running one. */
export function uninstall(name: string, program: ServiceProgram): string {
  const { path, stop } = locateService(name, program);
  if (!existsSync(path)) return `${path} does not exist.\n`;
  rmSync(path);
  return `Removed ${path}. Stop the running service with:\n  ${stop}\n`;
}

function locateService(name: string, { platform, env }: ServiceProgram) {
  // The file name omits special characters; the file contains the full name.
  const slug = name.replace(/[^\p{L}\p{N}]+/gu, '-');
  if (platform === 'darwin') {
    const path = join(homedir(), 'Library/LaunchAgents', `chat-kernel.hands.${slug}.plist`);
    const stop = `launchctl bootout gui/$(id -u)/chat-kernel.hands.${slug}`;
    return { path, start: `launchctl bootstrap gui/$(id -u) ${quoted(path)}`, stop };
  }
  if (platform !== 'linux')
    throw new Error('--install supports Linux and macOS only. Start chat-kernel hands in another way.');
  const unit = `chat-kernel-hands-${slug}.service`;
  const config = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(homedir(), '.config');
  return {
    path: join(config, 'systemd/user', unit),
    start: `systemctl --user daemon-reload && systemctl --user enable --now ${unit}`,
    stop: `systemctl --user disable --now ${unit}`,
  };
}

const buildArguments = ({ url, name, allow, words }: StandByHandsOptions): string[] => [
  ...['--name', name, '--url', url],
  ...allow.flatMap(directory => ['--allow', directory]),
  ...words,
];

function renderUnit({ name, token }: StandByHandsOptions, args: readonly string[]): string {
  return `[Unit]
Description=Chat Kernel: ${name.replaceAll('%', '%%')} stands by

[Service]
${token === undefined ? '' : `Environment=${inUnit(`CHAT_KERNEL_TOKEN=${token}`)}\n`}ExecStart=${args.map(inUnit).join(' ')}
Restart=on-failure
RestartSec=10
# The name belongs to another machine, or an option is wrong: trying again would not help.
RestartPreventExitStatus=2 4

[Install]
WantedBy=default.target
`;
}

/** Quotes an argument for a systemd unit, where % and $ are special. */
const inUnit = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;

function renderPlist({ name, token }: StandByHandsOptions, args: readonly string[]): string {
  const label = `chat-kernel.hands.${name.replace(/[^\p{L}\p{N}]+/gu, '-')}`;
  const environment =
    token === undefined
      ? ''
      : `\n  <key>EnvironmentVariables</key>\n  <dict><key>CHAT_KERNEL_TOKEN</key>${inPlist(token)}</dict>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${inPlist(label)}
  <key>ProgramArguments</key>
  <array>${args.map(inPlist).join('')}</array>${environment}
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>10</integer>
</dict>
</plist>
`;
}

const inPlist = (text: string): string =>
  `<string>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`;

/** Quotes an argument for a shell. */
const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** The options of `chat-kernel hands`. */
export interface StandByHandsOptions {
  url: string;
  token?: string | undefined;
  /** The name of this machine in chats. */
  name: string;
  /** The allowed directories, absolute. Relative paths resolve in the first. */
  allow: readonly [string, ...string[]];
  /** How commands run on this machine. */
  commands: CommandOptions;
  /** Further arguments, for the service that starts this program. */
  words: readonly string[];
}
