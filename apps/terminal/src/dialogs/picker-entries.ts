/** What pickers offer: models, efforts, chats, and the messages that one can branch or rewind from. */
import type { Chat, Effort, Item, Model } from '@chat-kernel/protocol';
import { moment, short } from '../text/amounts.ts';
import type { Pick } from './picker.ts';

export const modelPicks = (models: readonly Model[], current: string | null): Pick[] =>
  models.map(({ id, name, context_window, price }) => ({
    id,
    label: id,
    detail: [
      name === id ? '' : name,
      `${short(context_window)} tokens`,
      price === null ? 'price unknown' : `$${price.input} in, $${price.output} out per million`,
    ]
      .filter(each => each !== '')
      .join(' · '),
    current: id === current,
  }));

/** @param inherited the level that counts where the chat has none */
export const effortPicks = (
  efforts: readonly Effort[],
  current: Effort | null,
  inherited: Effort,
): Pick[] => [
  { id: '', label: 'default', detail: inherited, current: current === null },
  ...efforts.map(each => ({ id: each, label: each, current: each === current })),
];

export const chatPicks = (chats: readonly Chat[], current: string | null, now: number): Pick[] =>
  chats.map(({ id, title, last_message_at, created_at, turn, project }) => ({
    id,
    label: oneLine(title ?? 'untitled'),
    detail: [turn === null ? '' : turn.status, project ?? '', moment(last_message_at ?? created_at, now)]
      .filter(each => each !== '')
      .join(' · '),
    current: id === current,
  }));

/** The user's messages, the youngest first; the id is the message's. */
export const messagePicks = (items: readonly Item[], now: number): Pick[] =>
  items
    .filter(item => item.kind === 'user_message')
    .map(({ message_id, text, created_at, attachments }) => ({
      id: message_id,
      label: oneLine(text) || `${attachments.length} attachments`,
      detail: moment(created_at, now),
    }))
    .reverse();

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ').slice(0, 200);
