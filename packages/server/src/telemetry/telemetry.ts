/**
 * Opens telemetry for an OpenTelemetry collector. If the settings name none, no other file of this folder is loaded.
 */
import type { Settings } from '@chat-kernel/protocol';
import type { Telemetry, TelemetryDeps } from './parts.ts';

export const NO_TELEMETRY: Telemetry = {
  store: store => store,
  models: models => models,
  hops: hops => hops,
  stop: async () => {},
};

export async function openTelemetry(
  { otlp_url, headers }: Settings['telemetry'],
  deps: TelemetryDeps,
): Promise<Telemetry> {
  if (otlp_url === null) return NO_TELEMETRY;
  const { openSpans } = await import('./open-spans.ts');
  return openSpans({ otlp_url, headers }, deps);
}
