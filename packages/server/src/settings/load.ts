/** Effective settings: the file, over it the environment, over that the flags, checked as a whole. */
import { homedir } from 'node:os';
import { Settings } from '@chat-kernel/protocol';
import { checkSettings } from './check.ts';
import { complaints } from './expectation.ts';
import { findFile, readFile, type SettingsFile } from './file.ts';
import { type Environment, type Flags, fromEnvironment, fromFlags, type Override } from './overrides.ts';
import { absolutePaths } from './paths.ts';
import { SettingsError } from './settings-error.ts';

export interface Sources {
  flags: Flags;
  environment: Environment;
  cwd: string;
  home: string;
}
export interface LoadedSettings {
  settings: Settings;
  /** The file that was read; null where there is none. */
  file: string | null;
  /** Lines for a person: the start goes on. */
  warnings: string[];
}
type Tree = Record<string, unknown>;

/** The settings of this very process. Throws as `loadSettings` does. */
export const loadOwnSettings = (flags: Flags): Promise<LoadedSettings> =>
  loadSettings({ flags, environment: process.env, cwd: process.cwd(), home: homedir() });

/** Throws a SettingsError that lists everything that is wrong, not only the first. */
export async function loadSettings({ flags, environment, cwd, home }: Sources): Promise<LoadedSettings> {
  const path = findFile(flags.config ?? (environment.CHAT_KERNEL_CONFIG || undefined), cwd, home);
  const file = path === null ? null : await readFile(path);
  const fromEnv = fromEnvironment(environment, keyVariables(file?.value));
  const fromLine = fromFlags(flags);
  const overrides = [...fromEnv.overrides, ...fromLine.overrides];
  const tree = merged(file?.value ?? {}, overrides);

  const parsed = Settings.safeParse(tree);
  const wrong = parsed.success
    ? checkSettings(parsed.data)
    : parsed.error.issues.flatMap(issue => complaints(issue, valueAt(tree, issue.path) !== undefined));
  const mistakes = [
    ...fromEnv.mistakes,
    ...fromLine.mistakes,
    ...wrong.map(({ path, key, sentence }) => {
      const name = [...path, ...(key === undefined ? [] : [key])].map(String);
      return `${whereSaid(name, key, overrides, file)}${name.join('.')}: ${sentence}`;
    }),
  ];
  if (mistakes.length > 0 || !parsed.success) throw new SettingsError(mistakes);

  const said = (setting: readonly string[]) =>
    overrides.some(({ path }) => path.join('.') === setting.join('.'));
  return {
    settings: absolutePaths(parsed.data, { home, cwd, file: path, said }),
    file: path,
    warnings: fromEnv.warnings,
  };
}

/** Names that the file says hold keys of providers: with our prefix or not, they are no settings. */
function keyVariables(value: Tree | undefined): Set<string> {
  const providers = Object.values((valueAt(value, ['llm', 'providers']) ?? {}) as Tree);
  return new Set(providers.map(provider => String(valueAt(provider, ['api_key_env']))));
}

/** A section left empty (`llm:` and nothing under it) is no value: YAML calls it null. */
function merged(file: Tree, overrides: readonly Override[]): Tree {
  const tree = structuredClone(file);
  for (const key of Object.keys(tree)) if (tree[key] === null) delete tree[key];
  for (const { path, value } of overrides) assign(tree, path, value);
  return tree;
}

/** Where something of the way is no section, nothing is assigned: the schema names that mistake of the file. */
function assign(tree: Tree, [key, ...rest]: readonly string[], value: unknown): void {
  if (key === undefined) return;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  if (!Object.hasOwn(tree, key)) tree[key] = {};
  const inner = tree[key];
  if (typeof inner === 'object' && inner !== null) assign(inner as Tree, rest, value);
}

/** `CHAT_KERNEL_SERVER_PORT: ` or `<file>:<line>:<col>: `; nothing where a default is meant. */
function whereSaid(
  name: readonly string[],
  key: string | undefined,
  overrides: readonly Override[],
  file: SettingsFile | null,
): string {
  const speaker = overrides.findLast(({ path }) => path.every((step, index) => step === name[index]));
  if (speaker) return `${speaker.said}: `;
  if (!file) return '';
  return `${key === undefined ? file.place(name) : file.place(name.slice(0, -1), key)}: `;
}

function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    tree,
  );
}
