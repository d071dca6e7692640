/**
 * Calls tools of modules and guests that another kernel runs (FLEET-4): sends each call once and follows it to its
 * output.
 */
import {
  type CallElsewhere,
  consentResult,
  type OwnerAnswer,
  type OwnerAsk,
  type RemoteCall,
  RemoteCallError,
  type ToolOutput,
} from '@chat-kernel/kernel';
import type { z } from 'zod';
import type { Metrics } from '../metrics/metrics.ts';
import { type AnswerBody, CALLS, type CallBody, type CallLine, parseCallLines } from './call-protocol.ts';
import { NoAnswer, type Target } from './hop.ts';
import { Hops } from './hops.ts';
import type { Signer } from './signature.ts';

type Scope = Parameters<CallElsewhere>[2];

/** @param from this kernel; null if it does not share its database, so there is no other kernel to call */
export function callRemoteKernel(
  from: Signer | null,
  metrics: Pick<Metrics, 'countHop'>,
): CallElsewhere | undefined {
  if (from === null) return undefined;
  const hops = new Hops(from, metrics);
  return (to, call, scope) => new CallThere(hops, to, call, scope).run();
}

class CallThere {
  readonly #hops: Hops;
  readonly #to: Target;
  readonly #call: RemoteCall;
  readonly #scope: Scope;
  /** Ends everything that belongs to the call, at both kernels. */
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  /** Open questions to the owner, by number, and what cancels them. */
  readonly #asks = new Map<number, AbortController>();

  constructor(hops: Hops, to: Target, call: RemoteCall, scope: Scope) {
    this.#hops = hops;
    this.#to = to;
    this.#call = call;
    this.#scope = scope;
    this.#signal = AbortSignal.any([scope.signal, this.#over.signal]);
  }

  /** @throws RemoteCallError */
  async run(): Promise<ToolOutput> {
    const { id, ...body } = this.#call;
    let wasSent = false;
    let output: ToolOutput | undefined;
    try {
      const answer = await this.#post(`${CALLS}/${id}`, body satisfies z.input<typeof CallBody>);
      // The other kernel refused the call before it began, because it is stopping.
      if (answer.statusCode !== 200) throw new RemoteCallError(false);
      wasSent = true;
      // Read to the end, so that the connection can be reused.
      for await (const line of parseCallLines(answer)) output ??= this.#take(line);
      if (output === undefined) throw new RemoteCallError(true);
      return output;
    } catch (error) {
      if (output !== undefined) return output;
      if (error instanceof RemoteCallError) throw error;
      throw new RemoteCallError(wasSent || (error instanceof NoAnswer && error.wasSent), error);
    } finally {
      // If the call is still running, the abort cancels it at the other kernel.
      this.#over.abort();
      for (const ask of this.#asks.values()) ask.abort();
    }
  }

  /** Returns the output once it has arrived. */
  #take(line: CallLine): ToolOutput | undefined {
    if ('progress' in line) this.#scope.progress(line.progress);
    if ('ask' in line) void this.#ask(line.ask, line);
    if ('unask' in line) this.#asks.get(line.unask)?.abort();
    if (!('done' in line)) return undefined;
    const { images, ...output } = line.done;
    const read = images?.map(({ media_type, data }) => ({ media_type, bytes: Buffer.from(data, 'base64') }));
    return { ...output, ...(read && { images: read }) };
  }

  /** Asks the owner in the chat of this kernel, and sends the answer back. Never rejects. */
  async #ask(n: number, what: OwnerAsk): Promise<void> {
    const unwanted = new AbortController();
    this.#asks.set(n, unwanted);
    try {
      await this.#answer(n, await this.#askOwner(what, unwanted.signal));
    } catch {
      // The turn is over, or the other kernel is unreachable: either way the call is over.
      this.#over.abort();
    } finally {
      this.#asks.delete(n);
    }
  }

  async #askOwner(what: OwnerAsk, unwanted: AbortSignal): Promise<OwnerAnswer> {
    return 'question' in what
      ? { ending: await this.#scope.askOwner(what.question, unwanted) }
      : { consent: await consentResult(this.#scope.consentToAct(what.act, unwanted)) };
  }

  async #answer(ask: number, answer: OwnerAnswer): Promise<void> {
    if (this.#signal.aborted) return;
    const body = { ask, ...answer } satisfies z.input<typeof AnswerBody>;
    const taken = await this.#post(`${CALLS}/${this.#call.id}/answers`, body);
    taken.resume();
    // 404: the call no longer waits for the answer.
    if (taken.statusCode !== 200 && taken.statusCode !== 404)
      throw new Error(`A response was rejected with ${taken.statusCode}.`);
  }

  #post(url: string, body: object) {
    const asked = {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    };
    return this.#hops.ask(this.#to, asked, this.#signal);
  }
}
