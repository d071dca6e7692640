/** Lets the model ask the user, who picks, talks about it, or answers in words (BT-5). */
import type { RequestEnding, RequestHandle, ToolOutput } from '@chat-kernel/kernel';
import { type JsonObject, renderSections, UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

/** The ways of a user not to answer: decision → label of its button. */
const DECISIONS = { discuss: 'Talk it over', answer_in_text: 'Answer in my own words' } as const;

const Input = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().trim().min(1),
        header: z.string().optional().describe('A word or two that name the topic.'),
        options: z
          .array(
            z.object({
              label: z.string().trim().min(1),
              description: z.string().optional().describe('What choosing it means.'),
            }),
          )
          .min(1)
          .max(20),
        multi_select: z.boolean().optional().describe('Several options may be chosen.'),
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
      'Asks the user one or several questions with options to choose from, and waits for the answers. For decisions that are theirs to make and that you cannot find out otherwise. They may also answer with words of their own.',
    input: Input,
    group: 'questions',
    icon: '❓',
    lead_only: true,
    // Only calls with input that does not fit run: all others began when they were announced.
    run: () => Promise.reject(new Error('it was not begun')),
  });
  return {
    ...tool,
    asks_questions: true,
    begin(given, { call_id, request }) {
      const parsed = Input.safeParse(given);
      if (!parsed.success) return null;
      const input: JsonObject = { ...given, decisions: DECISIONS };
      const event = { type: 'tool_call', id: call_id, name: tool.name, input } as const;
      const decisions = Object.keys(DECISIONS);
      const requests = parsed.data.questions.map((_, question) =>
        request({ kind: 'question', event, timeout_secs: timeoutSecs, question, decisions }),
      );
      // A heading has a single line.
      const titles = parsed.data.questions.map(({ question }) => question.replaceAll(/\s+/g, ' '));
      return { input, output: outputOf(titles, requests) };
    },
  } satisfies typeof tool;
}

async function outputOf(titles: readonly string[], requests: readonly RequestHandle[]): Promise<ToolOutput> {
  const endings = await Promise.all(
    requests.map(async ({ ending }) => {
      const ended = await ending;
      // The user's next message answers all questions at once.
      if (inText(ended)) for (const other of requests) other.end();
      return ended;
    }),
  );
  const ends_turn = endings.some(inText);
  const sections = endings.map((ending, index) => ({
    title: titles[index] as string,
    content: wordsFor(ending, ends_turn),
  }));
  return {
    output: renderSections(sections),
    is_error: endings.every(ending => ending.reason !== 'answered' || ending.answer.error !== undefined),
    ends_turn,
  };
}

const inText = (ending: RequestEnding): boolean =>
  ending.reason === 'answered' && ending.answer.decision === 'answer_in_text';

function wordsFor(ending: RequestEnding, othersInText: boolean): string {
  if (ending.reason === 'expired') return 'No answer came from the client in time.';
  if (ending.reason !== 'answered') {
    return othersInText ? '[not answered here: wait for the next message of the user]' : UNFINISHED_RESULT;
  }
  const { decision, error, answer = '' } = ending.answer;
  switch (decision) {
    case 'discuss':
      return ['[the user wants to talk this over before deciding: discuss it with them now]', answer]
        .filter(line => line !== '')
        .join('\n');
    case 'answer_in_text':
      return '[the user answers in words of their own, in the next message]';
    default:
      if (error !== undefined)
        return `The question could not be asked: ${error.trim() || 'the client did not say why.'}`;
      return answer.trim() === '' ? '[the user left this one empty]' : answer;
  }
}
