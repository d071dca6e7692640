/** Counts what the kernel receives and does not understand, and logs each kind once (WIRE-10). */
import type { Log } from '@chat-kernel/kernel';
import type { Metrics } from './metrics.ts';

/**
 * @param source a provider by its name, or `mcp:` or `module:` and the name of a server or module
 * @param shape the name of the part there
 */
export type ReportUnread = (source: string, shape: string) => void;

export const reportUnread =
  (metrics: Pick<Metrics, 'countUnread'>, log: Pick<Log, 'warn'>): ReportUnread =>
  (source, shape) => {
    if (metrics.countUnread(source, shape))
      log.warn(
        { source, shape },
        `${source} sent something that the kernel does not know, which was left out`,
      );
  };
