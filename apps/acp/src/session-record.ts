/** Stores approvals of an editor session, including those for later operations (HANDS-6, HANDS-7). */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { approvalRecord, type LocalApprovals } from '@chat-kernel/client';
import { isEditBelow } from '@chat-kernel/protocol';

/** @param cwd the editor's folder, absolute */
export function sessionRecord(cwd: string): LocalApprovals {
  const subjects = new Set<string>();
  return approvalRecord({
    isGiven: subject => subjects.has(subject),
    give: subject => subjects.add(subject),
    isEdit: path => isEditBelow(cwd, resolve(cwd, path), [homedir()]),
  });
}
