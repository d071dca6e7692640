/** Settings from the environment and from flags: each is one value for one path, and knows who said it. */
import { type Leaf, settingAt, settingLeaves } from './leaves.ts';
import { suggestion } from './nearest.ts';
import { parseText } from './parse-text.ts';

export interface Override {
  path: readonly string[];
  value: unknown;
  /** The name of the variable or flag, for messages. */
  said: string;
}
/** What the command line said, as text. */
export interface Flags {
  config?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
  data?: string | undefined;
  /** `path=value`, in order. */
  set?: readonly string[] | undefined;
}
export interface Overrides {
  overrides: Override[];
  /** Lines for a person; with one of them the kernel does not start. */
  mistakes: string[];
  /** Lines for a person. */
  warnings: string[];
}
export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'CHAT_KERNEL_';
/** Names that are not derived from a path. */
const CONFIG_VARIABLE = 'CHAT_KERNEL_CONFIG';
/** What clients on the command line look at. */
const CLIENT_VARIABLES: readonly string[] = ['CHAT_KERNEL_URL', 'CHAT_KERNEL_TOKEN'];
const ALIASES: Record<string, string> = { CHAT_KERNEL_DATA: 'data_dir' };

/** server.port → CHAT_KERNEL_SERVER_PORT. */
export const variableOf = (path: readonly string[]): string => PREFIX + path.join('_').toUpperCase();

/**
 * Every variable that sets something. An empty one counts as not set.
 * `foreign`: names with our prefix that belong to someone else, such as the one that holds a provider's key.
 */
export function fromEnvironment(environment: Environment, foreign: ReadonlySet<string>): Overrides {
  const known = new Map<string, Leaf>(settingLeaves().map(leaf => [variableOf(leaf.path), leaf]));
  for (const [name, path] of Object.entries(ALIASES)) known.set(name, settingAt([path])!);
  const result: Overrides = { overrides: [], mistakes: [], warnings: [] };

  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || name === CONFIG_VARIABLE || !text || foreign.has(name)) continue;
    if (CLIENT_VARIABLES.includes(name)) continue;
    const leaf = known.get(name);
    if (leaf) add(result, leaf, text, name);
    else {
      const hint = suggestion(name, [...known.keys(), CONFIG_VARIABLE]);
      result.warnings.push(`${name}: no setting has this variable${hint}`);
    }
  }
  return result;
}

/** Later flags win over earlier ones. */
export function fromFlags(flags: Flags): Overrides {
  const result: Overrides = { overrides: [], mistakes: [], warnings: [] };
  for (const assignment of flags.set ?? []) {
    const equals = assignment.indexOf('=');
    const name = equals < 0 ? assignment : assignment.slice(0, equals);
    const leaf = settingAt(name.split('.'));
    const said = `--set ${name}`;
    if (equals < 1) result.mistakes.push('--set: expected path=value, such as server.port=8787');
    else if (!leaf) {
      const paths = settingLeaves().map(known => known.path.join('.'));
      result.mistakes.push(`${said}: unknown setting${suggestion(name, paths)}`);
    } else add(result, leaf, assignment.slice(equals + 1), said);
  }
  if (flags.host !== undefined) add(result, settingAt(['server', 'host'])!, flags.host, '--host');
  if (flags.port !== undefined) add(result, settingAt(['server', 'port'])!, flags.port, '--port');
  if (flags.data !== undefined) add(result, settingAt(['data_dir'])!, flags.data, '--data');
  return result;
}

function add(result: Overrides, leaf: Leaf, text: string, said: string): void {
  try {
    result.overrides.push({ path: leaf.path, value: parseText(leaf, text), said });
  } catch (error) {
    result.mistakes.push(`${said}: ${leaf.path.join('.')}: ${(error as Error).message}`);
  }
}
