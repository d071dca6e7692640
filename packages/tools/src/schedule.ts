/** Lets the model see the schedules, remove them, and ask the master for a new one (SCHED-3). */
import {
  failure,
  type RequestEnding,
  type RequestHandle,
  type ScheduleDesk,
  type ToolOutput,
} from '@chat-kernel/kernel';
import {
  type CreateSchedule,
  type JsonObject,
  renderSections,
  type Schedule,
  UNFINISHED_RESULT,
} from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineTool } from './tool/define.ts';

const ADD = 'Add it';
const DECISIONS = { discuss: 'Talk it over', answer_in_text: 'Answer in my own words' } as const;

const Input = z.object({
  add: z
    .object({
      text: z.string().trim().min(1).max(2000).describe('The message that is sent to you when it is due.'),
      cron: z.string().max(200).optional().describe('Five fields, such as 0 9 * * MON-FRI.'),
      at: z.iso.datetime({ offset: true }).optional().describe('One time, in place of cron.'),
      timezone: z.string().max(100).optional().describe('Of cron, such as Europe/Berlin.'),
      new_chat: z.boolean().optional().describe('True: a new chat each time, in place of this one.'),
      catch_up: z
        .enum(['none', 'last'])
        .optional()
        .describe('last: the latest time that was missed is made up for.'),
    })
    .optional(),
  list: z.boolean().optional(),
  remove: z.string().optional().describe('The id of a schedule.'),
});
type Wanted = NonNullable<z.infer<typeof Input>['add']>;

/** @param timeoutSecs how long the question waits for an answer */
export function schedule(timeoutSecs: number) {
  const tool = defineTool({
    name: 'schedule',
    description:
      'Messages that come by themselves, at times of a cron line or once. Give one of add, list and remove. The master is asked before one is added.',
    input: Input,
    group: 'schedules',
    icon: '⏰',
    trusted_only: true,
    master_only: true,
    outside_effect: true,
    lead_only: true,
    // Calls of `add` that are in order began when they were announced.
    async run({ add, list, remove }, { schedules, turn_context }) {
      if (!turn_context.privileged) return failure('Only the master has schedules.');
      if ([add, list, remove].filter(Boolean).length !== 1)
        return failure('Give one of add, list and remove.');
      if (add) schedules.firstDue(add);
      if (remove !== undefined) {
        await schedules.delete(remove);
        return { output: `The schedule ${remove} is removed.` };
      }
      return { output: listed((await schedules.list()).schedules) };
    },
  });
  return {
    ...tool,
    asks_questions: true,
    begin(given, { call_id, request, schedules, turn_context }) {
      const { add, list, remove } = Input.safeParse(given).data ?? {};
      if (!turn_context.privileged || !add || list || remove !== undefined) return null;
      const first = dueOf(add, schedules);
      if (first === null) return null;
      const { new_chat = false, ...wanted } = add;
      // What the master was shown is what is made.
      const { timezone } = first;
      const made = { ...wanted, timezone, chat_id: new_chat ? null : turn_context.chat_id };
      const input: JsonObject = { ...given, questions: [questionAbout(add, first)], decisions: DECISIONS };
      const open = request({
        kind: 'question',
        event: { type: 'tool_call', id: call_id, name: tool.name, input },
        timeout_secs: timeoutSecs,
        question: 0,
        decisions: Object.keys(DECISIONS),
      });
      return { input, output: outcomeOf(open, made, schedules) };
    },
  } satisfies typeof tool;
}

type First = ReturnType<ScheduleDesk['firstDue']>;

/** Null where the times are wrong: the call then runs, and says so. */
function dueOf(add: Wanted, schedules: ScheduleDesk): First | null {
  try {
    return schedules.firstDue(add);
  } catch {
    return null;
  }
}

function questionAbout({ text, cron, new_chat, catch_up = 'none' }: Wanted, { next_at, timezone }: First) {
  const when = cron === undefined ? `once, at ${next_at}` : `at ${cron} (${timezone}), first at ${next_at}`;
  const late = catch_up === 'last' ? ' The latest time that is missed is made up for.' : '';
  return {
    question: `Add this schedule? It sends a message ${when}, ${new_chat ? 'in a new chat each time' : 'in this chat'}.${late} The message: ${text}`,
    header: 'Schedule',
    options: [
      { label: ADD, description: 'The message comes by itself until you remove the schedule.' },
      { label: 'Do not add it', description: 'Nothing changes.' },
    ],
  };
}

async function outcomeOf(
  { ending }: RequestHandle,
  wanted: CreateSchedule,
  schedules: ScheduleDesk,
): Promise<ToolOutput> {
  const ended = await ending;
  if (!saysYes(ended)) return noYes(ended);
  try {
    const { id, next_at } = await schedules.create(wanted);
    return { output: `The schedule ${id} is added. It is due first at ${next_at}.` };
  } catch (error) {
    return failure(`The schedule was not added: ${error instanceof Error ? error.message : error}`);
  }
}

/** Only the option itself counts as a yes: other words of the master, or a decision beside it, do not. */
const saysYes = (ending: RequestEnding): boolean =>
  ending.reason === 'answered' &&
  ending.answer.answer === ADD &&
  ending.answer.decision === undefined &&
  ending.answer.error === undefined;

function noYes(ending: RequestEnding): ToolOutput {
  if (ending.reason === 'expired') return failure('No answer came from the client in time.');
  if (ending.reason !== 'answered') return failure(UNFINISHED_RESULT);
  const { decision, error, answer = '' } = ending.answer;
  if (error !== undefined) return failure(`The question could not be asked: ${error}`);
  switch (decision) {
    case 'discuss':
      return { output: `[not added yet: the master wants to talk it over first]\n${answer}`.trim() };
    case 'answer_in_text':
      return {
        output: '[not added yet: the master answers in words of their own, in the next message]',
        ends_turn: true,
      };
    default:
      return { output: `The master did not add the schedule. The answer was: ${answer}` };
  }
}

function listed(schedules: readonly Schedule[]): string {
  if (schedules.length === 0) return 'There are no schedules.';
  return renderSections(schedules.map(sectionOf));
}

function sectionOf({ id, text, cron, at, timezone, chat_id, enabled, problem, next_at, last }: Schedule) {
  const facts = {
    when: cron === null ? at : `${cron} (${timezone})`,
    chat: chat_id ?? 'a new one each time',
    enabled: enabled ? null : 'no',
    problem,
    next: next_at,
    last: last && `${last.due_at} ${last.status}`,
    message: text,
  };
  const known = Object.entries(facts).filter(([, fact]) => fact !== null);
  return { title: id, content: known.map(([key, fact]) => `${key}: ${fact}`).join('\n') };
}
