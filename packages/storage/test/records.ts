/** Builds records for tests: complete and valid, with ids that count up, so that they sort like those of the kernel. */
import type { ChatRecord, NewMessage, SpendRow, TurnRecord } from '@chat-kernel/kernel';
import { newChatSettings } from '@chat-kernel/protocol';

let last = 0;

/** A valid UUIDv7; each is greater than the previous one. */
export function nextId(): string {
  return `0198a000-0000-7000-8000-${(++last).toString(16).padStart(12, '0')}`;
}

export const NOW = '2026-01-02T03:04:05.678Z';
export const NO_USAGE = {
  prompt_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
  cached_tokens: 0,
  cost_usd: null,
};

export function newChat(changes: Partial<ChatRecord> = {}): ChatRecord {
  return {
    ...newChatSettings({}),
    id: nextId(),
    created_at: NOW,
    updated_at: NOW,
    last_message_at: null,
    workdir: null,
    workdir_on: 'client',
    hands: null,
    forked_from: null,
    forked_at_message: null,
    home: null,
    summary: null,
    plan: [],
    notebook: '',
    notebook_at: null,
    context_tokens: 0,
    prefix_tokens: 0,
    ...changes,
  };
}

export function newMessage(chat_id: string, changes: Partial<NewMessage> = {}): NewMessage {
  return {
    id: nextId(),
    chat_id,
    role: 'user',
    turn_id: null,
    content: [{ type: 'text', text: 'Hello.' }],
    created_at: NOW,
    status: 'completed',
    ...changes,
  };
}

export function newTurn(message: NewMessage, changes: Partial<TurnRecord> = {}): TurnRecord {
  return {
    id: message.turn_id ?? nextId(),
    chat_id: message.chat_id,
    message_id: message.id,
    status: 'running',
    model: null,
    effort: { value: 'low', source: 'global', raised: false },
    created_at: NOW,
    started_at: null,
    ended_at: null,
    usage: NO_USAGE,
    stop_reason: null,
    error: null,
    parameters: {},
    outside: [],
    sleep: null,
    checkpoint: null,
    ...changes,
  };
}

export function newSpend(changes: Partial<SpendRow> = {}): SpendRow {
  return {
    model: 'maker/model',
    prompt_tokens: 10,
    completion_tokens: 5,
    reasoning_tokens: 2,
    cached_tokens: 1,
    cost_usd: 0.25,
    turns: 1,
    ...changes,
  };
}
