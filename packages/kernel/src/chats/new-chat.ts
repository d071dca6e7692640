/** Creates the record of a new chat with the defaults of the API. */
import { type CreateChat, newChatSettings } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import type { ChatRecord } from '../ports/index.ts';

/** @param now RFC 3339 @param home see `homeKernelFor` */
export const newChat = (
  body: CreateChat,
  { now, home }: { now: string; home: string | null },
): ChatRecord => ({
  ...newChatSettings(body),
  id: newId(),
  created_at: now,
  updated_at: now,
  last_message_at: null,
  workdir: body.workdir ?? null,
  workdir_on: body.workdir_on ?? 'client',
  hands: body.hands ?? null,
  home,
  forked_from: null,
  forked_at_message: null,
  summary: null,
  plan: [],
  notebook: '',
  notebook_at: null,
  prefix_tokens: 0,
  context_tokens: 0,
});
