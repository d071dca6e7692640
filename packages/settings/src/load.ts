/**
 * Loads the effective settings: flags override the environment, which overrides the file. The result is validated.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import { z } from 'zod';
import { checkSettings } from './check.ts';
import { complaints } from './expectation.ts';
import { readFile, type SettingsFile } from './file.ts';
import { findChildSchema, unwrap } from './leaves.ts';
import {
  type EnvironmentVariables,
  type Flags,
  fromEnvironment,
  fromFlags,
  type Override,
} from './overrides.ts';
import { SettingsError } from './settings-error.ts';

interface SettingsSources {
  flags: Flags;
  environment: EnvironmentVariables;
  cwd: string;
  home: string;
}
export interface LoadedSettings {
  settings: Settings;
  /** Path of the settings file, or null. */
  file: string | null;
  /** Absolute paths of possible settings files and folders, existing or not. Tools may not access them. */
  places: string[];
  /** Warnings for the user. The kernel starts anyway. */
  warnings: string[];
}
type Tree = Record<string, unknown>;

/** Loads the settings of this process. @throws SettingsError like `loadSettings` */
export const loadOwnSettings = (flags: Flags): Promise<LoadedSettings> =>
  loadSettings({ flags, environment: process.env, cwd: process.cwd(), home: homedir() });

/** @throws SettingsError with all errors */
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
      return `${describeSource(name, key, overrides, file)}${name.join('.')}: ${sentence}`;
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

/** Returns the variables that contain provider keys, which are not settings even with the prefix. */
function keyVariables(value: Tree | undefined): Set<string> {
  const providers = Object.values((valueAt(value, ['llm', 'providers']) ?? {}) as Tree);
  return new Set(providers.map(provider => String(valueAt(provider, ['api_key_env']))));
}

/** Applies the overrides to a copy. An empty section (`llm:`), which YAML parses as null, counts as absent. */
function merged(file: Tree, overrides: readonly Override[]): Tree {
  const tree = structuredClone(file);
  for (const key of Object.keys(tree)) if (tree[key] === null) delete tree[key];
  for (const { path, value } of overrides) assign(tree, path, value);
  return tree;
}

/** Skips paths through a value that is not a section, which the schema rejects. */
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
function describeSource(
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

interface PathBases {
  home: string;
  cwd: string;
  file: string | null;
  /** Whether a flag or variable sets this. */
  isOverridden(setting: readonly string[]): boolean;
}

/**
 * Returns a copy with absolute paths. Relative paths of the file resolve against its folder, those of flags and variables
 * against the current folder.
 */
function absolutePaths(settings: Settings, { home, cwd, file, isOverridden }: PathBases): Settings {
  const absolute = (path: string, setting: readonly string[]) => {
    const base = file === null || isOverridden(setting) ? cwd : dirname(file);
    return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(base, path);
  };
  const visit = (
    value: unknown,
    schema: z.core.$ZodType | undefined,
    setting: readonly string[],
  ): unknown => {
    if (schema === undefined) return value;
    if (typeof value === 'string') return unwrap(schema).path ? absolute(value, setting) : value;
    if (Array.isArray(value)) {
      const bare = unwrap(schema).schema;
      return bare instanceof z.core.$ZodArray
        ? value.map(each => visit(each, bare._zod.def.element, setting))
        : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        visit(child, findChildSchema(schema, key), [...setting, key]),
      ]),
    );
  };
  return visit(settings, Settings, []) as Settings;
}

/** The file that earlier versions read from the current folder. */
const FORMER = 'chat-kernel.yaml';

interface PlaceSources {
  /** Values of --config and CHAT_KERNEL_CONFIG, if set. The first one is read. */
  named: readonly string[];
  cwd: string;
  home: string;
}
interface SettingsPlaces {
  /** Path of the file to read, or null. A configured file may be missing. */
  file: string | null;
  /**
   * Absolute paths of possible settings files and of the default folder, existing or not. Tools may not access them.
   */
  places: string[];
  /** Warnings for the user. */
  warnings: string[];
}

/**
 * Finds the settings file: the configured one, or ~/.config/chat-kernel/config.yaml. Never reads the current folder,
 * because the author of a cloned repository could then choose programs to start and where keys are sent (WHO-7).
 */
function findSettings({ named, cwd, home }: PlaceSources): SettingsPlaces {
  const folder = join(home, '.config', 'chat-kernel');
  const usual = join(folder, 'config.yaml');
  const paths = named.map(path => resolve(cwd, path));
  return {
    file: paths[0] ?? (existsSync(usual) ? usual : null),
    places: [...paths, folder],
    warnings: paths.length === 0 && existsSync(join(cwd, FORMER)) ? [notRead(usual)] : [],
  };
}

const notRead = (usual: string): string =>
  `./${FORMER} is ignored, because the current folder may be untrusted. If it is yours, pass --config ${FORMER} or move it to ${usual}.`;
