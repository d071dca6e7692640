/**
 * Effective settings: those of the file, overridden by the environment, overridden by flags, and checked as a whole.
 */
import { homedir } from 'node:os';
import { Settings } from '@chat-kernel/protocol';
import { checkSettings } from './check.ts';
import { complaints } from './expectation.ts';
import { readFile, type SettingsFile } from './file.ts';
import {
  type EnvironmentVariables,
  type Flags,
  fromEnvironment,
  fromFlags,
  type Override,
} from './overrides.ts';
import { absolutePaths } from './paths.ts';
import { findSettings } from './places.ts';
import { SettingsError } from './settings-error.ts';

interface SettingsSources {
  flags: Flags;
  environment: EnvironmentVariables;
  cwd: string;
  home: string;
}
export interface LoadedSettings {
  settings: Settings;
  /** Path of the file that was read; null where there is none. */
  file: string | null;
  /** Absolute paths of files and folders that settings may be read from, there or not: no tool may touch them. */
  places: string[];
  /** Lines for a person, in spite of which the kernel starts. */
  warnings: string[];
}
type Tree = Record<string, unknown>;

/** Loads the settings of this process. @throws SettingsError as `loadSettings` */
export const loadOwnSettings = (flags: Flags): Promise<LoadedSettings> =>
  loadSettings({ flags, environment: process.env, cwd: process.cwd(), home: homedir() });

/** @throws SettingsError with all mistakes, not only the first */
export async function loadSettings({
  flags,
  environment,
  cwd,
  home,
}: SettingsSources): Promise<LoadedSettings> {
  const named = [flags.config, environment.CHAT_KERNEL_CONFIG || undefined].filter(
    each => each !== undefined,
  );
  const { file: path, places, warnings } = findSettings({ named, cwd, home });
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
      return `${sourceOf(name, key, overrides, file)}${name.join('.')}: ${sentence}`;
    }),
  ];
  if (mistakes.length > 0 || !parsed.success) throw new SettingsError(mistakes);

  const isOverridden = (setting: readonly string[]) =>
    overrides.some(({ path }) => path.join('.') === setting.join('.'));
  return {
    settings: absolutePaths(parsed.data, { home, cwd, file: path, isOverridden }),
    file: path,
    places,
    warnings: [...warnings, ...fromEnv.warnings],
  };
}

/** Returns the variables in which the file finds keys of providers: even with the prefix of settings they are none. */
function keyVariables(value: Tree | undefined): Set<string> {
  const providers = Object.values((valueAt(value, ['llm', 'providers']) ?? {}) as Tree);
  return new Set(providers.map(provider => String(valueAt(provider, ['api_key_env']))));
}

/** Applies the overrides to a copy. A section left empty (`llm:`) counts as absent, though YAML calls it null. */
function merged(file: Tree, overrides: readonly Override[]): Tree {
  const tree = structuredClone(file);
  for (const key of Object.keys(tree)) if (tree[key] === null) delete tree[key];
  for (const { path, value } of overrides) assign(tree, path, value);
  return tree;
}

/** Assigns nothing where the path leads through a value that is no section: the schema complains of that value. */
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

/** Returns `CHAT_KERNEL_SERVER_PORT: ` or `<file>:<line>:<col>: `; nothing for a default. */
function sourceOf(
  name: readonly string[],
  key: string | undefined,
  overrides: readonly Override[],
  file: SettingsFile | null,
): string {
  const override = overrides.findLast(({ path }) => path.every((step, index) => step === name[index]));
  if (override) return `${override.source}: `;
  if (!file) return '';
  return `${key === undefined ? file.place(name) : file.place(name.slice(0, -1), key)}: `;
}

function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    tree,
  );
}
