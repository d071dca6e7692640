/** The settings of the module: the section `module` of its file. */
import { z } from '@chat-kernel/module-sdk';

const UserId = z.int().positive();

export const Settings = z.strictObject({
  /** As @BotFather gave it. */
  // bounded: a token is one short word.
  token: z.string().regex(/^\d+:[\w-]+$/, 'expected the token of @BotFather, such as 123:abc'),
  /** The user ids of the master; the first one is asked what stands in no chat of Telegram. */
  owner: z.array(UserId).min(1),
  /** User ids of others who may write to the bot in private. */
  people: z.array(UserId).default([]),
  /** The ids of groups where the bot answers whoever mentions it. */
  groups: z.array(z.int().negative()).default([]),
  /** Requests of all chats are shown to the owner, not those of Telegram's alone. */
  notify_requests: z.boolean().default(false),
  /** The address of a Bot API server of one's own. */
  api_url: z.url().default('https://api.telegram.org'),
  /** How long Telegram may hold a poll that finds nothing. */
  poll_secs: z.int().min(1).max(50).default(50),
});
export type Settings = z.output<typeof Settings>;
