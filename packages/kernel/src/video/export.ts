/** Subscriptions as files that other programs read. A channel that a format cannot express is left out. */
import type { Subscription } from '@chat-kernel/protocol';
import { feedOf, hasAddress, pageOf } from './channel.ts';
import { writeOpml } from './opml.ts';

/** NewPipe has a number for each service; this is that of the one service whose ids are known here. */
const FIRST_SERVICE = 0;

/** The OPML document. Channels without the address of a feed or page are left out. */
export function opmlOf(subscriptions: readonly Subscription[]): string {
  return writeOpml(
    subscriptions.flatMap(({ channel_id, title, url }) => {
      if (hasAddress(channel_id)) return [{ title, feed: feedOf(channel_id), page: pageOf(channel_id) }];
      return url === null ? [] : [{ title, feed: url, page: url }];
    }),
  );
}

/** The export of NewPipe. Channels of a service whose number is unknown are left out. */
export function newPipeOf(subscriptions: readonly Subscription[]): object {
  const entries = subscriptions.flatMap(({ channel_id, title: name, url, metadata: { service_id } }) => {
    if (hasAddress(channel_id)) return [{ service_id: FIRST_SERVICE, url: pageOf(channel_id), name }];
    return url !== null && Number.isInteger(service_id) ? [{ service_id, url, name }] : [];
  });
  return { app_version: '', app_version_int: 0, subscriptions: entries };
}
