/** A chat as it begins: what nobody has set is as the API says. */
import type { CreateChat } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import type { ChatRecord } from '../ports/index.ts';

/** @param now RFC 3339 @param home see `homeFor` */
export const newChat = (
  body: CreateChat,
  { now, home }: { now: string; home: string | null },
): ChatRecord => ({
  id: newId(),
  title: body.title ?? null,
  created_at: now,
  updated_at: now,
  last_message_at: null,
  workdir: body.workdir ?? null,
  workdir_on: body.workdir_on ?? 'client',
  hands: body.hands ?? null,
  home,
  consent: body.consent ?? 'auto',
  forked_from: null,
  forked_at_message: null,
  effort: body.effort ?? null,
  model: body.model ?? null,
  shelf: body.shelf ?? 'main',
  project: body.project ?? null,
  toolset: body.toolset ?? { loaded: [], disabled: [] },
  compaction: body.compaction ?? 'auto',
  summary: null,
  plan: [],
  notebook: '',
  notebook_at: null,
  prefix_tokens: 0,
  context_tokens: 0,
});
