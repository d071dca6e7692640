/** Detects operations that need no decision by their nature, if the kernel asks for none (OP-11, MARK-4). */
import type { Operation } from '../api/operation.ts';
import type { JsonObject } from '../api/types.ts';

/** The folder of a project's skills, each in a folder with a SKILL.md. */
const SKILLS = '/.agents/skills';
/** Project files for models; the kernel reads them before a turn. */
const PROJECT_FILES = ['/AGENTS.md', '/.service/MEMORY.md'];

/** True if the operation only looks for names, or reads a file that is written for models. */
export function isProjectRead({ action, params: { path } }: Operation): boolean {
  if (action === 'list_up') return true;
  if (typeof path !== 'string') return false;
  const whole = `/${path.replaceAll('\\', '/')}`;
  if (action === 'list_dir') return whole.endsWith(SKILLS);
  if (action !== 'read') return false;
  if (/^\/[^/]+\/SKILL\.md$/.test(whole.slice(whole.lastIndexOf(`${SKILLS}/`) + SKILLS.length))) return true;
  return PROJECT_FILES.some(name => whole.endsWith(name));
}

/** True if the operation only asks about the state of files that were written here. */
export const isUndoPreview = ({ action, params }: Operation): boolean =>
  action === 'undo' && params.mode === 'preview';

/**
 * Tracks files that are written in pieces: the owner's approval of the first piece covers the others, in their order.
 */
export class ChunkedWrites {
  /** File → its number of bytes so far. */
  readonly #sizes = new Map<string, number>();

  /** True if the operation continues at the end of the file. */
  continues(operation: Operation): boolean {
    const { action, params } = operation;
    if (action !== 'write_bytes' || params.truncate !== false) return false;
    return this.#sizes.get(fileKey(operation)) === params.offset;
  }

  /** Records a piece that was written. */
  wrote(operation: Operation, result: string | JsonObject): void {
    if (operation.action !== 'write_bytes' || typeof result === 'string') return;
    if (typeof result.total === 'number') this.#sizes.set(fileKey(operation), result.total);
  }
}

const fileKey = ({ chat_id, params: { path } }: Operation): string => JSON.stringify([chat_id, path]);
