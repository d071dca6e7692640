/** The values that tools and stages may return, and the results that the kernel gets for them. */
import type {
  BlockingStage,
  CallResult,
  ChangeableField,
  StageName,
  StagePayload,
  StageResult,
} from '@chat-kernel/protocol';

/** A text, or the fields of a result; nothing at all is an empty text. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return is a handler that says nothing
export type ToolAnswer = string | Partial<CallResult> | void;

/** A failure that the model shall read, because it can do something about it. Other errors count as mistakes of the module. */
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

interface Replaced<Stage extends StageName> {
  action: 'replace';
  payload: Partial<Pick<StagePayload<Stage>, ChangeableField<Stage> & keyof StagePayload<Stage>>>;
}
interface Blocked {
  action: 'block';
  reason: string;
}
/** Without an answer, the payload passes. */
export type StageAnswer<Stage extends StageName> =
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return lets everything pass
  void | Replaced<Stage> | (Stage extends BlockingStage ? Blocked : never);

/** Replaces these fields of the payload. */
export const replace = <Payload extends object>(
  payload: Payload,
): { action: 'replace'; payload: Payload } => ({
  action: 'replace',
  payload,
});

/** Stops the message or the call. @param reason a sentence for people; the model reads that of a call */
export const block = (reason: string): Blocked => ({ action: 'block', reason });

/** Completes the payload of an answer: the kernel takes whole payloads only. */
export function stageResultOf<Stage extends StageName>(
  payload: StagePayload<Stage>,
  answer: StageAnswer<Stage>,
): StageResult {
  if (!answer) return { action: 'pass' };
  return answer.action === 'replace'
    ? { action: 'replace', payload: { ...payload, ...answer.payload } }
    : answer;
}
