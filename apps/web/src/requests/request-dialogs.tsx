/**
 * What waits for the owner here: of the open chat, and what the kernel itself asks, one at a time. The oldest comes first,
 * behind the one that the address names: a notification leads to it.
 */
import type { Schema } from '@chat-kernel/client';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { ApprovalDialog } from './approval-dialog.tsx';
import { QuestionDialog } from './question-dialog.tsx';

type Request = Schema<'PendingRequest'>;

/** The chat of requests that the kernel itself makes. */
const NOWHERE = '00000000-0000-0000-0000-000000000000';

export function RequestDialogs({ chatId }: { chatId: string | null }) {
  const { client, requests, notices } = useKernel();
  const open = useStore(requests);
  const named = new URLSearchParams(useSearch()).get('request');
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const here = open.filter(request => [chatId, NOWHERE].includes(request.chat_id) && isForOwner(request));
  const waiting = here.filter(request => !answered.includes(keyOf(request)));
  const first = waiting.find(({ id }) => id === named) ?? waiting[0];
  if (!first) return null;
  const answer = async (words: { decision?: string; answer?: string; error?: string; prefix?: string }) => {
    const key = keyOf(first);
    setAnswered(keys => [...keys, key]);
    const { id, question, chat_id } = first;
    try {
      await client.answerRequest(chat_id, { id, ...(question !== undefined && { question }), ...words });
    } catch (error) {
      notices.fail(error);
      setAnswered(keys => keys.filter(each => each !== key));
      void client.listRequests().then(
        ({ requests: now }) => requests.set(now),
        () => {},
      );
    }
  };
  const others = here.length - 1;
  return first.kind === 'op' ? (
    <ApprovalDialog
      key={keyOf(first)}
      request={first}
      others={others}
      onDecision={(decision, more) => void answer({ decision, ...more })}
    />
  ) : (
    <QuestionDialog key={keyOf(first)} request={first} onAnswer={words => void answer(words)} />
  );
}

const keyOf = ({ id, question = 0 }: Request): string => `${id}:${question}`;

/** Operations without decisions are done unasked, and extra tools by the client that brought them. */
const isForOwner = ({ event }: Request): boolean =>
  event.type === 'tool_call' || (event.type === 'client_op' && event.decisions !== undefined);
