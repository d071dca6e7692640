/**
 * Loads the configuration file of a module: the kernel's address, the module's socket, and its own settings (MOD-11).
 */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isOpenToOthers, isSecretName } from '@chat-kernel/protocol';
import { parse } from 'yaml';
import { z } from 'zod';

const CommonConfig = z.strictObject({
  kernel: z
    .strictObject({
      /** If null, the address of the kernel that connects; for a module without a connection, http://127.0.0.1:8787. */
      url: z.url().nullable().default(null),
      /** The service token of a proxy in front of the kernel. */
      token: z.string().nullable().default(null),
      /** How long the start waits until the kernel is ready. */
      wait_secs: z.number().min(0).default(60),
    })
    .prefault({}),
  /** The socket at which the kernel finds the module; null if there is none. */
  socket: z.string().min(1).nullable().default(null),
  /** The folder for the module's data; null if none is set. */
  data_dir: z.string().min(1).nullable().default(null),
});
export type ModuleConfig = z.output<typeof CommonConfig>;
export interface LoadedConfig<Own> extends ModuleConfig {
  /** The section `module`: the module's own settings. */
  module: Own;
  /** Whether to communicate over stdin and stdout, regardless of `socket`. */
  stdio: boolean;
}

/** The command line, with `--config FILE`, `--data DIR`, `--socket PATH` and `--stdio`, and the environment. */
interface ConfigSources {
  argv?: readonly string[];
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the file of `--config`, else of MODULE_CONFIG, else config.yaml next to the program; without a file, the
 * defaults apply. `--socket` takes precedence over MODULE_SOCKET, and both over the file; `--data` also takes
 * precedence over the file. On Windows, the permissions of the file are not checked.
 * @param own schema of the section `module`
 * @throws Error with a sentence that names the file and the key, or says that other users can read the file
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
  const tree = file === undefined ? {} : await readTree(file, named !== undefined);
  const schema = CommonConfig.extend({ module: own ?? z.unknown().optional() });
  // If all settings have defaults, the file needs no section `module`.
  const parsed = schema.safeParse(own && !('module' in tree) ? { ...tree, module: {} } : tree);
  if (!parsed.success) {
    throw new Error(`${file ?? 'The configuration'} is wrong:\n${z.prettifyError(parsed.error)}`);
  }
  const { kernel, module, ...written } = parsed.data as ModuleConfig & { module: z.output<Own> };
  const socket = expand(values.socket ?? env.MODULE_SOCKET ?? written.socket);
  const data_dir = expand(values.data ?? written.data_dir);
  return { kernel, module, socket, data_dir, stdio: values.stdio ?? false };
}

/** @param isNamed false: the file came with the program, and is private only once the user has added a secret */
async function readTree(file: string, isNamed: boolean): Promise<object> {
  const { tree, isOpen } = await readYaml(file);
  if (isOpen && (isNamed || holdsSecret(tree))) {
    throw new Error(`${file} may contain secrets, and other users can read it. Run chmod 600 ${file}`);
  }
  return tree;
}

async function readYaml(file: string): Promise<{ tree: object; isOpen: boolean }> {
  try {
    // A symbolic link is followed: the permissions are those of the file that is read.
    await using handle = await open(file);
    const isOpen = process.platform !== 'win32' && isOpenToOthers(await handle.stat());
    return { tree: parse(await handle.readFile('utf8')) ?? {}, isOpen };
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Whether a value at any depth has the name of a secret. */
const holdsSecret = (tree: object): boolean =>
  Object.entries(tree).some(([name, value]) =>
    typeof value === 'object' && value !== null
      ? holdsSecret(value)
      : typeof value === 'string' && isSecretName(name),
  );

const expand = (path: string | null): string | null => path?.replace(/^~(?=\/|$)/, homedir()) ?? null;
