/** What the values of flags and arguments can be, by the name that the help has for them. */
import { BYTE_PLACES, Effort } from '@chat-kernel/protocol';
import { HANDS } from '@chat-kernel/terminal/ask';

/** Shells for which there is completion. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A list of words, any file, any folder; null: words that nobody can guess. */
export type Values = readonly string[] | 'file' | 'folder' | null;

const VALUES: Readonly<Record<string, Values>> = {
  file: 'file',
  path: 'file',
  folder: 'folder',
  policy: HANDS,
  level: Effort.options,
  place: BYTE_PLACES,
  shell: SHELLS,
};

/** Returns null for a name without an entry. */
export const valuesOf = (name: string | undefined): Values => VALUES[name ?? ''] ?? null;
