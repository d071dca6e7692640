/** Helps tools that ask the user before an action: the offered decisions, and the meaning of an answer. */
import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import type { RequestEnding } from './request.ts';
import { failure, type ToolOutput } from './tool.ts';

/** The decisions of a user who does not answer: decision → label of its button. */
export const QUESTION_DECISIONS = {
  discuss: 'Discuss',
  answer_in_text: 'Answer in text',
} as const;

/** Only the option itself counts as a yes: other text of the user, or an additional decision, does not. */
export const saysYes = (ending: RequestEnding, option: string): boolean =>
  ending.reason === 'answered' &&
  ending.answer.answer === option &&
  ending.answer.decision === undefined &&
  ending.answer.error === undefined;

/**
 * Returns the output of a tool whose question ended without a yes.
 * @param done what was not done, such as `added`
 * @param refusal the sentence for a no, such as `The user did not add the schedule.`
 */
export function outputWithoutYes(ending: RequestEnding, done: string, refusal: string): ToolOutput {
  if (ending.reason === 'expired') return failure('No answer came from the client in time.');
  if (ending.reason !== 'answered') return failure(UNFINISHED_RESULT);
  const { decision, error, answer = '' } = ending.answer;
  if (error !== undefined) return failure(`The question could not be asked: ${error}`);
  switch (decision) {
    case 'discuss':
      return { output: `[not ${done} yet: the user wants to discuss it first]\n${answer}`.trim() };
    case 'answer_in_text':
      return {
        output: `[not ${done} yet: the user answers in the next message]`,
        ends_turn: true,
      };
    default:
      return { output: `${refusal} The answer was: ${answer}` };
  }
}
