/** Approval policies: small functions that decide what may be done, and can ask one another. */
import type { Operation } from '../api/operation.ts';
import type { Action } from './hands.ts';

/** The decisions that this client knows; the kernel may offer others, which are skipped (EV-7). */
export const DECISIONS = [
  'allow',
  'allow_session',
  'allow_always',
  'allow_prefix',
  'allow_edits',
  'deny',
] as const;
export type Decision = (typeof DECISIONS)[number];
/** The decisions that cover later operations, too. */
export type LastingDecision = Exclude<Decision, 'allow' | 'deny'>;

/** A decision with what belongs to it. */
export interface Choice {
  decision: Decision;
  /** With allow_prefix, which needs it: whole words from the beginning of the command. */
  prefix?: string | undefined;
  /** With deny: what the owner says instead, which the model reads. */
  error?: string | undefined;
}

/**
 * Decides about an operation, and may take its time. Undefined, as when a dialog is closed, an error, or a decision that
 * was not offered is `deny`: an operation with decisions always gets an explicit one.
 * @param operation its `decisions` are those that this client knows
 * @param signal aborted when the operation is over: close the dialog
 */
export type Approve = (
  operation: Operation,
  signal: AbortSignal,
) => Decision | Choice | undefined | Promise<Decision | Choice | undefined>;

/** Allows nothing. */
export const denyAll: Approve = () => 'deny';

/**
 * Allows what only reads files under `directory`; all else is for `otherwise`.
 * @param directory where the relative paths of the hands begin
 */
export function allowReads(directory: string, otherwise: Approve): Approve {
  return (operation, signal) => {
    const { action, params } = operation;
    const reads =
      ONLY_READS[action as Action] === true && (isRelative(params.path) || isUnder(directory, params.path));
    return reads ? 'allow' : otherwise(operation, signal);
  };
}

export interface AllowRule {
  action: string;
  /** For `shell`: exactly this command. */
  command?: string;
  /** For the others: this file, or all in this directory. Relative paths match relative ones, absolute ones absolute ones. */
  path?: string;
}

/** Allows what one of the rules names; all else is for `otherwise`. */
export function allowList(rules: readonly AllowRule[], otherwise: Approve): Approve {
  return (operation, signal) => {
    const allowed = rules.some(
      ({ action, command, path }) =>
        action === operation.action &&
        (command === undefined || command === operation.params.command) &&
        (path === undefined || isUnder(path, operation.params.path)),
    );
    return allowed ? 'allow' : otherwise(operation, signal);
  };
}

/** Returns an explicit decision, whatever the policy does; undefined: the operation was over before. */
export async function decide(
  approve: Approve,
  operation: Operation,
  signal: AbortSignal,
): Promise<Choice | undefined> {
  const decisions = DECISIONS.filter(known => operation.decisions?.includes(known));
  const said = await Promise.race([ask(approve, { ...operation, decisions }, signal), over(signal)]);
  if (signal.aborted) return undefined;
  const choice = typeof said === 'object' ? said : { decision: said ?? ('deny' as const) };
  const isWhole = choice.decision !== 'allow_prefix' || choice.prefix !== undefined;
  return isWhole && decisions.includes(choice.decision) ? choice : { decision: 'deny' };
}

/** A new action does not compile until somebody has decided. */
const ONLY_READS: Readonly<Record<Action, boolean>> = {
  read: true,
  write: false,
  shell: false,
  read_bytes: true,
  write_bytes: false,
  find_bytes: true,
  list_dir: true,
  list_up: false,
  undo: false,
};

async function ask(
  approve: Approve,
  operation: Operation,
  signal: AbortSignal,
): Promise<Decision | Choice | undefined> {
  try {
    return await approve(operation, signal);
  } catch {
    // A dialog that broke counts as closed.
    return undefined;
  }
}

function over(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Compares the paths as text alone: links are followed where the file is opened. */
function isUnder(directory: string, path: unknown): boolean {
  if (typeof path !== 'string' || leaves(path)) return false;
  const base = stepsOf(directory);
  const steps = stepsOf(path);
  return isAbsolute(directory) === isAbsolute(path) && base.every((step, index) => step === steps[index]);
}

/** Relative paths begin in the directory of the hands, and may not leave it. */
const isRelative = (path: unknown): boolean => typeof path === 'string' && !isAbsolute(path) && !leaves(path);

const isAbsolute = (path: string): boolean => /^[/\\]|^[A-Za-z]:/.test(path);

const leaves = (path: string): boolean => stepsOf(path).includes('..');

const stepsOf = (path: string): string[] => path.split(/[/\\]/).filter(step => step !== '' && step !== '.');
