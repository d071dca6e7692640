/**
 * The owner's own slash commands: `~/.config/chat-kernel/commands/<name>.md`, each of which is a message. No folder of a
 * project is read: what a stranger's repository holds must not become a command by itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface OwnCommand {
  name: string;
  description: string;
  /** The message; `$ARGUMENTS` stands for what follows the name. */
  text: string;
}

const NAME = /^([a-z][a-z0-9-]*)\.md$/;
const MAX_CHARS = 100_000;

/** Returns $XDG_CONFIG_HOME/chat-kernel/commands, by default below ~/.config. */
function commandsFolder(env: NodeJS.ProcessEnv): string {
  const given = env.XDG_CONFIG_HOME;
  return join(given?.startsWith('/') ? given : join(homedir(), '.config'), 'chat-kernel', 'commands');
}

/** By their names; none where there is no such folder. Files that cannot be read are passed over. */
export function ownCommands(env: NodeJS.ProcessEnv): OwnCommand[] {
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

function commandIn(name: string, path: string): OwnCommand[] {
  try {
    const text = readFileSync(path, 'utf8').slice(0, MAX_CHARS).trim();
    const [first = ''] = text.split('\n', 1);
    return text === '' ? [] : [{ name, description: first.replaceAll('#', '').trim().slice(0, 80), text }];
  } catch {
    return [];
  }
}

/** The message of a command; what follows its name stands at its end where the text has no place for it. */
export function messageOf({ text }: Pick<OwnCommand, 'text'>, argument: string): string {
  if (text.includes('$ARGUMENTS')) return text.replaceAll('$ARGUMENTS', () => argument);
  return argument === '' ? text : `${text}\n\n${argument}`;
}
