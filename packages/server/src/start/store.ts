/**
 * Opens the store and the journal together with the observers of their calls: metrics and telemetry.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { STORE_HOOKS } from '@chat-kernel/features';
import { type Clock, orderIdsBy, SharedClock } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { bytesSetting } from '@chat-kernel/settings';
import { openJournal, openStore } from '@chat-kernel/storage';
import { Metrics } from '../metrics/metrics.ts';
import { openTelemetry } from '../telemetry/telemetry.ts';
import type { StartContext } from './context.ts';

interface StoreOptions {
  version: string;
  counters: ConstructorParameters<typeof Metrics>[0];
  /**
   * Called once this process has locked the data directory; the returned function is called before the lock is
   * released.
   */
  onLocked: (() => () => void) | undefined;
}

/** Throws the errors of `openStore`. @param context with the clock of this machine */
export async function openWatchedStore(
  { settings, environment, log, clock: localClock, stops }: StartContext,
  { version, counters, onLocked }: StoreOptions,
) {
  const { server, data_dir, database } = settings;
  const sharing = describeSharingKernel(server, version, localClock);
  // Kernels that share a database use its clock.
  const clock = sharing?.clock ?? localClock;
  const metrics = new Metrics(counters);
  stops.push(() => metrics.stop());
  const opened = await openStore({
    data_dir,
    url: database.url,
    bytes: bytesSetting(settings, environment),
    kernel: sharing?.kernel,
    hooks: STORE_HOOKS,
    log,
    clock,
  });
  stops.push(() => opened.close());
  const id = opened.fleet?.id ?? randomUUID();
  const telemetry = await openTelemetry(settings.telemetry, {
    version,
    id,
    database: database.url === null ? 'sqlite' : 'postgresql',
    log,
    clock,
  });
  stops.push(() => telemetry.stop());
  /** Wraps parts of the database, so that their calls are observed like those of the store. */
  const watch = <Parts extends object>(parts: Parts) => telemetry.store(metrics.countFenced(parts));
  const store = watch(metrics.countWrites(opened));
  if (onLocked) stops.push(onLocked());
  // The lock of the store also protects this file.
  const journal = openJournal(data_dir, { alone: database.url === null });
  return { id, clock, metrics, telemetry, database: opened, store, journal, watch };
}

/** Describes this kernel to the others on its database; undefined if it does not share the database. */
function describeSharingKernel(
  { advertise_url: url, name }: Settings['server'],
  version: string,
  localClock: Clock,
) {
  if (url === null) return undefined;
  const clock = new SharedClock(localClock);
  orderIdsBy(clock.now);
  return { clock, kernel: { url, name: name ?? hostname(), version, follow: clock.follow.bind(clock) } };
}
