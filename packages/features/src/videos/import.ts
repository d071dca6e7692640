/** Parses subscriptions in files of other programs. The content of a file decides its format, never its name. */
import { isUtf8 } from 'node:buffer';
import type { Subscription, SubscriptionsImported } from '@chat-kernel/protocol';
import { KernelError } from '@chat-kernel/protocol';
import { type ChannelEntry, toSubscription } from './channel.ts';
import { readOpml } from './opml.ts';

/** The maximum number of entries in a file. */
const MAX_ENTRIES = 10_000;

interface FileEntries {
  format: SubscriptionsImported['format'];
  entries: ChannelEntry[];
}
type Json = Record<string, unknown>;

/**
 * Returns the channels of a file, each once even if the file repeats it; `invalid` counts entries that name no channel.
 * @throws KernelError invalid_value if the file is not OPML and not an export of NewPipe, Invidious or FreeTube, or if
 * it is broken
 */
export function readSubscriptions(bytes: Uint8Array): {
  format: FileEntries['format'];
  subscriptions: Subscription[];
  invalid: number;
} {
  if (!isUtf8(bytes)) throw unknownFile('it is not UTF-8');
  const { format, entries } = parseEntries(new TextDecoder().decode(bytes).trim());
  if (entries.length > MAX_ENTRIES) throw unknownFile(`it has more than ${MAX_ENTRIES} entries`);
  const channels = entries.map(toSubscription);
  const found = channels.filter(channel => channel !== undefined);
  const byId = new Map(found.toReversed().map(channel => [channel.channel_id, channel]));
  return { format, subscriptions: [...byId.values()].reverse(), invalid: channels.length - found.length };
}

function parseEntries(text: string): FileEntries {
  if (text.startsWith('<')) return { format: 'opml', entries: readOpml(text) };
  const whole = parsed(text);
  const known = isObject(whole) && !isProfile(whole) && Array.isArray(whole.subscriptions);
  if (known) return 'app_version' in whole ? newPipe(whole) : plainOrNewPipe(whole);
  return freeTube(text);
}

/**
 * The entries of a file without a version of NewPipe. Old exports of Invidious have the same form as those of NewPipe,
 * newer ones list ids; an empty list fits both.
 */
function plainOrNewPipe(file: Json): FileEntries {
  const { subscriptions } = file as { subscriptions: unknown[] };
  if (subscriptions.some(isObject)) return newPipe(file);
  return { format: 'invidious', entries: subscriptions.map(id => ({ id })) };
}

function newPipe({ subscriptions }: Json): FileEntries {
  const entries = (subscriptions as unknown[]).map(entry => {
    if (!isObject(entry)) return {};
    const { url: address, name: title, service_id } = entry;
    return { address, title, ...(Number.isInteger(service_id) && { metadata: { service_id } }) };
  });
  return { format: 'newpipe', entries };
}

/**
 * The entries of FreeTube, which writes one profile per line; a later line of the same profile replaces the earlier
 * one.
 */
function freeTube(text: string): FileEntries {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  const profiles = new Map<unknown, Json>();
  for (const line of lines) {
    const profile = parsed(line);
    if (!isObject(profile) || !isProfile(profile)) throw unknownFile('the format is unknown');
    profiles.set(profile._id, profile);
  }
  if (profiles.size === 0) throw unknownFile('it is empty');
  const entries = [...profiles.values()].flatMap(({ subscriptions }) =>
    Array.isArray(subscriptions) ? subscriptions.map(freeTubeEntry) : [],
  );
  return { format: 'freetube', entries };
}

function freeTubeEntry(entry: unknown): ChannelEntry {
  if (!isObject(entry)) return {};
  const { id, name: title, thumbnail: avatar_url } = entry;
  return { id, title, avatar_url };
}

/** Whether a value is a profile of FreeTube. A deleted profile has only its id. */
const isProfile = (value: Json): boolean =>
  '_id' in value && (Array.isArray(value.subscriptions) || value.$$deleted === true);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON; undefined if it is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unknownFile = (why: string): KernelError =>
  new KernelError(
    'invalid_value',
    `The file cannot be imported: ${why}. Supported formats: OPML, and the subscription exports of NewPipe, Invidious and FreeTube.`,
  );
