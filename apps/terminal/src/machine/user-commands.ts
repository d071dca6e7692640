/**
 * The user's own slash commands: each file `~/.config/chat-kernel/commands/<name>.md` is a message. Project folders are
 * not read, because an untrusted repository must not add commands.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface UserCommand {
  name: string;
  description: string;
  /** The message. `$ARGUMENTS` is replaced by the text after the name. */
  text: string;
}

const NAME = /^([a-z][a-z0-9-]*)\.md$/;
const MAX_CHARS = 100_000;

/** Returns $XDG_CONFIG_HOME/chat-kernel/commands, by default below ~/.config. */
function commandsFolder(env: NodeJS.ProcessEnv): string {
  const configured = env.XDG_CONFIG_HOME;
  return join(
    configured?.startsWith('/') ? configured : join(homedir(), '.config'),
    'chat-kernel',
    'commands',
  );
}

/** Returns the commands by name; none without the folder. Skips unreadable files. */
export function loadUserCommands(env: NodeJS.ProcessEnv): UserCommand[] {
  try {
    const folder = commandsFolder(env);
    return readdirSync(folder)
      .toSorted()
      .flatMap(file => {
        const name = NAME.exec(file)?.[1];
        return name === undefined ? [] : commandIn(name, join(folder, file));
      });
  } catch {
    return [];
  }
}

function commandIn(name: string, path: string): UserCommand[] {
  try {
    const text = readFileSync(path, 'utf8').slice(0, MAX_CHARS).trim();
    const [first = ''] = text.split('\n', 1);
    return text === '' ? [] : [{ name, description: first.replaceAll('#', '').trim().slice(0, 80), text }];
  } catch {
    return [];
  }
}

/** Builds the message of a command. Without a placeholder, the argument is appended. */
export function expandCommand({ text }: Pick<UserCommand, 'text'>, argument: string): string {
  if (text.includes('$ARGUMENTS')) return text.replaceAll('$ARGUMENTS', () => argument);
  return argument === '' ? text : `${text}\n\n${argument}`;
}
