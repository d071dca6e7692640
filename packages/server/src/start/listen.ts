/** Opens the application for a kernel and listens: from then on, clients can reach the kernel. */
import type { AddressInfo } from 'node:net';
import { openApp } from '../app.ts';
import { Gateway } from '../fleet/gateway.ts';
import type { AppServices } from '../http/route.ts';
import { formatUrl } from '../http/url.ts';
import type { Telemetry } from '../telemetry/parts.ts';
import { WebClient } from '../web/web-client.ts';
import type { StopStack } from './stop-stack.ts';

interface AppDeps extends Omit<AppServices, 'others' | 'web'> {
  telemetry: Pick<Telemetry, 'hops'>;
}

/** Longest delay of a stop by a stream that is read slowly, after its turn has ended. */
const LAST_READERS_MS = 1000;

/** Resolves with the URL, with the actual port. */
export async function listen({ telemetry, ...deps }: AppDeps, stops: StopStack) {
  const { kernel, log, metrics } = deps;
  const { host, port: wanted, shutdown_grace_secs } = deps.settings.server;
  const web = new WebClient(log);
  stops.push(async () => web.stop());
  const app = await openApp({ ...deps, web, others: Gateway.of(kernel, { log, metrics, telemetry }) });
  stops.push(() => {
    const force = setTimeout(() => app.server.closeAllConnections(), LAST_READERS_MS);
    return app.close().finally(() => clearTimeout(force));
  });
  // While turns end in their grace time, reads are still answered and new turns refused.
  stops.push(() => kernel.shutdown(shutdown_grace_secs));
  await app.listen({ host, port: wanted });
  const { address, port } = app.server.address() as AddressInfo;
  return { url: formatUrl(host === 'localhost' ? 'localhost' : address, port), web };
}
