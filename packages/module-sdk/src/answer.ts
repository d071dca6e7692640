/** What tools and stages may return, and what goes over the wire for it. */
import type {
  BlockingStage,
  CallResult,
  ChangeableField,
  StageName,
  StagePayload,
  StageResult,
} from '@chat-kernel/protocol';

/** A plain text, or a result with parts; nothing at all is an empty text. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return is a handler that says nothing
export type ToolAnswer = string | Partial<CallResult> | void;

/** A failure that the model is to read, and may do something about. Any other error is told as a mistake of the module. */
export class ToolError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolError';
  }
}

export const callResultOf = (answer: ToolAnswer): CallResult => {
  if (typeof answer === 'string') return { output: answer };
  return { ...answer, output: answer?.output ?? '' };
};

export interface Replaced<Stage extends StageName> {
  action: 'replace';
  payload: Partial<Pick<StagePayload<Stage>, ChangeableField<Stage> & keyof StagePayload<Stage>>>;
}
export interface Blocked {
  action: 'block';
  reason: string;
}
/** Nothing returned: it passes. */
export type StageAnswer<Stage extends StageName> =
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return lets everything pass
  void | Replaced<Stage> | (Stage extends BlockingStage ? Blocked : never);

/** Goes on with these fields in the place of those that came. */
export const replace = <Payload extends object>(
  payload: Payload,
): { action: 'replace'; payload: Payload } => ({
  action: 'replace',
  payload,
});

/** Stops the message or the call. @param reason read by people, and of a call by the model */
export const block = (reason: string): Blocked => ({ action: 'block', reason });

/** The kernel takes whole payloads. */
export function stageResultOf<Stage extends StageName>(
  payload: StagePayload<Stage>,
  answer: StageAnswer<Stage>,
): StageResult {
  if (!answer) return { action: 'pass' };
  return answer.action === 'replace'
    ? { action: 'replace', payload: { ...payload, ...answer.payload } }
    : answer;
}
