/** Subscriptions as files that other programs read. What a format has no place for is not in it. */
import type { Subscription } from '@chat-kernel/protocol';
import { feedOf, hasAddress, pageOf } from './channel.ts';
import { writeOpml } from './opml.ts';

/** The number of the one service whose channels have ids of their own. */
const FIRST_SERVICE = 0;

/** Channels without an id that has a feed, and without an address, are left out. */
export function opmlOf(subscriptions: readonly Subscription[]): string {
  return writeOpml(
    subscriptions.flatMap(({ channel_id, title, url }) => {
      if (hasAddress(channel_id)) return [{ title, feed: feedOf(channel_id), page: pageOf(channel_id) }];
      return url === null ? [] : [{ title, feed: url, page: url }];
    }),
  );
}

/** Channels of services that it does not know the number of are left out. */
export function newPipeOf(subscriptions: readonly Subscription[]): object {
  const entries = subscriptions.flatMap(({ channel_id, title: name, url, metadata: { service_id } }) => {
    if (hasAddress(channel_id)) return [{ service_id: FIRST_SERVICE, url: pageOf(channel_id), name }];
    return url !== null && Number.isInteger(service_id) ? [{ service_id, url, name }] : [];
  });
  return { app_version: '', app_version_int: 0, subscriptions: entries };
}
