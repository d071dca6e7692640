/** THE list of what a client with hands can do on its machine; each for real, with the disk and with processes. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { JsonObject } from '@chat-kernel/protocol';
import { z } from 'zod';
import { findBytes, readBytes, writeBytes } from './bytes.ts';
import { runCommand } from './command.ts';

export interface Surroundings {
  /** Where relative paths begin, and commands run that name no directory. */
  directory: string;
  /** Aborted: nobody waits for the result any more, so what runs is killed. */
  signal: AbortSignal;
  /** Shows all that a command printed so far. */
  progress(output: string): void;
}

type Result = string | JsonObject;
type Action = (params: JsonObject, surroundings: Surroundings) => Promise<Result>;

const ACTIONS: Readonly<Record<string, Action>> = {
  read: action({ path: z.string() }, ({ path }, { directory }) => readFile(resolve(directory, path), 'utf8')),

  write: action({ path: z.string(), content: z.string() }, async ({ path, content }, { directory }) => {
    const file = resolve(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return 'written';
  }),

  shell: action(
    { command: z.string(), workdir: z.string().optional(), timeout_secs: z.number().positive().optional() },
    async ({ command, workdir = '.', timeout_secs }, { directory, signal, progress }) => {
      const cwd = resolve(directory, workdir);
      // Looked at first: a directory that is gone would look like a shell that is missing.
      await stat(cwd);
      return { ...(await runCommand(command, { cwd, timeout_secs, signal, progress })) };
    },
  ),

  read_bytes: action(
    { path: z.string(), offset: z.int().min(0), size: z.int().min(1) },
    async ({ path, offset, size }, { directory }) => {
      const { total, data } = await readBytes(resolve(directory, path), offset, size);
      return { total, data: data.toString('base64') };
    },
  ),

  write_bytes: action(
    { path: z.string(), offset: z.int().min(0), data: z.base64(), truncate: z.boolean() },
    async ({ path, offset, data, truncate }, { directory }) => {
      const file = resolve(directory, path);
      await mkdir(dirname(file), { recursive: true });
      return { total: await writeBytes(file, offset, Buffer.from(data, 'base64'), truncate) };
    },
  ),

  find_bytes: action(
    { path: z.string(), data: z.base64().min(1), offset: z.int().min(0), limit: z.int().min(1) },
    async ({ path, data, offset, limit }, { directory }) => ({
      ...(await findBytes(resolve(directory, path), Buffer.from(data, 'base64'), offset, limit)),
    }),
  ),

  list_up: action(
    { path: z.string(), names: z.array(z.string()) },
    async ({ path, names }, { directory }) => ({
      dirs: await Promise.all(
        upwards(resolve(directory, path)).map(async dir => ({ dir, found: await existing(dir, names) })),
      ),
    }),
  ),
};

/** All actions by name. */
export const ACTION_NAMES = Object.keys(ACTIONS);

/**
 * Does it, and answers as a client would: an error of the disk, or an action that is not known, is an `error`.
 * Throws where the parameters are not those of the action: then the kernel is wrong, and its test is to fail.
 */
export async function perform(
  name: string,
  params: JsonObject,
  surroundings: Surroundings,
): Promise<{ result: Result } | { error: string }> {
  const run = ACTIONS[name];
  if (run === undefined) return { error: UNKNOWN_ACTION };
  try {
    return { result: await run(params, surroundings) };
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return { error: error.message };
    throw error;
  }
}

/** What a client says of an action that it does not know (OP-6). */
export const UNKNOWN_ACTION = 'unknown op action';

/** Further parameters are skipped, as clients do with what they do not know. */
function action<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (params: z.infer<z.ZodObject<Shape>>, surroundings: Surroundings) => Promise<Result>,
): Action {
  const schema = z.object(shape);
  return async (params, surroundings) => run(schema.parse(params), surroundings);
}

/** A directory and all above it. */
function upwards(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...upwards(parent)];
}

/** The names that are there; what cannot be looked at is not. */
async function existing(directory: string, names: readonly string[]): Promise<string[]> {
  const looks = await Promise.allSettled(names.map(name => stat(join(directory, name))));
  return names.filter((_, index) => looks[index]?.status === 'fulfilled');
}
