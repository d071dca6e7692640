/** Identifies senders only by their Telegram user id: names and forwarded text prove nothing. */
import type { Message, User, UserFromGetMe } from 'grammy/types';
import type { Settings } from './settings.ts';

export type Who =
  | { kind: 'master' }
  | { kind: 'person'; user: User }
  /** A user whom the bot ignores. `tell`: the bot replies that it is private. */
  | { kind: 'nobody'; tell: boolean };

/** A user whom the bot answers. */
export type Known = Exclude<Who, { kind: 'nobody' }>;

/** @param me the bot itself */
export function whoSpeaks(message: Message, { owner, people, groups }: Settings, me: UserFromGetMe): Who {
  const { chat, from } = message;
  // Channels, and group admins who post anonymously, have no user id.
  if (!from || from.is_bot || message.sender_chat) return { kind: 'nobody', tell: false };
  const isOwner = owner.includes(from.id);
  if (chat.type === 'private') {
    if (isOwner) return { kind: 'master' };
    return people.includes(from.id) ? { kind: 'person', user: from } : { kind: 'nobody', tell: true };
  }
  if (!groups.includes(chat.id) || !isMeant(message, me)) return { kind: 'nobody', tell: false };
  return isOwner ? { kind: 'master' } : { kind: 'person', user: from };
}

/** In groups, the bot answers messages that mention it, reply to it, or give it a command. */
function isMeant(message: Message, me: UserFromGetMe): boolean {
  if (message.reply_to_message?.from?.id === me.id) return true;
  const text = message.text ?? message.caption ?? '';
  const name = `@${me.username}`.toLowerCase();
  return (message.entities ?? message.caption_entities ?? []).some(entity => {
    const words = text.slice(entity.offset, entity.offset + entity.length).toLowerCase();
    if (entity.type === 'mention') return words === name;
    if (entity.type === 'text_mention') return entity.user.id === me.id;
    return entity.type === 'bot_command' && words.endsWith(name);
  });
}

export const formatUserName = ({ first_name, last_name }: User): string =>
  [first_name, last_name].filter(Boolean).join(' ').slice(0, 200) || 'somebody';
