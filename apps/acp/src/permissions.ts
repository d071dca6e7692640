/** Decisions about operations, by the dialogs of the editor. */
import type { PermissionOption, RequestPermissionResponse, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { Choice, Decision, FileChange, JsonObject, Operation } from '@chat-kernel/client';
import { prefixWords } from '@chat-kernel/protocol';
import { contentOf, kindOf, locationsOf, titleOf } from './calls.ts';

/** Decision → its button. */
const OPTIONS: Readonly<Record<Decision, Omit<PermissionOption, 'optionId'>>> = {
  allow: { name: 'Allow once', kind: 'allow_once' },
  allow_session: { name: 'Allow for this session', kind: 'allow_always' },
  allow_prefix: { name: 'Always allow commands that begin with', kind: 'allow_always' },
  allow_edits: { name: 'Allow edits in this folder', kind: 'allow_always' },
  allow_always: { name: 'Always allow', kind: 'allow_always' },
  deny: { name: 'Deny', kind: 'reject_once' },
};

export const optionsFor = (operation: Operation): PermissionOption[] =>
  Object.entries(OPTIONS)
    .filter(([decision]) => operation.decisions?.includes(decision))
    .map(([optionId, { name, kind }]) => ({
      optionId,
      name: optionId === 'allow_prefix' ? `${name} "${prefixOf(operation)}"` : name,
      kind,
    }));

/** Words of a prefix: `npm test`. An editor has no field to choose others. */
const PREFIX_WORDS = 2;

const prefixOf = ({ params }: Operation): string =>
  prefixWords(String(params.command)).slice(0, PREFIX_WORDS).join(' ');

/** What can be said of a tool of the editor's own servers. */
export const TOOL_OPTIONS: PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'allow_session', name: 'Allow this tool for this session', kind: 'allow_always' },
  { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
];

export const toolPermission = (toolCallId: string, name: string, input: JsonObject): ToolCallUpdate => ({
  toolCallId,
  title: titleOf(name, input),
  kind: kindOf(name),
  status: 'pending',
  rawInput: input,
});

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

/** The decision, with the words that its button has named. */
export function choiceOf(response: RequestPermissionResponse, operation: Operation): Choice {
  const decision = decisionOf(response);
  return decision === 'allow_prefix' ? { decision, prefix: prefixOf(operation) } : { decision };
}

/** Where it happens, unless that is here. */
const placeOf = (hands: Operation['hands']): string =>
  hands === undefined ? '' : hands === null ? "On the kernel's machine: " : `On ${hands}: `;
