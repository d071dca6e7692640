/** Renders a request to the owner as text and choices. */
import {
  describeAction,
  describeConsent,
  describeSandbox,
  dialogOrder,
  factsOfDecision,
  type JsonObject,
  operationParams,
  type PendingRequest,
  readQuestions,
} from '@chat-kernel/client';
import { shownExactly } from '@chat-kernel/text';

interface Choice {
  label: string;
  answer?: string;
  decision?: string;
}
interface Shown {
  text: string;
  choices: Choice[];
}

/** Undefined: the owner cannot decide this here, for example an operation on another client's machine. */
export function renderRequest(request: PendingRequest): Shown | undefined {
  const { event } = request;
  if (event.type === 'consent_request') return operation(request, event);
  return event.type === 'tool_call' ? askedQuestion(request, event.input) : undefined;
}

type Operation = Extract<PendingRequest['event'], { type: 'consent_request' }>;

function operation({ agent }: PendingRequest, event: Operation): Shown {
  const { action, hands, sandbox, decisions, call } = event;
  const where = hands === null || hands === undefined ? 'the server' : JSON.stringify(hands);
  const how = describeSandbox(sandbox);
  const lines = [
    `${agent === undefined ? 'The model' : `The sub-agent ${agent}`} wants to ${describeAction(action, call?.length)} on ${where}${how === null ? '' : `, ${how}`}:`,
    ...describeConsent(event).map(exact),
    '',
    ...Object.entries(operationParams(event))
      // The list of the call contains it.
      .filter(([name]) => call === undefined || !['command', 'path'].includes(name))
      .map(([name, value]) =>
        name === 'call' && call ? numbered(call) : `${name}: ${exact(asText(value))}`,
      ),
  ];
  return { text: lines.join('\n'), choices: dialogOrder(decisions).flatMap(listChoices) };
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const numbered = (call: readonly string[]): string =>
  call.map((each, index) => `${index + 1}. ${exact(each)}`).join('\n');

/** Decisions that are unknown, or that cover more than the operation in the message, get no button. */
function listChoices(decision: string): Choice[] {
  const facts = factsOfDecision(decision);
  return facts?.reach === 'same' ? [{ label: facts.label, decision }] : [];
}

/** Shows commands exactly: no character can look like another one, and line breaks stay. */
const exact = (text: string): string => text.split('\n').map(shownExactly).join('\n');

function askedQuestion({ question: index = 0 }: PendingRequest, input: JsonObject): Shown | undefined {
  const asked = readQuestions(input)[index];
  if (!asked) return undefined;
  const { question, options, multi_select, decisions } = asked;
  const text = [
    question,
    ...options
      .filter(({ description }) => description)
      .map(({ label, description }) => `• ${label}: ${description}`),
    multi_select ? 'Tap one, or reply to this message with several.' : 'Tap one, or reply to this message.',
  ].join('\n\n');
  return {
    text,
    choices: [
      ...options.map(({ label }) => ({ label, answer: label })),
      ...Object.entries(decisions).map(([decision, label]) => ({ label, decision })),
    ],
  };
}
