/** Channels in files of other programs: the addresses of pages and feeds hold their ids. */
import { ChannelId, SubscribeToChannel, type Subscription } from '@chat-kernel/protocol';

const ID = 'UC[\\w-]{22}';
const CHANNEL_ID = new RegExp(`^${ID}$`);
const IN_ADDRESS = new RegExp(`(?:[?&]channel_id=|/channel/)(${ID})(?:[/?&#]|$)`);

/** Whether the id is one that feeds and pages have in their addresses. */
export const hasAddress = (channelId: string): boolean => CHANNEL_ID.test(channelId);
export const pageOf = (channelId: string): string => `https://www.youtube.com/channel/${channelId}`;
export const feedOf = (channelId: string): string =>
  `https://www.youtube.com/feeds/videos.xml?channel_id=${channelId}`;

/** The fields of an entry in such a file, as far as it has them. */
export interface ChannelEntry {
  id?: unknown;
  /** The address of a page or a feed. */
  address?: unknown;
  title?: unknown;
  avatar_url?: unknown;
  metadata?: Record<string, unknown>;
}

/**
 * The subscription of an entry: by its id, else by the id in its address, else by the address itself. Undefined where
 * the entry names no channel.
 */
export function channelOf({
  id,
  address,
  title,
  avatar_url,
  metadata,
}: ChannelEntry): Subscription | undefined {
  const url = textOf(address);
  if (url !== undefined && !/^https?:\/\/[^\s/]/i.test(url)) return undefined;
  const channel_id = textOf(id) ?? IN_ADDRESS.exec(url ?? '')?.[1] ?? url;
  if (channel_id === undefined || !isChannelId(channel_id)) return undefined;
  const parsed = SubscribeToChannel.safeParse({
    title: textOf(title) ?? channel_id,
    url: url ?? null,
    avatar_url: textOf(avatar_url) ?? null,
    metadata,
  });
  return parsed.success ? { channel_id, ...parsed.data } : undefined;
}

/** Whether a text can be an id. Half a character would become another one when it is sent. */
const isChannelId = (text: string): boolean => text.isWellFormed() && ChannelId.safeParse(text).success;

/** The trimmed text; undefined for what is empty, or is no text. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
