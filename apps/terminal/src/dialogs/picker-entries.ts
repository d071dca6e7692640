/** Builds picker entries for models, efforts, chats and messages. */
import type { Chat, Effort, Item, Model } from '@chat-kernel/protocol';
import { compact, counted, toSingleLine } from '@chat-kernel/text';
import { moment } from '../text/amounts.ts';
import type { PickerEntry } from './picker.ts';

export const modelEntries = (models: readonly Model[], current: string | null): PickerEntry[] =>
  models.map(({ id, name, context_window, price }) => ({
    id,
    label: id,
    detail: facts(
      name === id ? '' : name,
      `${compact(context_window)} tokens`,
      price === null ? 'price unknown' : `$${price.input} in, $${price.output} out per million tokens`,
    ),
    current: id === current,
  }));

/** @param inherited the level that applies if the chat has none */
export const effortEntries = (
  efforts: readonly Effort[],
  current: Effort | null,
  inherited: Effort,
): PickerEntry[] => [
  { id: '', label: 'default', detail: inherited, current: current === null },
  ...efforts.map(each => ({ id: each, label: each, current: each === current })),
];

/** @param previews chat id → beginning of its last message */
export const chatEntries = (
  chats: readonly Chat[],
  current: string | null,
  now: number,
  previews: ReadonlyMap<string, string> = new Map(),
): PickerEntry[] =>
  chats.map(({ id, title, last_message_at, created_at, turn, project, workdir }) => ({
    id,
    label: toLabel(title ?? 'untitled'),
    detail: facts(
      turn?.status,
      project,
      workdir,
      moment(last_message_at ?? created_at, now),
      toLabel(previews.get(id) ?? ''),
    ),
    current: id === current,
  }));

/** Returns the user's messages, newest first. The id of an entry is the message id. */
export const messageEntries = (items: readonly Item[], now: number): PickerEntry[] =>
  items
    .filter(item => item.kind === 'user_message')
    .map(({ message_id, text, created_at, attachments }) => ({
      id: message_id,
      label: toLabel(text) || counted(attachments.length, 'attachment'),
      detail: moment(created_at, now),
    }))
    .reverse();

const toLabel = (text: string): string => toSingleLine(text).slice(0, 200);

/** Joins what is known. */
export const facts = (...given: readonly (string | null | undefined)[]): string =>
  given.filter(Boolean).join(' · ');
