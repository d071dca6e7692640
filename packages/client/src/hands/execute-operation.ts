/** Executes an operation with hands and converts its result to the API's format. */
import type { JsonObject } from '../api/types.ts';
import type { Action, Hands, OperationContext } from './hands.ts';

/** The response to an unknown action (OP-6). */
export const UNKNOWN_ACTION = 'unknown op action';

interface ActionFacts {
  /** Whether it only reads, so that reads may be allowed in general. */
  reads: boolean;
  /** Whether it changes anything. Listing names for the kernel does neither. */
  changes: boolean;
  /** The required parameters and their types. */
  params: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'array'>>;
}

const READS = { reads: true, changes: false };
const CHANGES = { reads: false, changes: true };
/** A new action does not compile without an entry here. */
const FACTS: Readonly<Record<Action, ActionFacts>> = {
  read: { ...READS, params: { path: 'string' } },
  write: { ...CHANGES, params: { path: 'string', content: 'string' } },
  shell: { ...CHANGES, params: { command: 'string' } },
  read_bytes: { ...READS, params: { path: 'string', offset: 'number', size: 'number' } },
  write_bytes: {
    ...CHANGES,
    params: { path: 'string', offset: 'number', data: 'string', truncate: 'boolean' },
  },
  find_bytes: { ...READS, params: { path: 'string', data: 'string', offset: 'number', limit: 'number' } },
  list_dir: { ...READS, params: { path: 'string' } },
  list_up: { reads: false, changes: false, params: { path: 'string', names: 'array' } },
  undo: { ...CHANGES, params: { mode: 'string', edits: 'array' } },
};

/** All actions by name. */
export const ACTIONS = Object.keys(FACTS) as Action[];

/** The facts of an action; undefined for those of newer kernels. */
export const factsOfAction = (name: string): ActionFacts | undefined =>
  Object.hasOwn(FACTS, name) ? FACTS[name as Action] : undefined;

export type OperationOutcome = { result: string | JsonObject } | { error: string };

export async function executeOperation(
  hands: Hands,
  action: string,
  params: JsonObject,
  context: OperationContext,
): Promise<OperationOutcome> {
  const facts = factsOfAction(action);
  const run = facts && hands[action as Action];
  if (facts === undefined || run === undefined) return { error: UNKNOWN_ACTION };
  const missing = Object.entries(facts.params).find(([name, type]) => typeName(params[name]) !== type);
  if (missing) return { error: `${action} needs ${missing[0]}: a ${missing[1]}` };
  try {
    const result = await (run as Run).call(hands, params, context);
    return { result };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Any action, after its parameters were checked. */
type Run = (params: JsonObject, context: OperationContext) => Promise<string | JsonObject>;

const typeName = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
