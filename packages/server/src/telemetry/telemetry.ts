/**
 * Opens telemetry for an OpenTelemetry collector. If the settings name none, no other file of this folder is loaded.
 */
import { NO_TRACING } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { Telemetry, TelemetryDeps } from './parts.ts';

const OFF: Telemetry = {
  tracing: NO_TRACING,
  store: store => store,
  models: models => models,
  stop: async () => {},
};

export async function openTelemetry(
  { otlp_url, headers }: Settings['telemetry'],
  deps: TelemetryDeps,
): Promise<Telemetry> {
  if (otlp_url === null) return OFF;
  const { openSpans } = await import('./open-spans.ts');
  return openSpans({ otlp_url, headers }, deps);
}
