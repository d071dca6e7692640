/** What names a channel in files of other programs: addresses of its pages and feeds hold the id. */
import { ChannelId, SubscribeToChannel, type Subscription } from '@chat-kernel/protocol';

const ID = 'UC[\\w-]{22}';
const CHANNEL_ID = new RegExp(`^${ID}$`);
const IN_ADDRESS = new RegExp(`(?:[?&]channel_id=|/channel/)(${ID})(?:[/?&#]|$)`);

/** Whether this is an id by which feeds and pages can be addressed. */
export const hasAddress = (channelId: string): boolean => CHANNEL_ID.test(channelId);
export const pageOf = (channelId: string): string => `https://www.youtube.com/channel/${channelId}`;
export const feedOf = (channelId: string): string =>
  `https://www.youtube.com/feeds/videos.xml?channel_id=${channelId}`;

/** What an entry of such a file says, as far as it says it. */
export interface ChannelEntry {
  id?: unknown;
  /** Of a page or a feed. */
  address?: unknown;
  title?: unknown;
  avatar_url?: unknown;
  metadata?: Record<string, unknown>;
}

/** By its id, else by the id in its address, else by the address itself; undefined where it names no channel. */
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

/** A lone surrogate would be another id once it is sent. */
const isChannelId = (text: string): boolean => text.isWellFormed() && ChannelId.safeParse(text).success;

/** Undefined for what is empty, or is no text at all. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
