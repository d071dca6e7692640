/** How much the owner is asked: each change, none of the files below the directory, or nothing may change at all. */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Action, Operation } from '@chat-kernel/client';
import type { NodeHands } from '@chat-kernel/client/node';
import { isInside } from './paths.ts';

/** In the order of Shift-Tab. */
const MODES = ['ask', 'edits', 'plan'] as const;
export type Mode = (typeof MODES)[number];

export const modeAfter = (mode: Mode): Mode => MODES[(MODES.indexOf(mode) + 1) % MODES.length]!;

/** For the status line; null: nothing is said. */
export const WORDS_OF_MODE: Readonly<Record<Mode, string | null>> = {
  ask: null,
  edits: 'accept edits',
  plan: 'plan only',
};

/** The option by which the owner accepts a plan. */
export const ACCEPTED = 'Carry it out';
/** What the model is told with each message of a chat in the mode `plan`. */
export const PLAN_CONTEXT =
  'The user wants a plan only. You may read and search; everything that changes files or runs commands is refused. ' +
  'When you know enough, write the plan, then call ask_questions with one question, whether to carry it out, and the ' +
  `options "${ACCEPTED}" and "Not yet".`;

/** A new action does not compile until somebody has decided. */
const CHANGES: Readonly<Record<Action, boolean>> = {
  read: false,
  write: true,
  shell: true,
  read_bytes: false,
  write_bytes: true,
  find_bytes: false,
  list_up: false,
  list_dir: false,
  undo: true,
};
export const changesThings = (action: string): boolean =>
  !Object.hasOwn(CHANGES, action) || CHANGES[action as Action];

/** Hands that refuse changes in the mode `plan`, whatever was allowed before; copies of attached files are none. */
export function guarded(hands: NodeHands, mode: () => Mode): NodeHands {
  const refuse = () => {
    if (mode() === 'plan') throw new Error('The user wants a plan only: nothing may be changed yet.');
  };
  return {
    ...hands,
    async write(params, context) {
      refuse();
      return hands.write(params, context);
    },
    async shell(params, context) {
      refuse();
      return hands.shell(params, context);
    },
    async write_bytes(params, context) {
      if (!params.path.includes(`${sep}.service${sep}files${sep}`)) refuse();
      return hands.write_bytes(params, context);
    },
  };
}

/** Files that a shell or git runs by itself. */
const STARTUP =
  /^\.(?:bash|zsh|ksh|csh|tcsh|fish|profile|login|logout|inputrc|envrc|xprofile|xinitrc|git)[\w.-]*$/i;

/** Whether an operation writes a file below the directory, links followed, that neither a shell nor git runs. */
export async function isPlainEdit(
  workdir: string,
  { action, params: { path, edits } }: Pick<Operation, 'action' | 'params'>,
): Promise<boolean> {
  if (action === 'undo') {
    if (!Array.isArray(edits)) return false;
    const plain = edits.map(edit => isPlainEdit(workdir, { action: 'write', params: { path: edit?.path } }));
    return (await Promise.all(plain)).every(Boolean);
  }
  if (action !== 'write' || typeof path !== 'string') return false;
  try {
    const home = await realpath(workdir);
    const file = await realOf(resolve(workdir, path));
    return (
      isInside(file, home) &&
      !relative(home, file)
        .split(sep)
        .some(step => STARTUP.test(step))
    );
  } catch {
    // What cannot be followed to its end is asked about.
    return false;
  }
}

/** Follows the links of the part of a path that exists. @throws Error for a link that leads to nothing */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const link = await lstat(path).catch(() => undefined);
    if (link !== undefined || dirname(path) === path) throw error;
    return join(await realOf(dirname(path)), basename(path));
  }
}
