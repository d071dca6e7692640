/** Defines the settings of the module: the section `module` of its file. */
import { z } from '@chat-kernel/module-sdk';

const UserId = z.int().positive();

export const Settings = z.strictObject({
  /** From @BotFather. */
  // bounded: a token is one short word.
  token: z.string().regex(/^\d+:[\w-]+$/, 'expected a bot token from @BotFather, such as 123:abc'),
  /** The user ids of the master. The first one gets the requests of chats outside of Telegram. */
  owner: z.array(UserId).min(1),
  /** The user ids of others who may write to the bot in private. */
  people: z.array(UserId).default([]),
  /** The ids of groups in which the bot answers everyone who mentions it. */
  groups: z.array(z.int().negative()).default([]),
  /** Show the owner the requests of all chats, not only of Telegram chats. */
  notify_requests: z.boolean().default(false),
  /** The URL of a self-hosted Bot API server. */
  api_url: z.url().default('https://api.telegram.org'),
  /** How long Telegram may hold a poll without updates. */
  poll_secs: z.int().min(1).max(50).default(50),
});
export type Settings = z.output<typeof Settings>;
