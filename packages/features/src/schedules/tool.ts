/** Lets the model list and remove schedules, and ask the owner to create one (SCHED-3). */
import {
  failure,
  outputWithoutYes,
  QUESTION_DECISIONS,
  type RequestHandle,
  saysYes,
  type Tool,
  type ToolOutput,
} from '@chat-kernel/kernel';
import {
  type CreateSchedule,
  GrantTarget,
  type JsonObject,
  renderSections,
  type Schedule,
  TimeInput,
} from '@chat-kernel/protocol';
import { defineTool } from '@chat-kernel/tools';
import { z } from 'zod';
import { describeGrant } from './grants.ts';
import type { Schedules } from './schedules.ts';
import type { ScheduleService } from './service.ts';

const ADD = 'Add schedule';

const Input = z.object({
  add: z
    .object({
      text: z.string().trim().min(1).max(2000).describe('The message that you receive at the due time.'),
      cron: z.string().max(200).optional().describe('Five fields, such as 0 9 * * MON-FRI.'),
      at: TimeInput.optional().describe('One time, instead of cron.'),
      timezone: z.string().max(100).optional().describe('The time zone of cron, such as Europe/Berlin.'),
      new_chat: z.boolean().optional().describe('True: a new chat for each run, instead of this chat.'),
      catch_up: z.enum(['none', 'last']).optional().describe('last: run once after missed times.'),
      grants: z
        .array(z.object({ tool: z.string().max(200), target: GrantTarget.optional() }))
        .max(20)
        .optional()
        .describe(
          'Only what the message needs and the user is not there to allow: tools that may run without a question. target: a host, the first words of a command, a path or a recipient; needed for tools that send something.',
        ),
    })
    .optional(),
  list: z.boolean().optional(),
  remove: z.string().optional().describe('The id of a schedule.'),
});
type Wanted = NonNullable<z.infer<typeof Input>['add']>;

export function scheduleTool(service: () => ScheduleService): Tool {
  const tool = defineTool({
    name: 'schedule',
    description:
      'Manages messages that are sent to you automatically, once or by a cron expression. Give one of add, list and remove. The user is asked before a schedule is added.',
    input: Input,
    group: 'schedules',
    icon: '⏰',
    trusted_only: true,
    master_only: true,
    outside_effect: true,
    effects: ['remember'],
    // The question of the tool is the consent (SCHED-3).
    asks_itself: true,
    lead_only: true,
    // Valid calls of `add` already began when they were announced.
    async run({ add, list, remove }, { turn_context }) {
      const { schedules } = service();
      if (!turn_context.privileged) return failure('Only the user can have schedules.');
      if ([add, list, remove].filter(Boolean).length !== 1)
        return failure('Give one of add, list and remove.');
      if (add) {
        schedules.firstDue(add);
        schedules.checkGrants(add.grants);
      }
      if (remove !== undefined) {
        await schedules.delete(remove);
        return { output: `The schedule ${remove} was removed.` };
      }
      return { output: listed((await schedules.list()).schedules) };
    },
  });
  return {
    ...tool,
    asks_questions: true,
    begin(given, { call_id, request, turn_context }) {
      const { schedules, question_timeout_secs } = service();
      const { add, list, remove } = Input.safeParse(given).data ?? {};
      if (!turn_context.privileged || !add || list || remove !== undefined) return null;
      const first = findFirstDue(add, schedules);
      if (first === null) return null;
      const { new_chat = false, ...wanted } = add;
      // Creates exactly what the owner was shown.
      const { timezone } = first;
      const made = { ...wanted, timezone, chat_id: new_chat ? null : turn_context.chat_id };
      const input: JsonObject = {
        ...given,
        questions: [questionAbout(add, first)],
        decisions: QUESTION_DECISIONS,
      };
      const open = request({
        kind: 'question',
        event: { type: 'tool_call', id: call_id, name: tool.name, input },
        timeout_secs: question_timeout_secs,
        question: 0,
        decisions: Object.keys(QUESTION_DECISIONS),
      });
      return { input, output: awaitOutcome(open, made, schedules) };
    },
  } satisfies typeof tool;
}

type First = ReturnType<Schedules['firstDue']>;

/** Null if the times or grants are invalid: the call then runs and returns the error. */
function findFirstDue(add: Wanted, schedules: Schedules): First | null {
  try {
    schedules.checkGrants(add.grants);
    return schedules.firstDue(add);
  } catch {
    return null;
  }
}

function questionAbout(
  { text, cron, new_chat, catch_up = 'none', grants = [] }: Wanted,
  { next_at, timezone }: First,
) {
  const when = cron === undefined ? `once, at ${next_at}` : `at ${cron} (${timezone}), first at ${next_at}`;
  const late = catch_up === 'last' ? ' It runs once after missed times.' : '';
  const allowed = grants.map(({ tool, target = null }) => describeGrant({ tool, target })).join('; ');
  const unasked = allowed === '' ? '' : ` It may use without asking: ${allowed}.`;
  return {
    question: `Add this schedule? It sends a message ${when}, ${new_chat ? 'in a new chat for each run' : 'in this chat'}.${late}${unasked} The message: ${text}`,
    header: 'Schedule',
    options: [
      { label: ADD, description: 'The message is sent automatically until you remove the schedule.' },
      { label: 'Deny', description: 'No schedule is added.' },
    ],
  };
}

async function awaitOutcome(
  { ending }: RequestHandle,
  wanted: CreateSchedule,
  schedules: Schedules,
): Promise<ToolOutput> {
  const ended = await ending;
  if (!saysYes(ended, ADD)) {
    return outputWithoutYes(ended, 'added', 'The user did not add the schedule.');
  }
  try {
    const { id, next_at } = await schedules.create(wanted);
    return { output: `The schedule ${id} was added. It is first due at ${next_at}.` };
  } catch (error) {
    return failure(`The schedule was not added: ${error instanceof Error ? error.message : error}`);
  }
}

function listed(schedules: readonly Schedule[]): string {
  if (schedules.length === 0) return 'There are no schedules.';
  return renderSections(schedules.map(toSection));
}

function toSection(schedule: Schedule) {
  const { id, text, cron, at, timezone, chat_id, grants, enabled, problem, next_at, last } = schedule;
  const facts = {
    when: cron === null ? at : `${cron} (${timezone})`,
    chat: chat_id ?? 'new for each run',
    'without asking': grants.length === 0 ? null : grants.map(describeGrant).join('; '),
    enabled: enabled ? null : 'no',
    problem,
    next: next_at,
    last: last && `${last.due_at} ${last.status}`,
    message: text,
  };
  const known = Object.entries(facts).filter(([, fact]) => fact !== null);
  return { title: id, content: known.map(([key, fact]) => `${key}: ${fact}`).join('\n') };
}
