/** Asks for decisions about operations in dialogs of the editor. */
import type { PermissionOption, RequestPermissionResponse, ToolCallUpdate } from '@agentclientprotocol/sdk';
import {
  type Choice,
  DECISION_FACTS,
  DECISIONS,
  type Decision,
  decisionLifetime,
  describeConsent,
  describeSandbox,
  dialogOrder,
  type FileChange,
  factsOfDecision,
  isLasting,
  type JsonObject,
  type Operation,
} from '@chat-kernel/client';
import { prefixWords, suggestedWords } from '@chat-kernel/protocol';
import { formatCallTitle, parseLocations, textContent, toDiffContent, toolKind } from './calls.ts';

/** The button of a decision. */
function buildOption(decision: Decision, name: string): PermissionOption {
  const allowing = isLasting(decision) ? 'allow_always' : 'allow_once';
  return { optionId: decision, name, kind: decision === 'deny' ? 'reject_once' : allowing };
}

export const optionsFor = (operation: Operation): PermissionOption[] =>
  dialogOrder(operation.decisions ?? []).map(decision =>
    buildOption(decision, decisionName(decision, operation)),
  );

function decisionName(decision: Decision, operation: Operation): string {
  const facts = DECISION_FACTS[decision];
  return facts.reach === 'prefix' ? `${facts.wordsLabel} "${commandPrefix(operation)}"` : facts.label;
}

/** The suggested prefix: editors have no field to change it. */
function commandPrefix({ params }: Operation): string {
  const command = String(params.command);
  return prefixWords(command).slice(0, suggestedWords(command)).join(' ');
}

/** The decisions for tools of the editor's MCP servers. They are never stored. */
export const TOOL_OPTIONS: PermissionOption[] = dialogOrder(
  DECISIONS.filter(decision => ['once', 'process'].includes(decisionLifetime(decision) as string)),
).map(decision => buildOption(decision, DECISION_FACTS[decision].label));

export const toolPermission = (toolCallId: string, name: string, input: JsonObject): ToolCallUpdate => ({
  toolCallId,
  title: formatCallTitle(name, input),
  kind: toolKind(name),
  status: 'pending',
  rawInput: input,
});

/**
 * @param callId of the requesting call
 * @param change of the whole file, if known
 * @param unreadable why the current file cannot be read, in one sentence
 */
export const permissionCall = (
  operation: Operation,
  callId: string | undefined,
  change: FileChange | null,
  unreadable?: string,
): ToolCallUpdate => {
  const { op_id, action, params, call = [], hands, sandbox } = operation;
  const how = describeSandbox(sandbox);
  const note =
    unreadable === undefined
      ? []
      : [`The current file can't be shown. ${unreadable} All of it would be replaced.`];
  const why = [...(how === null ? [] : [how]), ...describeConsent(operation), ...call, ...note].map(
    textContent,
  );
  const content = [...why, ...(change === null ? [] : toDiffContent(change))];
  return {
    toolCallId: callId ?? op_id,
    title: `${describeMachine(hands)}${formatCallTitle(action, params)}`,
    kind: toolKind(action),
    status: 'pending',
    rawInput: params,
    locations: parseLocations(params),
    ...(content.length > 0 && { content }),
  };
};

/** Closing a dialog denies. */
export const parseDecision = ({ outcome }: RequestPermissionResponse): Decision =>
  outcome.outcome === 'selected' && factsOfDecision(outcome.optionId) !== undefined
    ? (outcome.optionId as Decision)
    : 'deny';

/** The decision, with the prefix that its button showed. */
export function toChoice(response: RequestPermissionResponse, operation: Operation): Choice {
  const decision = parseDecision(response);
  const isPrefix = factsOfDecision(decision)?.reach === 'prefix';
  return { decision, ...(isPrefix && { prefix: commandPrefix(operation) }) };
}

/** The machine of the operation, unless it is this one. */
const describeMachine = (hands: Operation['hands']): string =>
  hands === undefined ? '' : hands === null ? 'On the server: ' : `On ${hands}: `;
