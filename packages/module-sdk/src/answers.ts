/** Defines the values that tools and stages may return, and converts them to results for the kernel. */
import type {
  BlockingStage,
  CallResult,
  ChangeableField,
  StageName,
  StagePayload,
  StageResult,
} from '@chat-kernel/protocol';

/** A text, or the fields of a result; without a value, the text is empty. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler may return nothing
export type ToolAnswer = string | Partial<CallResult> | void;

/** A failure for the model, which can react to it. Other errors count as bugs of the module. */
export class ToolError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ToolError';
  }
}

export const toCallResult = (answer: ToolAnswer): CallResult => {
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
/** Without an answer, the payload passes unchanged. */
export type StageAnswer<Stage extends StageName> =
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler may return nothing to let everything pass
  void | Replaced<Stage> | (Stage extends BlockingStage ? Blocked : never);

/** Replaces these fields of the payload. */
export const replace = <Payload extends object>(
  payload: Payload,
): { action: 'replace'; payload: Payload } => ({
  action: 'replace',
  payload,
});

/** Stops the message or the call. @param reason a sentence for users; for a call, the model also reads it */
export const block = (reason: string): Blocked => ({ action: 'block', reason });

/** Completes the payload of an answer: the kernel accepts only whole payloads. */
export function toStageResult<Stage extends StageName>(
  payload: StagePayload<Stage>,
  answer: StageAnswer<Stage>,
): StageResult {
  if (!answer) return { action: 'pass' };
  return answer.action === 'replace'
    ? { action: 'replace', payload: { ...payload, ...answer.payload } }
    : answer;
}
