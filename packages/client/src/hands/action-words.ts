/** What an operation does, in the words of a question to the owner: the same in every client. */
import type { Action } from './hands.ts';

/** Operations that only list names are never asked about. */
const WORDS: Readonly<Record<Exclude<Action, 'list_dir' | 'list_up'>, string>> = {
  shell: 'run a command',
  read: 'read a file',
  write: 'write a file',
  read_bytes: 'read bytes of a file',
  write_bytes: 'write bytes of a file',
  find_bytes: 'search in a file',
  undo: 'undo edits of files',
};

/** An action that this client does not know may be a tool of a module, which asks before it acts. */
export const wordsOfAction = (action: string): string =>
  Object.hasOwn(WORDS, action) ? WORDS[action as keyof typeof WORDS] : `use ${action}`;

/** Says what holds an operation of the kernel itself; an older kernel does not tell, and of others there is nothing to say. */
export const wordsOfSandbox = (sandbox: 'bwrap' | 'none' | undefined): string | null =>
  sandbox === undefined ? null : sandbox === 'none' ? 'not sandboxed' : 'in a sandbox';
