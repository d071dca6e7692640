/** Decisions about operations, by the dialogs of the editor. */
import type { PermissionOption, RequestPermissionResponse, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { Decision, FileChange, Operation } from '@chat-kernel/client';
import { contentOf, kindOf, locationsOf, titleOf } from './calls.ts';

/** Decision → its button. `allow_prefix` has none: an editor cannot ask for the words. */
const OPTIONS: Readonly<Partial<Record<Decision, Omit<PermissionOption, 'optionId'>>>> = {
  allow: { name: 'Allow once', kind: 'allow_once' },
  allow_session: { name: 'Allow for this session', kind: 'allow_always' },
  allow_edits: { name: 'Allow edits in this folder', kind: 'allow_always' },
  allow_always: { name: 'Always allow', kind: 'allow_always' },
  deny: { name: 'Deny', kind: 'reject_once' },
};

export const optionsFor = ({ decisions = [] }: Operation): PermissionOption[] =>
  Object.entries(OPTIONS)
    .filter(([decision]) => decisions.includes(decision))
    .map(([optionId, option]) => ({ optionId, ...option }));

/** @param callId of the call that wants it @param change of the whole file, where it is known */
export const permissionCall = (
  { op_id, action, params, hands }: Operation,
  callId: string | undefined,
  change: FileChange | null,
): ToolCallUpdate => ({
  toolCallId: callId ?? op_id,
  title: `${placeOf(hands)}${titleOf(action, params)}`,
  kind: kindOf(action),
  status: 'pending',
  rawInput: params,
  locations: locationsOf(params),
  ...(change !== null && { content: contentOf(change) }),
});

/** A dialog that was closed denies. */
export const decisionOf = ({ outcome }: RequestPermissionResponse): Decision =>
  outcome.outcome === 'selected' && Object.hasOwn(OPTIONS, outcome.optionId)
    ? (outcome.optionId as Decision)
    : 'deny';

/** Where it happens, unless that is here. */
const placeOf = (hands: Operation['hands']): string =>
  hands === undefined ? '' : hands === null ? "On the kernel's machine: " : `On ${hands}: `;
