/** The configuration file of a module: where its kernel is, where it listens, and what is its own (MOD-11). */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';

const Common = z.strictObject({
  kernel: z
    .strictObject({
      /** Null: the one that calls; where none does, http://127.0.0.1:8787. */
      url: z.url().nullable().default(null),
      /** Of the proxy before the kernel. */
      token: z.string().nullable().default(null),
      /** How long to wait at the start until the kernel takes work. */
      wait_secs: z.number().min(0).default(60),
    })
    .prefault({}),
  /** Where to listen for the kernel; null: no socket. */
  socket: z.string().min(1).nullable().default(null),
});
export type ModuleConfig = z.output<typeof Common>;
export interface LoadedConfig<Own> extends ModuleConfig {
  /** The section `module`, which is the module's own. */
  module: Own;
  /** Speak over stdin and stdout, whatever `socket` says. */
  stdio: boolean;
}

/** Words of the command line: `--config FILE`, `--socket PATH`, `--stdio`. */
export interface Surroundings {
  argv?: readonly string[];
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The file of `--config`, else of MODULE_CONFIG, else config.yaml beside the program; none: defaults.
 * `--socket` wins over MODULE_SOCKET, and that over the file.
 * @param own schema of the section `module`
 * @throws Error with a sentence that names file and key
 */
export async function loadConfig<Own extends z.ZodType = z.ZodUndefined | z.ZodOptional<z.ZodUnknown>>(
  own?: Own,
  { argv = process.argv.slice(2), env = process.env }: Surroundings = {},
): Promise<LoadedConfig<z.output<Own>>> {
  const { values } = parseArgs({
    args: [...argv],
    options: { config: { type: 'string' }, socket: { type: 'string' }, stdio: { type: 'boolean' } },
  });
  const named = values.config ?? env.MODULE_CONFIG;
  const beside = resolve(dirname(process.argv[1] ?? '.'), 'config.yaml');
  const file = named ?? (existsSync(beside) ? beside : undefined);
  const tree = file === undefined ? {} : ((await readTree(file)) ?? {});
  const schema = Common.extend({ module: own ?? z.unknown().optional() });
  // A module whose own settings all have defaults needs no section for them.
  const parsed = schema.safeParse(own && !('module' in tree) ? { ...tree, module: {} } : tree);
  if (!parsed.success) {
    throw new Error(`${file ?? 'The configuration'} is wrong:\n${z.prettifyError(parsed.error)}`);
  }
  const { kernel, socket: written, module } = parsed.data as ModuleConfig & { module: z.output<Own> };
  const socket = values.socket ?? env.MODULE_SOCKET ?? written;
  return { kernel, module, socket: socket === null ? null : expand(socket), stdio: values.stdio ?? false };
}

async function readTree(file: string): Promise<object> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

const expand = (path: string): string => path.replace(/^~(?=\/|$)/, homedir());
