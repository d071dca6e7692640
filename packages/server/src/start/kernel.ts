/** Opens the kernel on the parts that were opened before it. */
import type { OpenFeatures } from '@chat-kernel/features';
import { type Kernel, type Log, openKernel } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { openModels } from '@chat-kernel/providers';
import type { EnvironmentVariables } from '@chat-kernel/settings';
import { isAliveFrom } from '../fleet/is-alive.ts';
import { callRemoteKernel } from '../fleet/remote-call.ts';
import type { LocalMachine } from './local-machine.ts';
import type { WatchedStore } from './store.ts';
import type { OpenTools } from './tools.ts';

interface KernelDeps {
  settings: Settings;
  environment: EnvironmentVariables;
  secrets: readonly string[];
  watched: WatchedStore;
  models: Awaited<ReturnType<typeof openModels>>;
  local: LocalMachine;
  opened: Pick<OpenTools, 'extensions' | 'groups' | 'tools'>;
  features: OpenFeatures;
  log: Log;
}

export function openKernelOn({
  settings,
  environment,
  secrets,
  watched: { id, store, journal, database, watch, metrics, telemetry, clock },
  models,
  local: { machine, undo, folders },
  opened: { tools, groups, extensions },
  features,
  log,
}: KernelDeps): Promise<Kernel> {
  const signer = store.fleet && { id: store.fleet.id, secret: store.fleet.secret, now: () => clock.now() };
  return openKernel({
    id,
    store,
    journal,
    models,
    tools,
    groups,
    extensions,
    callElsewhere: callRemoteKernel(signer, metrics),
    isAlive: signer ? isAliveFrom(signer) : undefined,
    machine,
    undo,
    openFeatures: host =>
      features.open({ ...host, settings, environment, voiceModels: models.voice }, folders, database, watch),
    observer: telemetry.observer,
    clock,
    log,
    settings,
    secrets,
  });
}
