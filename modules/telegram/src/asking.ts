/** The words and the choices of a request to the owner. */
import { type PendingRequest, wordsOfAction, wordsOfSandbox } from '@chat-kernel/client';
import { shownExactly } from '@chat-kernel/markdown';

interface Choice {
  label: string;
  answer?: string;
  decision?: string;
}
interface Shown {
  text: string;
  choices: Choice[];
}

/** Decisions that this surface knows; it leaves out others. */
const LABELS: Readonly<Record<string, string>> = {
  allow: 'Allow',
  allow_session: 'Allow until the kernel restarts',
  allow_always: 'Always allow',
  deny: 'Deny',
};

/** Undefined: nothing that the owner can decide here, such as what another client does on its own machine. */
export function wordsOf(request: PendingRequest): Shown | undefined {
  const { event } = request;
  if (event.type === 'client_op' && event.hands !== undefined) return operation(request, event);
  return event.type === 'tool_call' ? question(request, event.input) : undefined;
}

type Operation = Extract<PendingRequest['event'], { type: 'client_op' }>;

function operation({ agent }: PendingRequest, event: Operation): Shown {
  const { action, hands, sandbox, decisions = [] } = event;
  const rest = Object.entries(event).filter(([name]) => !TOLD.has(name));
  const where = hands === null || hands === undefined ? 'this kernel' : JSON.stringify(hands);
  const how = wordsOfSandbox(sandbox);
  const lines = [
    `${agent === undefined ? 'The model' : `The sub-agent ${agent}`} asks to ${wordsOfAction(action)} on ${where}${how === null ? '' : `, ${how}`}:`,
    '',
    ...rest.map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? exact(value) : JSON.stringify(value)}`,
    ),
  ];
  const choices = decisions
    .filter(decision => Object.hasOwn(LABELS, decision))
    .map(decision => ({ label: LABELS[decision] as string, decision }));
  return { text: lines.join('\n'), choices };
}

const TOLD = new Set([
  'type',
  'id',
  'op_id',
  'action',
  'decisions',
  'agent',
  'client_id',
  'hands',
  'sandbox',
  'replayed',
]);

/** Nothing in a command may look like something else; its lines stay lines. */
const exact = (text: string): string => text.split('\n').map(shownExactly).join('\n');

interface Question {
  question: string;
  options?: { label: string; description?: string }[];
  multi_select?: boolean;
}

function question(
  { question: index = 0 }: PendingRequest,
  input: Record<string, unknown>,
): Shown | undefined {
  const { questions, decisions } = input as { questions?: Question[]; decisions?: Record<string, string> };
  const asked = questions?.[index];
  if (!asked) return undefined;
  const options = asked.options ?? [];
  const text = [
    asked.question,
    ...options
      .filter(({ description }) => description)
      .map(({ label, description }) => `• ${label}: ${description}`),
    asked.multi_select
      ? 'Press one, or reply to this message with several.'
      : 'Press one, or reply to this message.',
  ].join('\n\n');
  return {
    text,
    choices: [
      ...options.map(({ label }) => ({ label, answer: label })),
      ...Object.entries(decisions ?? {}).map(([decision, label]) => ({ label, decision })),
    ],
  };
}
