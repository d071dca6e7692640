/** Renders a request of the kernel as an email: everything that would happen, and the possible answers. */
import {
  describeConsent,
  describeSandbox,
  dialogOrder,
  factsOfDecision,
  operationParams,
  type PendingRequest,
  readQuestions,
} from '@chat-kernel/client';
import { requestKey } from '@chat-kernel/module-sdk/surface';
import { shownExactly } from '@chat-kernel/text';

export interface Asked {
  /** Includes the chat id: call ids are unique only within a chat. */
  id: string;
  chat_id: string;
  /** Milliseconds. */
  expires_at: number;
  subject: string;
  /** Markdown. */
  text: string;
  answers: { label: string; does: Answer }[];
}

/** The effect of an answer, stored with its code. */
export interface Answer {
  chat_id: string;
  body: { id: string; decision?: string; client?: string; question?: number; answer?: string };
}

/** Undefined: the request needs no decision, or an email cannot answer it. */
export function toMailRequest({ id, chat_id, question, event, ...rest }: PendingRequest): Asked | undefined {
  const expires_at = Date.parse(rest.expires_at);
  if (event.type === 'client_op' || event.type === 'consent_request') {
    const answers = dialogOrder(event.decisions ?? []).flatMap(decision =>
      listAnswers(decision, { id, chat_id }),
    );
    if (answers.length === 0) return undefined;
    return {
      id: requestKey({ id, chat_id }),
      chat_id,
      expires_at,
      subject: `Allow ${event.action}?`,
      text: [`Approval needed: **${event.action}**`, ...why(event), fields(operationParams(event))].join(
        '\n\n',
      ),
      answers,
    };
  }
  if (event.type !== 'tool_call' || question === undefined) return undefined;
  const asked = readQuestions(event.input)[question];
  if (!asked) return undefined;
  return {
    id: requestKey({ id, chat_id, question }),
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

/** Why the kernel asks. Names of sources come from outside, so they are shown exactly. */
const why = (event: PendingRequest['event']): string[] =>
  event.type === 'consent_request'
    ? [describeSandbox(event.sandbox) ?? [], describeConsent(event)]
        .flat()
        .map(line => `    ${shownExactly(line)}`)
    : [];

/** An email offers no unknown decisions, and none that cover more than this operation. */
function listAnswers(
  decision: string,
  { id, chat_id }: Pick<PendingRequest, 'id' | 'chat_id'>,
): Asked['answers'] {
  const facts = factsOfDecision(decision);
  if (facts?.lasts !== 'once') return [];
  return [{ label: facts.label, does: { chat_id, body: { id, decision, client: 'mail' } } }];
}

/** Renders each field as a separate code block, so that its text cannot act as markup or imitate another field. */
const fields = (event: object): string =>
  Object.entries(event)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
      const lines = text.split('\n').map(line => `    ${shownExactly(line)}`);
      return `${name}:\n\n${lines.join('\n')}`;
    })
    .join('\n\n');
