/**
 * Follows the kernel's requests to the owner and their decisions, including those made while the module was not
 * connected.
 */
import { RetryBackoff } from '@chat-kernel/base';
import type { KernelClient, KernelEvent, PendingRequest } from '@chat-kernel/client';
import type { Logger } from '../logger.ts';
import { pause, retryUntilAvailable } from './retry-policy.ts';

const PAUSES = { firstMs: 1000, maxMs: 60_000 };

/** The parts that identify a request; the ids of calls are unique only within a chat. */
type RequestName = Pick<PendingRequest, 'chat_id' | 'id' | 'question'>;

export const requestKey = ({ chat_id, id, question }: RequestName): string =>
  question === undefined ? `${chat_id} ${id}` : `${chat_id} ${id} ${question}`;

interface RequestBoard<Shown> {
  /** Shows a request if it belongs to this surface. It may already be shown. */
  show(request: PendingRequest): void | Promise<void>;
  /** Key → the requests that are shown as open. */
  shown(): ReadonlyMap<string, Shown>;
  /** Removes a request that was closed. @param how the decision, or another reason */
  close(shown: Shown, how: string): void;
}

interface FollowServices {
  kernel: KernelClient;
  log: Logger;
  signal: AbortSignal;
}

/** Follows until the signal is aborted. Never rejects. */
export async function followRequests<Shown>(
  board: RequestBoard<Shown>,
  { kernel, log, signal }: FollowServices,
): Promise<void> {
  const backoff = new RetryBackoff(PAUSES);
  while (!signal.aborted) {
    try {
      for await (const event of kernel.events({ signal })) {
        await take(event);
        backoff.reset();
      }
    } catch (error) {
      if (signal.aborted) return;
      log.warn(`Requests are not shown for now: ${(error as Error).message}`);
    }
    await pause(backoff.nextMs(), signal);
  }

  async function take(event: KernelEvent): Promise<void> {
    if (event.type === 'opened' || event.type === 'reset') await compare();
    else if (event.type === 'request_opened') await board.show(event.request);
    else if (event.type === 'request_resolved') {
      const shown = board.shown().get(requestKey(event));
      if (shown !== undefined) board.close(shown, event.decision ?? event.reason);
    }
  }

  /** An earlier process, or a dropped connection, may have missed some. */
  async function compare(): Promise<void> {
    const { requests } = await retryUntilAvailable(() => kernel.listRequests({}, { signal }), signal);
    for (const request of requests) await board.show(request);
    const open = new Set(requests.map(requestKey));
    for (const [key, shown] of board.shown()) if (!open.has(key)) board.close(shown, 'no longer open');
  }
}
