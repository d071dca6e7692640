/** Opens the models, and lets the event loop watch and telemetry see their requests. */
import type { Clock, Log } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import type { EnvironmentVariables } from '@chat-kernel/settings';
import type { LoopWatch } from '../metrics/loop-watch.ts';
import type { ReportUnread } from '../metrics/unread.ts';
import type { Telemetry } from '../telemetry/parts.ts';

interface ModelDeps {
  settings: Pick<Settings, 'llm' | 'titles' | 'voice'>;
  environment: EnvironmentVariables;
  secrets: readonly string[];
  loop: LoopWatch;
  onUnread: ReportUnread;
  telemetry: Pick<Telemetry, 'models'>;
  clock: Clock;
  log: Log;
}

export type WatchedModels = Awaited<ReturnType<typeof openModels>>;

export async function openWatchedModels({
  settings: { llm, titles, voice },
  environment: env,
  secrets,
  loop,
  onUnread,
  telemetry,
  clock,
  log,
}: ModelDeps): Promise<WatchedModels> {
  const found = await openModels({
    llm,
    titleModel: titles.model,
    voice,
    env,
    secrets,
    clock,
    log,
    onUnread,
  });
  return telemetry.models(loop.watchModels(found));
}
