/** Paths in settings: `~` is the home folder, and every path is made absolute. */
import { dirname, join, resolve } from 'node:path';
import { Settings } from '@chat-kernel/protocol';
import type { z } from 'zod';
import { childOf, unwrap } from './leaves.ts';

interface PathBases {
  home: string;
  cwd: string;
  file: string | null;
  /** True for a setting of a flag or a variable. */
  isOverridden(setting: readonly string[]): boolean;
}

/**
 * Returns a copy in which what the schema marks as a path is absolute. A relative path of the file counts from the
 * file's folder, one of a flag or variable from the folder in which the kernel starts.
 */
export function absolutePaths(settings: Settings, { home, cwd, file, isOverridden }: PathBases): Settings {
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
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        visit(child, childOf(schema, key), [...setting, key]),
      ]),
    );
  };
  return visit(settings, Settings, []) as Settings;
}
