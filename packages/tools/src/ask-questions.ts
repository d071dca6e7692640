/** Lets the model ask the user, who selects an answer, discusses the question, or answers in text (BT-5). */
import {
  QUESTION_DECISIONS,
  type RequestEnding,
  type RequestHandle,
  type ToolOutput,
} from '@chat-kernel/kernel';
import { type JsonObject, renderSections, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

const Input = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().trim().min(1),
        header: z.string().optional().describe('The topic in one or two words.'),
        options: z
          .array(
            z.object({
              label: z.string().trim().min(1),
              description: z.string().optional().describe('What this option means.'),
            }),
          )
          .min(1)
          .max(20),
        multi_select: z.boolean().optional().describe('Whether several options can be chosen.'),
      }),
    )
    .min(1)
    .max(10),
});

/** @param timeoutSecs how long each question waits */
export function askQuestions(timeoutSecs: number) {
  const tool = defineTool({
    name: 'ask_questions',
    description:
      'Asks the user one or more questions with options and waits for the answers. Use it for decisions that only the user can make. The user can also answer in their own words.',
    input: Input,
    group: 'questions',
    icon: '❓',
    lead_only: true,
    // Only calls with invalid input run here: all others began when they were announced.
    run: () => Promise.reject(new Error('it was not begun')),
  });
  return {
    ...tool,
    asks_questions: true,
    begin(given, { call_id, request }) {
      const parsed = Input.safeParse(given);
      if (!parsed.success) return null;
      const input: JsonObject = { ...given, decisions: QUESTION_DECISIONS };
      const event = { type: 'tool_call', id: call_id, name: tool.name, input } as const;
      const decisions = Object.keys(QUESTION_DECISIONS);
      const requests = parsed.data.questions.map((_, question) =>
        request({ kind: 'question', event, timeout_secs: timeoutSecs, question, decisions }),
      );
      // A heading has a single line.
      const titles = parsed.data.questions.map(({ question }) => question.replaceAll(/\s+/g, ' '));
      return { input, output: collectOutput(titles, requests) };
    },
  } satisfies typeof tool;
}

async function collectOutput(
  titles: readonly string[],
  requests: readonly RequestHandle[],
): Promise<ToolOutput> {
  const endings = await Promise.all(
    requests.map(async ({ ending }) => {
      const ended = await ending;
      // The user's next message answers all questions together.
      if (inText(ended)) for (const other of requests) other.end();
      return ended;
    }),
  );
  const ends_turn = endings.some(inText);
  const sections = endings.map((ending, index) => ({
    title: titles[index] as string,
    content: describeAnswer(ending, ends_turn),
  }));
  return {
    output: renderSections(sections),
    is_error: endings.every(ending => ending.reason !== 'answered' || ending.answer.error !== undefined),
    ends_turn,
  };
}

const inText = (ending: RequestEnding): boolean =>
  ending.reason === 'answered' && ending.answer.decision === 'answer_in_text';

function describeAnswer(ending: RequestEnding, othersInText: boolean): string {
  if (ending.reason === 'expired') return 'No answer came from the client in time.';
  if (ending.reason !== 'answered') {
    return othersInText ? '[not answered: wait for the next message of the user]' : UNFINISHED_RESULT;
  }
  const { decision, error, answer = '' } = ending.answer;
  switch (decision) {
    case 'discuss':
      return ['[the user wants to discuss this before deciding: discuss it with them now]', answer]
        .filter(line => line !== '')
        .join('\n');
    case 'answer_in_text':
      return '[the user answers in the next message]';
    default:
      if (error !== undefined)
        return `The question could not be asked: ${error.trim() || 'the client gave no reason.'}`;
      return answer.trim() === '' ? '[the user left this question empty]' : answer;
  }
}
