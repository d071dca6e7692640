/** Describes what a saved approval covers, with the same sentence in every client. */
import { factsOfDecision } from '@chat-kernel/protocol/tables';
import type { Approval } from '../api/types.ts';
import { describeAction } from './describe-action.ts';

/** Both parts contain names of files and commands, so show them exactly. */
export interface DescribedApproval {
  /** One sentence, without a period. If there is `text`, it ends with a colon. */
  covers: string;
  /** The command, or the words at its beginning. */
  text?: string;
}

export function describeApproval(approval: Approval): DescribedApproval {
  const { action, command, prefix, target, workdir, outside = [], decision } = approval;
  const machine = describeMachine(approval);
  const place = workdir === null ? machine : `in ${workdir} ${machine}`;
  const after = outside.length === 0 ? '' : `, also after the turn has read ${outside.join(', ')}`;
  if (prefix !== undefined)
    return { covers: `Runs plain commands ${place}${after}, if they start with:`, text: prefix };
  if (command !== undefined) return { covers: `Runs exactly this command ${place}${after}:`, text: command };
  if (factsOfDecision(decision)?.reach === 'edits')
    return { covers: `Changes files below ${workdir} ${machine}, except protected ones${after}` };
  if (action === 'read' || action === 'write') {
    const verb = action === 'read' ? 'Reads' : 'Changes';
    const files = target === undefined ? 'any file' : `${target.endsWith('/') ? 'files in ' : ''}${target}`;
    const during = target !== undefined || workdir === null ? '' : `, while the chat works in ${workdir}`;
    return { covers: `${verb} ${files} ${machine}${during}${after}` };
  }
  const about = target === undefined ? '' : ` for ${target}`;
  return { covers: `May ${describeAction(action)}${about}${workdir === null ? '' : ` ${place}`}${after}` };
}

function describeMachine({ hands, workdir_on }: Approval): string {
  if (hands !== undefined) return `on ${hands}`;
  return workdir_on === 'server' ? 'on the server' : 'on the machine of the client';
}
