/** Counts skills and reports invalid skill folders (SKILL-1). */
import { FolderSkills } from '@chat-kernel/features';
import { MachinePaths } from '@chat-kernel/hands/own-machine';
import type { Settings } from '@chat-kernel/protocol';
import { skillDirectories } from '@chat-kernel/server/shared';
import { type Finding, ok, warning } from './finding.ts';

/** Skips skills of working directories, which depend on the chat. */
export async function* checkSkills(settings: Settings): AsyncGenerator<Finding> {
  const reader = new FolderSkills({ places: skillDirectories(settings), paths: new MachinePaths([]) });
  const { skills, broken } = await reader.here(null);
  yield ok('skills', skills.length === 0 ? 'none' : skills.map(({ name }) => name).join(', '));
  for (const { path, reason } of broken) {
    yield warning('skills', `${path} is skipped: ${reason}`, 'see docs/memory.md for the format of skills');
  }
}
