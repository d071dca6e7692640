/** Runs the stages at which modules take part in a turn (MOD-7). A stage without modules costs nothing. */
import type { JsonObject, StagePayload, TurnContext, TurnEnd } from '@chat-kernel/protocol';
import {
  ModelError,
  type NewMessage,
  type StageBlock,
  type Stages,
  type ToolContext,
  type ToolOutput,
} from '../ports/index.ts';
import type { RunningTurn } from './running-turn.ts';

/** The stages of a kernel without modules. */
export const NO_STAGES: Stages = {
  has: () => false,
  anchorSetBy: () => {},
  run: (_stage, payload) => Promise.resolve({ payload }),
};

/** The module that blocked a message, and why. */
type Blocked = StageBlock | undefined;

/**
 * Passes a message through the modules, which may change its text; returns the block if one of them blocked it.
 * Attachments and sender cannot be changed.
 * @param files the files that will be attached to it
 */
export async function passMessage(
  { content, sender = '' }: Pick<NewMessage, 'content' | 'sender'>,
  files: readonly { name: string }[],
  context: TurnContext,
  stages: Stages,
  signal: AbortSignal,
): Promise<Blocked> {
  if (!stages.has('message')) return undefined;
  const spoken = content.find(block => block.type === 'text');
  const text = spoken?.text ?? '';
  const attachments: StagePayload<'message'>['attachments'] = [
    ...content.filter(({ type }) => type === 'image').map(() => ({ kind: 'image' as const })),
    ...files.map(({ name }) => ({ kind: 'file' as const, name })),
  ];
  const verdict = await stages.run('message', { text, sender, attachments }, context, signal);
  if (verdict.blocked !== undefined) return verdict.blocked;
  const changed = verdict.payload.text.toWellFormed();
  // Providers reject an empty text.
  if (changed.trim() === '') content.splice(0, content.length, ...content.filter(block => block !== spoken));
  else if (spoken) spoken.text = changed;
  else content.push({ type: 'text', text: changed });
  return undefined;
}

/** The parts of the prompt that modules add; undefined if there are none. @throws ModelError blocked_by_module */
export async function promptFragments(
  context: TurnContext,
  stages: Stages,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!stages.has('prompt')) return undefined;
  const verdict = await stages.run('prompt', { fragments: [] }, context, signal);
  if (verdict.blocked !== undefined) throw blockedTurn(verdict.blocked);
  const { fragments } = verdict.payload;
  return fragments.length === 0 ? undefined : fragments.map(fragment => fragment.toWellFormed()).join('\n\n');
}

/** The input with which the modules permit a call, or what the model reads instead of its result. */
export async function judgeCall(
  { name, input }: { name: string; input: JsonObject },
  context: TurnContext,
  stages: Stages,
  signal: AbortSignal,
): Promise<{ input: JsonObject; refused?: undefined } | { refused: Passed }> {
  if (!stages.has('tool_call')) return { input };
  const verdict = await stages.run('tool_call', { name, input }, context, signal);
  if (verdict.blocked !== undefined) return { refused: refused(name, verdict.blocked) };
  return { input: verdict.payload.input };
}

/** Runs a call as the modules permit: with another input, another result, or not at all. */
export async function passCall(
  call: { name: string; input: JsonObject },
  context: ToolContext,
  stages: Stages,
  run: (input: JsonObject) => Promise<ToolOutput>,
): Promise<Passed> {
  const judged = await judgeCall(call, context.turn_context, stages, context.signal);
  if (judged.refused) return judged.refused;
  return passResult(call.name, await run(judged.input), context, stages);
}

/** The result of a call after the modules have processed it. */
export async function passResult(
  name: string,
  result: Passed,
  { signal, turn_context }: Pick<ToolContext, 'signal' | 'turn_context'>,
  stages: Stages,
): Promise<Passed> {
  // A blocked call has no result to pass.
  if (!stages.has('tool_result') || result.blocked !== undefined) return result;
  const { output, is_error = false } = result;
  const verdict = await stages.run('tool_result', { name, output, is_error }, turn_context, signal);
  if (verdict.blocked !== undefined) return refused(`the result of ${name}`, verdict.blocked);
  return { ...result, output: verdict.payload.output, is_error: verdict.payload.is_error };
}

/** Notifies modules of how a turn ended, without waiting for them. */
export function turnDone(turn: RunningTurn, status: TurnEnd, stages: Stages): void {
  if (!stages.has('turn_done')) return;
  const payload = { turn_id: turn.record.id, status, text: turn.outcome.lastText };
  void stages.run('turn_done', payload, turn.context, AbortSignal.timeout(60_000)).catch(() => {});
}

export const blockedTurn = ({ by, reason }: NonNullable<Blocked>): ModelError =>
  new ModelError('blocked_by_module', `The module ${by} blocked this turn: ${reason}`, false);

/** The result of a call, with the reason if a module blocked it. */
export type Passed = ToolOutput & { blocked?: string };

function refused(what: string, { by, reason }: NonNullable<Blocked>): Passed {
  const blocked = `The module ${by} blocked ${what}: ${reason}`;
  return { output: blocked, is_error: true, blocked, refused: true };
}
