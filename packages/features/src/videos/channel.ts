/** Identifies channels in files of other programs: the addresses of pages and feeds contain their ids. */
import { ChannelId, SubscribeToChannel, type Subscription } from '@chat-kernel/protocol';

const ID = 'UC[\\w-]{22}';
const CHANNEL_ID = new RegExp(`^${ID}$`);
const IN_ADDRESS = new RegExp(`(?:[?&]channel_id=|/channel/)(${ID})(?:[/?&#]|$)`);

/** Whether the id has the form used in addresses of feeds and pages. */
export const hasAddress = (channelId: string): boolean => CHANNEL_ID.test(channelId);
export const channelPageUrl = (channelId: string): string => `https://www.youtube.com/channel/${channelId}`;
export const channelFeedUrl = (channelId: string): string =>
  `https://www.youtube.com/feeds/videos.xml?channel_id=${channelId}`;

/** The fields of an entry in such a file; each may be missing. */
export interface ChannelEntry {
  id?: unknown;
  /** The address of a page or a feed. */
  address?: unknown;
  title?: unknown;
  avatar_url?: unknown;
  metadata?: Record<string, unknown>;
}

/**
 * Creates the subscription of an entry: by its id, by the id in its address, or else by the address itself. Undefined
 * if the entry names no channel.
 */
export function toSubscription({
  id,
  address,
  title,
  avatar_url,
  metadata,
}: ChannelEntry): Subscription | undefined {
  const url = trimText(address);
  if (url !== undefined && !/^https?:\/\/[^\s/]/i.test(url)) return undefined;
  const channel_id = trimText(id) ?? IN_ADDRESS.exec(url ?? '')?.[1] ?? url;
  if (channel_id === undefined || !isChannelId(channel_id)) return undefined;
  const parsed = SubscribeToChannel.safeParse({
    title: trimText(title) ?? channel_id,
    url: url ?? null,
    avatar_url: trimText(avatar_url) ?? null,
    metadata,
  });
  return parsed.success ? { channel_id, ...parsed.data } : undefined;
}

/** Whether a text can be an id. Half a surrogate pair would change when it is sent. */
const isChannelId = (text: string): boolean => text.isWellFormed() && ChannelId.safeParse(text).success;

/** The trimmed text; undefined if it is empty, or not a text. */
const trimText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
