/** What the kernel asks, in the words of a mail: all of what would happen, and the answers that a mail may give. */
import type { PendingRequest } from '@chat-kernel/client';
import { shownExactly } from '@chat-kernel/markdown';

export interface Asked {
  /** With that of the chat: providers give calls ids that are unique in a chat alone. */
  id: string;
  chat_id: string;
  /** Milliseconds. */
  expires_at: number;
  subject: string;
  /** Markdown. */
  text: string;
  answers: { label: string; does: Answer }[];
}

/** What an answer does, as it is kept beside its word. */
export interface Answer {
  chat_id: string;
  body: { id: string; decision?: string; question?: number; answer?: string };
}

/** Decisions that cover more than the one operation are not given by mail. */
const DECISIONS: Readonly<Record<string, string>> = { allow: 'Allow this once', deny: 'Deny' };
/** Where what is asked stands in an operation; all other fields say who asks, and how. */
const ABOUT = new Set([
  'type',
  'id',
  'op_id',
  'decisions',
  'client_id',
  'hands',
  'sandbox',
  'replayed',
  'agent',
]);

/** Undefined: nobody has to decide about it, or it is none that a mail can answer. */
export function askedOf({ id, chat_id, question, event, ...rest }: PendingRequest): Asked | undefined {
  const expires_at = Date.parse(rest.expires_at);
  if (event.type === 'client_op') {
    const offered = (event.decisions ?? []).filter(decision => decision in DECISIONS);
    if (offered.length === 0) return undefined;
    return {
      id: `${chat_id} ${id}`,
      chat_id,
      expires_at,
      subject: `Allow ${event.action}?`,
      text: `This waits for your decision: **${event.action}**\n\n${fields(event)}`,
      answers: offered.map(decision => ({
        label: DECISIONS[decision]!,
        does: { chat_id, body: { id, decision } },
      })),
    };
  }
  if (event.type !== 'tool_call' || question === undefined) return undefined;
  const asked = (event.input as { questions?: Question[] }).questions?.[question];
  if (!asked) return undefined;
  return {
    id: `${chat_id} ${id} ${question}`,
    chat_id,
    expires_at,
    subject: 'A question for you',
    text: asked.question,
    answers: asked.options.map(({ label, description }) => ({
      label: description ? `${label}: ${description}` : label,
      does: { chat_id, body: { id, question, answer: label } },
    })),
  };
}

interface Question {
  question: string;
  options: { label: string; description?: string }[];
}

/** Each field as a block of its own, so that nothing in it is taken for markup, or for another field. */
const fields = (event: object): string =>
  Object.entries(event)
    .filter(([name, value]) => !ABOUT.has(name) && value !== null)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const lines = text.split('\n').map(line => `    ${shownExactly(line)}`);
      return `${name}:\n\n${lines.join('\n')}`;
    })
    .join('\n\n');
