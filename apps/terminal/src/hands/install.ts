/** The service of `chat-kernel hands`: a user unit of systemd, or a launch agent of macOS, written and removed. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StandByHandsOptions } from './options.ts';

/** The programs that run it: the runtime with its flags, and the file that it runs. */
interface ServiceProgram {
  words: readonly string[];
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** Writes the service; returns what its owner does next. @throws Error on a system that has neither */
export function install(options: StandByHandsOptions, program: ServiceProgram): string {
  const { path, start } = placeOf(options.name, program);
  const words = [...program.words, 'hands', ...wordsOf(options)];
  mkdirSync(dirname(path), { recursive: true });
  const text = program.platform === 'darwin' ? plistOf(options, words) : unitOf(options, words);
  // The token is in it.
  writeFileSync(path, text, { mode: 0o600 });
  return `Wrote ${path}. Start it with:\n  ${start}\n`;
}

/** Removes the service; returns what its owner does to stop one that runs. */
export function uninstall(name: string, program: ServiceProgram): string {
  const { path, stop } = placeOf(name, program);
  if (!existsSync(path)) return `There is no ${path}.\n`;
  rmSync(path);
  return `Removed ${path}. Stop what runs with:\n  ${stop}\n`;
}

function placeOf(name: string, { platform, env }: ServiceProgram) {
  // What a file name may not hold is left out; the name itself stands in the file.
  const slug = name.replace(/[^\p{L}\p{N}]+/gu, '-');
  if (platform === 'darwin') {
    const path = join(homedir(), 'Library/LaunchAgents', `chat-kernel.hands.${slug}.plist`);
    const stop = `launchctl bootout gui/$(id -u)/chat-kernel.hands.${slug}`;
    return { path, start: `launchctl bootstrap gui/$(id -u) ${quoted(path)}`, stop };
  }
  if (platform !== 'linux')
    throw new Error('--install knows Linux and macOS; start chat-kernel hands by your own means');
  const unit = `chat-kernel-hands-${slug}.service`;
  const config = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(homedir(), '.config');
  return {
    path: join(config, 'systemd/user', unit),
    start: `systemctl --user daemon-reload && systemctl --user enable --now ${unit}`,
    stop: `systemctl --user disable --now ${unit}`,
  };
}

const wordsOf = ({ url, name, allow }: StandByHandsOptions): string[] => [
  ...['--name', name, '--url', url],
  ...allow.flatMap(directory => ['--allow', directory]),
];

function unitOf({ name, token }: StandByHandsOptions, words: readonly string[]): string {
  return `[Unit]
Description=Chat Kernel: ${name.replaceAll('%', '%%')} stands by

[Service]
${token === undefined ? '' : `Environment=${inUnit(`CHAT_KERNEL_TOKEN=${token}`)}\n`}ExecStart=${words.map(inUnit).join(' ')}
Restart=on-failure
RestartSec=10
# The name belongs to another machine, or an option is wrong: trying again would not help.
RestartPreventExitStatus=2 4

[Install]
WantedBy=default.target
`;
}

/** A word of a unit: systemd takes % and $ for its own, and quotes as a shell does. */
const inUnit = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;

function plistOf({ name, token }: StandByHandsOptions, words: readonly string[]): string {
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
  <array>${words.map(inPlist).join('')}</array>${environment}
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>10</integer>
</dict>
</plist>
`;
}

const inPlist = (text: string): string =>
  `<string>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`;

/** For a line that a person copies into a shell. */
const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
