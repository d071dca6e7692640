/** The configuration file of a module: where the kernel is, where the module listens, and its own settings (MOD-11). */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';

const CommonConfig = z.strictObject({
  kernel: z
    .strictObject({
      /** Null: the address of the kernel that connects; for a module that has no connection, http://127.0.0.1:8787. */
      url: z.url().nullable().default(null),
      /** The service token of a proxy in front of the kernel. */
      token: z.string().nullable().default(null),
      /** How long the start waits for the kernel to be ready. */
      wait_secs: z.number().min(0).default(60),
    })
    .prefault({}),
  /** The socket at which the kernel finds the module; null: none. */
  socket: z.string().min(1).nullable().default(null),
  /** The folder for what the module keeps; null: none was named. */
  data_dir: z.string().min(1).nullable().default(null),
});
export type ModuleConfig = z.output<typeof CommonConfig>;
export interface LoadedConfig<Own> extends ModuleConfig {
  /** The section `module`: the module's own settings. */
  module: Own;
  /** Talk over stdin and stdout, whatever `socket` says. */
  stdio: boolean;
}

/** The command line, with `--config FILE`, `--data DIR`, `--socket PATH` and `--stdio`, and the environment. */
interface ConfigSources {
  argv?: readonly string[];
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the file of `--config`, else of MODULE_CONFIG, else config.yaml beside the program; without a file the defaults
 * count. `--socket` wins over MODULE_SOCKET, and that over the file, as does `--data`.
 * @param own schema of the section `module`
 * @throws Error with a sentence that names file and key
 */
export async function loadConfig<Own extends z.ZodType = z.ZodUndefined | z.ZodOptional<z.ZodUnknown>>(
  own?: Own,
  { argv = process.argv.slice(2), env = process.env }: ConfigSources = {},
): Promise<LoadedConfig<z.output<Own>>> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      config: { type: 'string' },
      data: { type: 'string' },
      socket: { type: 'string' },
      stdio: { type: 'boolean' },
    },
  });
  const named = values.config ?? env.MODULE_CONFIG;
  const beside = resolve(dirname(process.argv[1] ?? '.'), 'config.yaml');
  const file = named ?? (existsSync(beside) ? beside : undefined);
  const tree = file === undefined ? {} : ((await readTree(file)) ?? {});
  const schema = CommonConfig.extend({ module: own ?? z.unknown().optional() });
  // Settings that all have defaults need no section `module` in the file.
  const parsed = schema.safeParse(own && !('module' in tree) ? { ...tree, module: {} } : tree);
  if (!parsed.success) {
    throw new Error(`${file ?? 'The configuration'} is wrong:\n${z.prettifyError(parsed.error)}`);
  }
  const { kernel, module, ...written } = parsed.data as ModuleConfig & { module: z.output<Own> };
  const socket = expand(values.socket ?? env.MODULE_SOCKET ?? written.socket);
  const data_dir = expand(values.data ?? written.data_dir);
  return { kernel, module, socket, data_dir, stdio: values.stdio ?? false };
}

async function readTree(file: string): Promise<object> {
  try {
    return parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

const expand = (path: string | null): string | null => path?.replace(/^~(?=\/|$)/, homedir()) ?? null;
