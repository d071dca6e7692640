/** Executes an operation with hands and converts its result to the API's format. */
import type { JsonObject } from '../api/types.ts';
import type { Action, Hands, OperationContext } from './hands.ts';

/** The response to an unknown action (OP-6). */
export const UNKNOWN_ACTION = 'unknown op action';

/** Action → its required parameters and their types. */
const PARAMETERS: {
  readonly [Name in Action]: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'array'>>;
} = {
  read: { path: 'string' },
  write: { path: 'string', content: 'string' },
  shell: { command: 'string' },
  read_bytes: { path: 'string', offset: 'number', size: 'number' },
  write_bytes: { path: 'string', offset: 'number', data: 'string', truncate: 'boolean' },
  find_bytes: { path: 'string', data: 'string', offset: 'number', limit: 'number' },
  list_dir: { path: 'string' },
  list_up: { path: 'string', names: 'array' },
  undo: { mode: 'string', edits: 'array' },
};

/** All actions by name. */
export const ACTIONS = Object.keys(PARAMETERS) as Action[];

export type OperationOutcome = { result: string | JsonObject } | { error: string };

export async function executeOperation(
  hands: Hands,
  action: string,
  params: JsonObject,
  context: OperationContext,
): Promise<OperationOutcome> {
  const run = isAction(action) ? hands[action] : undefined;
  if (run === undefined) return { error: UNKNOWN_ACTION };
  const missing = Object.entries(PARAMETERS[action as Action]).find(
    ([name, type]) => typeName(params[name]) !== type,
  );
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

const isAction = (name: string): name is Action => Object.hasOwn(PARAMETERS, name);

const typeName = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
