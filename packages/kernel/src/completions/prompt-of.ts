/** The messages of a one-off call, checked and made fit for any provider. */
import { type CompletionRequest, KernelError, type ProblemPart } from '@chat-kernel/protocol';
import { repair } from '../history/repair.ts';
import type { SideRequest } from '../model/side-call.ts';
import type { NewMessage } from '../ports/index.ts';

/** Returns the messages for the model. @throws KernelError invalid_value */
export function promptOf({ prompt, messages }: CompletionRequest): SideRequest['messages'] {
  const wrong = mistakes(prompt, messages);
  if (wrong.length > 0) throw new KernelError('invalid_value', wrong[0]?.detail ?? '', { errors: wrong });
  return repair((messages ?? [{ role: 'user', content: prompt ?? '' } as const]).map(draftOf));
}

function mistakes(prompt: string | undefined, messages: CompletionRequest['messages']): ProblemPart[] {
  if ((prompt === undefined) === (messages === undefined)) {
    const detail = 'Give either prompt or messages.';
    return ['/prompt', '/messages'].map(pointer => ({ pointer, detail }));
  }
  if (prompt !== undefined) {
    return prompt.trim() === '' ? [{ pointer: '/prompt', detail: 'The prompt is empty.' }] : [];
  }
  const given = messages ?? [];
  const last = given.length - 1;
  if (last < 0) return [{ pointer: '/messages', detail: 'There is no message.' }];
  const empty = given.flatMap(({ content }, index) =>
    content.trim() === '' ? [{ pointer: `/messages/${index}/content`, detail: 'The message is empty.' }] : [],
  );
  if (given[last]?.role === 'user') return empty;
  return [...empty, { pointer: `/messages/${last}/role`, detail: 'The last message is to be a user’s.' }];
}

/** A message for `repair`, which looks at role and content alone; no chat has it and it is never stored. */
const draftOf = ({ role, content }: NonNullable<CompletionRequest['messages']>[number]): NewMessage => ({
  id: '',
  chat_id: '',
  role,
  turn_id: null,
  content: [{ type: 'text', text: content.toWellFormed() }],
  created_at: '',
  status: 'completed',
});
