/** Approval policies: small functions that decide which operations are allowed. They can be chained. */
import {
  DECISIONS,
  type Decision,
  factsOfDecision,
  isSecretRead,
  sandboxException,
} from '@chat-kernel/protocol/tables';
import type { Operation } from '../api/operation.ts';
import type { OpsResult } from '../api/types.ts';
import { factsOfAction } from './execute-operation.ts';
import { operationsOfCall } from './whole-calls.ts';

/** A decision with its details. */
export interface Choice {
  decision: Decision;
  /** The beginning of the command, in complete words. Required by a decision that covers a `prefix`. */
  prefix?: string | undefined;
  /** With deny: the owner's instruction instead, for the model. */
  error?: string | undefined;
}

/**
 * Decides about an operation, possibly after a while. Undefined (a closed dialog), an error, or a decision that was not
 * offered counts as `deny`: an operation with decisions always gets an explicit one.
 * @param operation its `decisions` are those that this client knows
 * @param signal aborted when the operation has ended: close the dialog
 */
export type Approve = (
  operation: Operation,
  signal: AbortSignal,
) => Decision | Choice | undefined | Promise<Decision | Choice | undefined>;

/**
 * True for an operation about which its owner is asked each time, also if they allow all others: it may read a secret
 * place, or leaves the sandbox.
 */
export const alwaysAsks = ({ action, params }: Pick<Operation, 'action' | 'params'>): boolean =>
  isSecretRead(action, params.path) || (action === 'shell' && sandboxException(params) === 'outside_sandbox');

/** Allows nothing. */
export const denyAll: Approve = () => 'deny';

/**
 * Allows operations that only read files under `directory`, except secret places, and passes all others to `otherwise`.
 * @param directory base of the hands' relative paths
 */
export function allowReads(directory: string, otherwise: Approve): Approve {
  return (operation, signal) => {
    const { action, hands } = operation;
    // The directory is one of this machine.
    const reads =
      hands === undefined &&
      factsOfAction(action)?.reads === true &&
      !alwaysAsks(operation) &&
      operationsOfCall(operation).every(
        ({ params: { path } }) => isRelative(path) || isUnder(directory, path),
      );
    return reads ? 'allow' : otherwise(operation, signal);
  };
}

export interface AllowRule {
  action: string;
  /** For `shell`: exactly this command. */
  command?: string;
  /**
   * For other actions: this file, or all files in this directory. Relative paths match relative ones, absolute ones
   * absolute ones.
   */
  path?: string;
}

/**
 * Allows operations that match a rule, and passes all others to `otherwise`, also commands that leave the sandbox.
 */
export function allowList(rules: readonly AllowRule[], otherwise: Approve): Approve {
  return (operation, signal) => {
    const allowed = operationsOfCall(operation).every(({ params }) =>
      rules.some(
        ({ action, command, path }) =>
          action === operation.action &&
          sandboxException(params) === undefined &&
          (command === undefined || command === params.command) &&
          (path === undefined || isUnder(path, params.path)),
      ),
    );
    return allowed ? 'allow' : otherwise(operation, signal);
  };
}

/** Returns an explicit decision, whatever the policy returns. Undefined: the operation ended before. */
export async function decide(
  approve: Approve,
  operation: Operation,
  signal: AbortSignal,
): Promise<Choice | undefined> {
  // Newer kernels may offer other decisions, which are skipped (EV-7).
  const decisions = DECISIONS.filter(known => operation.decisions?.includes(known));
  const said = await Promise.race([ask(approve, { ...operation, decisions }, signal), over(signal)]);
  if (signal.aborted) return undefined;
  const choice = typeof said === 'object' ? said : { decision: said ?? ('deny' as const) };
  const isWhole = factsOfDecision(choice.decision)?.reach !== 'prefix' || choice.prefix !== undefined;
  return isWhole && decisions.includes(choice.decision) ? choice : { decision: 'deny' };
}

async function ask(
  approve: Approve,
  operation: Operation,
  signal: AbortSignal,
): Promise<Decision | Choice | undefined> {
  try {
    return await approve(operation, signal);
  } catch {
    // A dialog that failed counts as closed.
    return undefined;
  }
}

function over(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Compares the paths only as text: links are resolved when the file is opened. */
function isUnder(directory: string, path: unknown): boolean {
  if (typeof path !== 'string' || leaves(path)) return false;
  const base = splitPath(directory);
  const steps = splitPath(path);
  return isAbsolute(directory) === isAbsolute(path) && base.every((step, index) => step === steps[index]);
}

/** Relative paths begin in the directory of the hands, and must not leave it. */
const isRelative = (path: unknown): boolean => typeof path === 'string' && !isAbsolute(path) && !leaves(path);

const isAbsolute = (path: string): boolean => /^[/\\]|^[A-Za-z]:/.test(path);

const leaves = (path: string): boolean => splitPath(path).includes('..');

const splitPath = (path: string): string[] => path.split(/[/\\]/).filter(step => step !== '' && step !== '.');

/**
 * If the kernel offered decisions, it writes the text for the model (OP-5, HANDS-7); otherwise this machine writes the
 * same text.
 * @param reason what the owner says about it
 */
export function denial(
  { decisions }: Pick<Operation, 'decisions'>,
  reason: string | undefined,
): Pick<OpsResult, 'decision' | 'error'> {
  if (decisions?.includes('deny') !== true) return { error: denialText(reason) };
  return { decision: 'deny', ...(reason !== undefined && { error: reason }) };
}

/** The text of a denial, identical to the kernel's. */
const denialText = (reason = ''): string =>
  `The user declined this operation.${reason.trim() === '' ? '' : ` They said: ${reason.trim()}`}`;
