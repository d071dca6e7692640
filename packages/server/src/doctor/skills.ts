/** Skills: how many there are, and which folders look like one and are none (SKILL-1). */
import type { Settings } from '@chat-kernel/protocol';
import { FolderSkills, MachinePaths } from '@chat-kernel/tools';
import { skillPlaces } from '../settings/skill-places.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Those of working directories are not looked at: only a chat says where they are. */
export async function* checkSkills(settings: Settings): AsyncGenerator<Finding> {
  const reader = new FolderSkills({ places: skillPlaces(settings), paths: new MachinePaths([]) });
  const { skills, broken } = await reader.here(null);
  yield ok('skills', skills.length === 0 ? 'none' : skills.map(({ name }) => name).join(', '));
  for (const { path, reason } of broken) {
    yield warning('skills', `${path} is skipped: ${reason}`, 'docs/memory.md says how a skill is written');
  }
}
