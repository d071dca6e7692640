/** Possible values of flags and arguments, by their name in the help. */
import { BYTE_PLACES, Effort } from '@chat-kernel/protocol';
import { HANDS } from '@chat-kernel/terminal/ask';

/** Shells with completion. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A list of values, any file or any folder; null if the values are unknown. */
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

/** Returns null for an unknown name. */
export const findValues = (name: string | undefined): Values => VALUES[name ?? ''] ?? null;
