/** Shows questions of the model as forms, if the editor supports them. */
import type { AgentContext } from '@agentclientprotocol/sdk';
import {
  type EventOf,
  type JsonObject,
  type KernelClient,
  type Question,
  readQuestions,
} from '@chat-kernel/client';

interface Asked {
  client: KernelClient;
  editor: AgentContext;
  chatId: string;
  /** Aborted when the questions have ended. */
  signal: AbortSignal;
}

/** Returns the questions of a call; empty if it asks none. The kernel adds decisions to the calls that ask. */
export function listQuestions({ input }: EventOf<'tool_call'>): Question[] {
  return input.decisions === undefined ? [] : readQuestions(input);
}

/** Asks one question after the other. Closing a form means to discuss the question. */
export async function askAll(event: EventOf<'tool_call'>, asked: Asked): Promise<void> {
  for (const [index, question] of listQuestions(event).entries()) {
    const answer = await ask(question, asked);
    await asked.client.answerRequest(
      asked.chatId,
      { id: event.id, question: index, ...answer },
      { signal: asked.signal },
    );
  }
}

async function ask(
  { question, header, options, multi_select }: Question,
  { editor, chatId, signal }: Asked,
): Promise<{ answer: string } | { decision: string }> {
  const choices = options.map(({ label, description }) => ({
    const: label,
    title: description === undefined ? label : `${label}: ${description}`,
  }));
  const title = header ?? 'Answer';
  const form = await editor.request(
    'elicitation/create',
    {
      mode: 'form',
      sessionId: chatId,
      message: question,
      requestedSchema: {
        type: 'object',
        properties: {
          answer: multi_select
            ? { type: 'array', title, items: { anyOf: choices } }
            : { type: 'string', title, oneOf: choices },
        },
        required: ['answer'],
      },
    },
    { cancellationSignal: signal },
  );
  const content = (form.action === 'accept' && form.content ? form.content : {}) as JsonObject;
  const { answer } = content;
  if (answer === undefined || answer === null) return { decision: 'discuss' };
  return { answer: Array.isArray(answer) ? answer.join(', ') : String(answer) };
}
