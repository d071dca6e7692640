/** Reads settings from the environment and from flags: path, value and source. */
import { type Leaf, settingAt, settingLeaves } from './leaves.ts';
import { suggestion } from './nearest.ts';

export interface Override {
  path: readonly string[];
  value: unknown;
  /** Name of the variable or flag, for messages. */
  source: string;
}
/** Settings of the command line, as text. */
export interface Flags {
  config?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
  data?: string | undefined;
  /** `path=value`, in order. */
  set?: readonly string[] | undefined;
}
interface Overrides {
  overrides: Override[];
  /** Errors for the user, which prevent the start. */
  mistakes: string[];
  /** Warnings for the user. The kernel starts anyway. */
  warnings: string[];
}
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

const PREFIX = 'CHAT_KERNEL_';
/** Variables that are not derived from the path of a setting. */
const CONFIG_VARIABLE = 'CHAT_KERNEL_CONFIG';
/** Variables of the clients on the command line. */
const CLIENT_VARIABLES: readonly string[] = ['CHAT_KERNEL_URL', 'CHAT_KERNEL_TOKEN'];
const ALIASES: Record<string, string> = { CHAT_KERNEL_DATA: 'data_dir' };

/** Returns the variable of a setting: server.port → CHAT_KERNEL_SERVER_PORT. */
export const variableName = (path: readonly string[]): string => PREFIX + path.join('_').toUpperCase();

/**
 * Reads all variables that are settings. Empty ones count as not set.
 * @param foreign variables with the prefix that are not settings, such as a provider key
 */
export function fromEnvironment(environment: EnvironmentVariables, foreign: ReadonlySet<string>): Overrides {
  const known = new Map<string, Leaf>(settingLeaves().map(leaf => [variableName(leaf.path), leaf]));
  for (const [name, path] of Object.entries(ALIASES)) known.set(name, settingAt([path])!);
  const result: Overrides = { overrides: [], mistakes: [], warnings: [] };

  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || name === CONFIG_VARIABLE || !text || foreign.has(name)) continue;
    if (CLIENT_VARIABLES.includes(name)) continue;
    const leaf = known.get(name);
    if (leaf) add(result, leaf, text, name);
    else {
      const hint = suggestion(name, [...known.keys(), CONFIG_VARIABLE]);
      result.warnings.push(`${name}: unknown variable${hint}`);
    }
  }
  return result;
}

/** Reads the flags in order. Later ones win. */
export function fromFlags(flags: Flags): Overrides {
  const result: Overrides = { overrides: [], mistakes: [], warnings: [] };
  for (const assignment of flags.set ?? []) {
    const equals = assignment.indexOf('=');
    if (equals < 1) {
      result.mistakes.push('--set: expected path=value, such as server.port=8787');
      continue;
    }
    const name = assignment.slice(0, equals);
    const leaf = settingAt(name.split('.'));
    const source = `--set ${name}`;
    if (!leaf) {
      const paths = settingLeaves().map(known => known.path.join('.'));
      result.mistakes.push(`${source}: unknown setting${suggestion(name, paths)}`);
    } else add(result, leaf, assignment.slice(equals + 1), source);
  }
  if (flags.host !== undefined) add(result, settingAt(['server', 'host'])!, flags.host, '--host');
  if (flags.port !== undefined) add(result, settingAt(['server', 'port'])!, flags.port, '--port');
  if (flags.data !== undefined) add(result, settingAt(['data_dir'])!, flags.data, '--data');
  return result;
}

function add(result: Overrides, leaf: Leaf, text: string, source: string): void {
  try {
    result.overrides.push({ path: leaf.path, value: parseText(leaf, text), source });
  } catch (error) {
    result.mistakes.push(`${source}: ${leaf.path.join('.')}: ${(error as Error).message}`);
  }
}

/**
 * Parses the text of an environment variable or a flag. Parses lists as `a,b` or JSON, sections and maps as JSON.
 * Ranges are checked later, with the values of the file.
 * @throws Error whose message says what was expected
 */
function parseText(leaf: Leaf, text: string): unknown {
  const trimmed = text.trim();
  if (leaf.nullable && trimmed === 'null') return null;
  switch (leaf.kind) {
    case 'text':
      return text;
    case 'number':
      if (trimmed === '' || !Number.isFinite(Number(trimmed))) throw new Error('expected a number');
      return Number(trimmed);
    case 'boolean':
      if (trimmed !== 'true' && trimmed !== 'false') throw new Error('expected true or false');
      return trimmed === 'true';
    case 'list':
      return trimmed.startsWith('[') ? parseJson(trimmed) : commaSeparated(trimmed);
    case 'text_or_list':
      return trimmed.startsWith('[') || trimmed.includes(',')
        ? parseText({ ...leaf, kind: 'list' }, text)
        : trimmed;
    case 'json':
      return parseJson(trimmed);
    default:
      return leaf.kind satisfies never;
  }
}

const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which may contain a secret.
    throw new Error('expected JSON');
  }
}
