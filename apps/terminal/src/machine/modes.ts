/** Approval modes: ask about every change, accept edits in the working directory, or allow no changes. */
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { factsOfAction, type Operation } from '@chat-kernel/client';
import type { NodeHands } from '@chat-kernel/hands';
import { isEditBelow } from '@chat-kernel/protocol';

/** In the order that Shift-Tab cycles through. */
const MODES = ['ask', 'edits', 'plan'] as const;
export type Mode = (typeof MODES)[number];

export const modeAfter = (mode: Mode): Mode => MODES[(MODES.indexOf(mode) + 1) % MODES.length]!;

/** Label in the status line; null for none. */
export const WORDS_OF_MODE: Readonly<Record<Mode, string | null>> = {
  ask: null,
  edits: 'accept edits',
  plan: 'plan only',
};

/** The option that accepts a plan. */
export const ACCEPTED = 'Go ahead';
/** Context of each message in plan mode. */
export const PLAN_CONTEXT =
  'The user wants a plan only. You may read and search. Operations that change files or run commands are denied. ' +
  'When you know enough, write the plan. Then call ask_questions with one question, whether to go ahead, and the ' +
  `options "${ACCEPTED}" and "Not yet".`;

/** Unknown actions count as changes. */
export const changesThings = (action: string): boolean => factsOfAction(action)?.changes ?? true;

/** Hands that deny changes in plan mode, regardless of earlier approvals. Copying attached files is not a change. */
export function guarded(hands: NodeHands, mode: () => Mode): NodeHands {
  const refuse = () => {
    if (mode() === 'plan') throw new Error('The user wants a plan only. Do not change anything yet.');
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

/** Whether an operation writes a file below the directory, after resolving links, that is not protected (CONSENT-6). */
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
    const directory = await realpath(workdir);
    const home = await realpath(homedir()).catch(() => homedir());
    return isEditBelow(directory, await resolveLinks(resolve(workdir, path)), [home]);
  } catch {
    // Ask about paths that cannot be resolved.
    return false;
  }
}

/** Resolves links in the existing part of a path. @throws Error for a dangling link */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const link = await lstat(path).catch(() => undefined);
    if (link !== undefined || dirname(path) === path) throw error;
    return join(await resolveLinks(dirname(path)), basename(path));
  }
}
