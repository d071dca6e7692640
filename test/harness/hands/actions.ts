/**
 * Executes the actions of a client with hands: the product's own implementation, plus a check of the parameters that
 * the kernel sends.
 */
import { type OperationOutcome, executeOperation as performWith, UNKNOWN_ACTION } from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/hands';
import type { JsonObject } from '@chat-kernel/protocol';
import { z } from 'zod';

interface Surroundings {
  /** Base of relative paths, and the working directory of commands that name none. */
  directory: string;
  /** Aborted once the result has become useless: then the running command is killed. */
  signal: AbortSignal;
  /** Reports the latest output of a command. */
  progress(output: string): void;
}

/** The parameters that the kernel must send with each action; additional ones are skipped, as clients do. */
const PARAMETERS: Readonly<Record<string, z.ZodObject>> = {
  read: z.object({ path: z.string() }),
  write: z.object({ path: z.string(), content: z.string() }),
  shell: z.object({
    command: z.string(),
    workdir: z.string().optional(),
    timeout_secs: z.number().positive().optional(),
  }),
  read_bytes: z.object({ path: z.string(), offset: z.int().min(0), size: z.int().min(1) }),
  write_bytes: z.object({
    path: z.string(),
    offset: z.int().min(0),
    data: z.base64(),
    truncate: z.boolean(),
  }),
  find_bytes: z.object({
    path: z.string(),
    data: z.base64().min(1),
    offset: z.int().min(0),
    limit: z.int().min(1),
  }),
  list_up: z.object({ path: z.string(), names: z.array(z.string()) }),
};

/** All actions by name. */
export const ACTION_NAMES = Object.keys(PARAMETERS);

/**
 * Executes an action and responds as a client would: a file system error or an unknown action is an `error`. Throws if
 * the parameters do not fit the action: then the kernel is wrong, and the test must fail.
 */
export async function perform(
  name: string,
  params: JsonObject,
  { directory, signal, progress }: Surroundings,
): Promise<OperationOutcome> {
  if (PARAMETERS[name] === undefined) return { error: UNKNOWN_ACTION };
  return performWith(handsIn(directory), name, parametersOf(name, params), { signal, progress });
}

/** The product's own implementation, with access to all files. */
export const handsIn = (directory: string) => nodeHands({ workdir: directory, within: ['/'] });

/** Checks the parameters of an action. Throws if they do not fit it; an unknown action has none. */
export const parametersOf = (name: string, params: JsonObject): JsonObject =>
  PARAMETERS[name]?.parse(params) ?? {};

export { UNKNOWN_ACTION };
