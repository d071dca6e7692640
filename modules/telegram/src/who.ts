/** Who speaks, by nothing but the number that Telegram has for them: names and forwarded words prove nothing. */
import type { Message, User, UserFromGetMe } from 'grammy/types';
import type { Settings } from './settings.ts';

export type Who =
  | { kind: 'master' }
  | { kind: 'person'; user: User }
  /** Somebody whom the bot does not talk to; `tell`: it says so. */
  | { kind: 'nobody'; tell: boolean };

/** Somebody whom the bot talks to. */
export type Known = Exclude<Who, { kind: 'nobody' }>;

/** @param me the bot itself */
export function whoSpeaks(message: Message, { owner, people, groups }: Settings, me: UserFromGetMe): Who {
  const { chat, from } = message;
  // Channels, and those who speak in the name of a group, have no user who could be known.
  if (!from || from.is_bot || message.sender_chat) return { kind: 'nobody', tell: false };
  const isOwner = owner.includes(from.id);
  if (chat.type === 'private') {
    if (isOwner) return { kind: 'master' };
    return people.includes(from.id) ? { kind: 'person', user: from } : { kind: 'nobody', tell: true };
  }
  if (!groups.includes(chat.id) || !isMeant(message, me)) return { kind: 'nobody', tell: false };
  return isOwner ? { kind: 'master' } : { kind: 'person', user: from };
}

/** In groups the bot answers those who name it, reply to it, or give it a command. */
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

export const nameOf = ({ first_name, last_name }: User): string =>
  [first_name, last_name].filter(Boolean).join(' ').slice(0, 200) || 'somebody';
