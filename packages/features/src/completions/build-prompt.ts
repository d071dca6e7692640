/** Checks the messages of a one-off call and makes them valid for any provider. */
import { type NewMessage, repair, type SideRequest } from '@chat-kernel/kernel';
import type { CompletionRequest } from '@chat-kernel/protocol';
import { KernelError, type ProblemPart } from '@chat-kernel/protocol';

/** Returns the messages for the model. @throws KernelError invalid_value */
export function buildPrompt({ prompt, messages }: CompletionRequest): SideRequest['messages'] {
  const wrong = mistakes(prompt, messages);
  if (wrong.length > 0) throw new KernelError('invalid_value', wrong[0]?.detail ?? '', { errors: wrong });
  return repair((messages ?? [{ role: 'user', content: prompt ?? '' } as const]).map(toDraft));
}

function mistakes(prompt: string | undefined, messages: CompletionRequest['messages']): ProblemPart[] {
  if ((prompt === undefined) === (messages === undefined)) {
    const detail = 'Give either prompt or messages.';
    return ['/prompt', '/messages'].map(pointer => ({ pointer, detail }));
  }
  if (prompt !== undefined) {
    return prompt.trim() === '' ? [{ pointer: '/prompt', detail: 'The prompt is empty.' }] : [];
  }
  const history = messages ?? [];
  const last = history.length - 1;
  if (last < 0) return [{ pointer: '/messages', detail: 'messages is empty.' }];
  const empty = history.flatMap(({ content }, index) =>
    content.trim() === '' ? [{ pointer: `/messages/${index}/content`, detail: 'The message is empty.' }] : [],
  );
  if (history[last]?.role === 'user') return empty;
  return [
    ...empty,
    { pointer: `/messages/${last}/role`, detail: 'The last message must have the role user.' },
  ];
}

/** A message for `repair`, which reads only role and content; it belongs to no chat and is never stored. */
const toDraft = ({ role, content }: NonNullable<CompletionRequest['messages']>[number]): NewMessage => ({
  id: '',
  chat_id: '',
  role,
  turn_id: null,
  content: [{ type: 'text', text: content.toWellFormed() }],
  created_at: '',
  status: 'completed',
});
