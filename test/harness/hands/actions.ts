/** Actions of a client with hands: the product's own hands, which also check what the kernel owes them. */
import { type OperationOutcome, perform as performWith, UNKNOWN_ACTION } from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/client/node';
import type { JsonObject } from '@chat-kernel/protocol';
import { z } from 'zod';

interface Surroundings {
  /** Where relative paths begin, and commands run that name no directory. */
  directory: string;
  /** Aborted: nobody waits for the result any more, so what runs is killed. */
  signal: AbortSignal;
  /** Shows what a command printed last. */
  progress(output: string): void;
}

/** The parameters that the kernel has to send with each; further ones are skipped, as clients do. */
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
 * Does it, and answers as a client would: an error of the disk, or an action that is not known, is an `error`.
 * Throws where the parameters are not those of the action: then the kernel is wrong, and its test is to fail.
 */
export async function perform(
  name: string,
  params: JsonObject,
  { directory, signal, progress }: Surroundings,
): Promise<OperationOutcome> {
  if (PARAMETERS[name] === undefined) return { error: UNKNOWN_ACTION };
  return performWith(handsIn(directory), name, parametersOf(name, params), { signal, progress });
}

/** The product's own, which may touch all files. */
export const handsIn = (directory: string) => nodeHands({ workdir: directory, within: ['/'] });

/** Throws where they are not those of the action; of an action that is not known there are none. */
export const parametersOf = (name: string, params: JsonObject): JsonObject =>
  PARAMETERS[name]?.parse(params) ?? {};

export { UNKNOWN_ACTION };
