/** Operations that need no decision by their nature, where the kernel asks for none (OP-11, MARK-4). */
import type { Operation } from '../api/operation.ts';
import type { JsonObject } from '../api/types.ts';

/** The folder of a project in which skills lie, each in a folder with a SKILL.md. */
const SKILLS = '/.agents/skills';
/** Files by which a project speaks to models; the kernel reads them before a turn. */
const PROJECT_FILES = ['/AGENTS.md', '/.service/MEMORY.md'];

/** Whether it only looks for names, or reads a file that is written for models. */
export function isProjectRead({ action, params: { path } }: Operation): boolean {
  if (action === 'list_up') return true;
  if (typeof path !== 'string') return false;
  const whole = `/${path.replaceAll('\\', '/')}`;
  if (action === 'list_dir') return whole.endsWith(SKILLS);
  if (action !== 'read') return false;
  if (/^\/[^/]+\/SKILL\.md$/.test(whole.slice(whole.lastIndexOf(`${SKILLS}/`) + SKILLS.length))) return true;
  return PROJECT_FILES.some(name => whole.endsWith(name));
}

/** Whether it only asks what has become of files that were written here. */
export const isUndoPreview = ({ action, params }: Operation): boolean =>
  action === 'undo' && params.mode === 'preview';

/** Files that are written in pieces: the owner's yes to the first piece counts for the others, in their order. */
export class BegunFiles {
  /** File → the bytes that it has so far. */
  readonly #sizes = new Map<string, number>();

  /** Whether the operation goes on where the file ends. */
  continues(operation: Operation): boolean {
    const { action, params } = operation;
    if (action !== 'write_bytes' || params.truncate !== false) return false;
    return this.#sizes.get(keyOf(operation)) === params.offset;
  }

  /** Notes a piece that was written. */
  wrote(operation: Operation, result: string | JsonObject): void {
    if (operation.action !== 'write_bytes' || typeof result === 'string') return;
    if (typeof result.total === 'number') this.#sizes.set(keyOf(operation), result.total);
  }
}

const keyOf = ({ chat_id, params: { path } }: Operation): string => JSON.stringify([chat_id, path]);
