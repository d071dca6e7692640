/**
 * Measures the cost of spans for a collector: a kernel that sends them next to one that does not, in time and in
 * memory.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Timing } from '../client.ts';
import { KernelHome, kernelTurn, startedChat } from '../kernel.ts';
import { type Program, residentMb } from '../process.ts';
import { interleave, type Measure, median, type Rig } from '../rig.ts';
import type { Row } from '../table.ts';

const MODEL = 'tokens-20';

export const telemetry: Measure = {
  name: 'telemetry',
  async run(rig) {
    const collector = await startCollector();
    const plain = await startedIn(rig);
    const traced = await startedIn(rig, collector.url);
    try {
      return await measure(rig, plain, traced);
    } finally {
      await Promise.all([plain.stop(), traced.stop()]);
      collector.stop();
    }
  },
};

/** Starts a kernel with all settings of the bench, and this collector. */
const startedIn = ({ upstream, programs }: Rig, collector?: string): Promise<Program> =>
  new KernelHome(upstream.url, programs.kernel, collector === undefined ? {} : { collector }).start();

async function measure({ quick }: Rig, plain: Program, traced: Program): Promise<Row[]> {
  const turnOf = ({ url }: Program) => {
    // Each turn in its own chat, so that no history grows.
    return async (): Promise<Timing> => kernelTurn(url, await startedChat(url), MODEL);
  };
  // `direct` is the kernel without spans: it has the same rounds.
  const rounds = { warmup: quick ? 5 : 20, counted: quick ? 20 : 150 };
  const results = await interleave<Timing>(rounds, { direct: turnOf(plain), kernel: turnOf(traced) });
  const row = (what: string, unit: string, without: number, kernel: number): Row[] => [
    { measure: `${what} without spans`, unit, kernel: without },
    { measure: `${what} with spans`, unit, kernel, ratio: kernel / without },
  ];
  const of = (list: Timing[], aspect: 'first' | 'done') => median(list.map(timing => timing[aspect]));
  return [
    ...row('first delta', 'ms', of(results.direct, 'first'), of(results.kernel, 'first')),
    ...row('turn of 20 tokens', 'ms', of(results.direct, 'done'), of(results.kernel, 'done')),
    ...row('memory', 'MB', residentMb(plain.pid, 'now'), residentMb(traced.pid, 'now')),
  ];
}

/** Accepts everything and responds immediately. */
async function startCollector(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => void server.close().closeAllConnections(),
  };
}
