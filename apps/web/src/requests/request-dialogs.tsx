/**
 * Shows the open requests of a chat and of the kernel, one at a time. The request in the address comes first, because a
 * notification links to it. The others follow, oldest first.
 */
import type { PendingRequest } from '@chat-kernel/client';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { useKernel } from '../kernel/context.ts';
import { KERNEL_CHAT_ID, useOwnerRequests } from '../kernel/owner-requests.ts';
import { ApprovalDialog } from './approval-dialog.tsx';
import { QuestionDialog } from './question-dialog.tsx';

export function RequestDialogs({ chatId }: { chatId: string | null }) {
  const { client, requests, notices } = useKernel();
  const open = useOwnerRequests();
  const requestedId = new URLSearchParams(useSearch()).get('request');
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const here = open.filter(({ chat_id }) => [chatId, KERNEL_CHAT_ID].includes(chat_id));
  const waiting = here.filter(request => !answered.includes(requestKey(request)));
  const first = waiting.find(({ id }) => id === requestedId) ?? waiting[0];
  if (!first) return null;
  const answer = async (words: { decision?: string; answer?: string; error?: string; prefix?: string }) => {
    const key = requestKey(first);
    setAnswered(keys => [...keys, key]);
    const { id, question, chat_id } = first;
    try {
      await client.answerRequest(chat_id, {
        id,
        ...(question !== undefined && { question }),
        ...(first.kind === 'op' && { client: 'web' }),
        ...words,
      });
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
      key={requestKey(first)}
      request={first}
      others={others}
      onDecision={(decision, more) => void answer({ decision, ...more })}
    />
  ) : (
    <QuestionDialog key={requestKey(first)} request={first} onAnswer={words => void answer(words)} />
  );
}

const requestKey = ({ id, question = 0 }: PendingRequest): string => `${id}:${question}`;
