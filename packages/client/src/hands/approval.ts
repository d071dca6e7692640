/** Who says what may be done: approval policies, which are small functions that can stand in each other. */
import type { Operation } from '../api/operation.ts';

/** The decisions that this client knows; the kernel may offer others, which are skipped (EV-7). */
export const DECISIONS = ['allow', 'allow_session', 'allow_always', 'deny'] as const;
export type Decision = (typeof DECISIONS)[number];

/**
 * Says what is to be done with an operation, for as long as it takes. Undefined, as when a dialog is closed, an error,
 * or a decision that was not offered is `deny`: an operation that was asked about always gets an explicit decision.
 * @param operation its `decisions` are those that this client knows
 * @param signal aborted when the operation is over: close the dialog
 */
export type Approve = (
  operation: Operation,
  signal: AbortSignal,
) => Decision | undefined | Promise<Decision | undefined>;

/** Nothing is done. */
export const denyAll: Approve = () => 'deny';

/**
 * What only reads is allowed for files under `directory`; about all else `otherwise` is asked.
 * @param directory where the relative paths of the hands begin
 */
export function allowReads(directory: string, otherwise: Approve): Approve {
  return (operation, signal) => {
    const { action, params } = operation;
    const reads = READS.includes(action) && (isRelative(params.path) || isUnder(directory, params.path));
    return reads ? 'allow' : otherwise(operation, signal);
  };
}

export interface AllowRule {
  action: string;
  /** Of `shell`: exactly this command. */
  command?: string;
  /** Of the others: this file, or all in this directory. A relative one names relative paths, a whole one whole ones. */
  path?: string;
}

/** What one of the rules names is allowed; about all else `otherwise` is asked. */
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

/**
 * An explicit decision, whatever the policy does. Undefined: the operation was over before.
 */
export async function decide(
  approve: Approve,
  operation: Operation,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  const decisions = DECISIONS.filter(known => operation.decisions?.includes(known));
  const said = await Promise.race([ask(approve, { ...operation, decisions }, signal), over(signal)]);
  if (signal.aborted) return undefined;
  return said !== undefined && decisions.includes(said) ? said : 'deny';
}

const READS = ['read', 'read_bytes', 'find_bytes'];

async function ask(
  approve: Approve,
  operation: Operation,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  try {
    return await approve(operation, signal);
  } catch {
    // A dialog that broke is one that was closed.
    return undefined;
  }
}

function over(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** By the words of the paths alone: links are for whoever opens the file. */
function isUnder(directory: string, path: unknown): boolean {
  if (typeof path !== 'string' || leaves(path)) return false;
  const base = stepsOf(directory);
  const steps = stepsOf(path);
  return isWhole(directory) === isWhole(path) && base.every((step, index) => step === steps[index]);
}

/** It begins in the directory of the hands, and stays there. */
const isRelative = (path: unknown): boolean => typeof path === 'string' && !isWhole(path) && !leaves(path);

const isWhole = (path: string): boolean => /^[/\\]|^[A-Za-z]:/.test(path);

const leaves = (path: string): boolean => stepsOf(path).includes('..');

const stepsOf = (path: string): string[] => path.split(/[/\\]/).filter(step => step !== '' && step !== '.');
