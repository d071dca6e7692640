/** Calls of tools that another kernel's modules and guests have (FLEET-4): sent once, and followed to their output. */
import {
  type CallElsewhere,
  CallLost,
  consentResult,
  type ForeignCall,
  type OwnerAnswer,
  type OwnerAsk,
  type ToolOutput,
  type Tracing,
} from '@chat-kernel/kernel';
import type { z } from 'zod';
import type { Metrics } from '../metrics/metrics.ts';
import { type AnswerBody, CALLS, type CallBody, type CallLine, linesOf } from './call-lines.ts';
import { NoAnswer, type Target } from './hop.ts';
import { Hops } from './hops.ts';
import type { Signer } from './signature.ts';

type Scope = Parameters<CallElsewhere>[2];

/** @param from this kernel; null: it has its database for itself, and there is nobody to call */
export function callElsewhere(
  from: Signer | null,
  { metrics, tracing }: { metrics: Pick<Metrics, 'countHop'>; tracing: Tracing },
): CallElsewhere | undefined {
  if (from === null) return undefined;
  const hops = new Hops(from, metrics, tracing);
  return (to, call, scope) => new CallThere(hops, to, call, scope).run();
}

class CallThere {
  readonly #hops: Hops;
  readonly #to: Target;
  readonly #call: ForeignCall;
  readonly #scope: Scope;
  /** Ends everything that belongs to the call, at both kernels. */
  readonly #over = new AbortController();
  readonly #signal: AbortSignal;
  /** Questions to the owner that are open, by number, and what takes them back. */
  readonly #asks = new Map<number, AbortController>();

  constructor(hops: Hops, to: Target, call: ForeignCall, scope: Scope) {
    this.#hops = hops;
    this.#to = to;
    this.#call = call;
    this.#scope = scope;
    this.#signal = AbortSignal.any([scope.signal, this.#over.signal]);
  }

  /** @throws CallLost */
  async run(): Promise<ToolOutput> {
    const { id, ...body } = this.#call;
    let wasSent = false;
    let output: ToolOutput | undefined;
    try {
      const answer = await this.#post(`${CALLS}/${id}`, body satisfies z.input<typeof CallBody>);
      // It was refused before it began: that kernel stops.
      if (answer.statusCode !== 200) throw new CallLost(false);
      wasSent = true;
      // Read to its end, so that the connection can be used again.
      for await (const line of linesOf(answer)) output ??= this.#take(line);
      if (output === undefined) throw new CallLost(true);
      return output;
    } catch (error) {
      if (output !== undefined) return output;
      if (error instanceof CallLost) throw error;
      throw new CallLost(wasSent || (error instanceof NoAnswer && error.wasSent), error);
    } finally {
      // Where the call is not over, the other kernel learns by this that nobody waits.
      this.#over.abort();
      for (const ask of this.#asks.values()) ask.abort();
    }
  }

  /** Returns the output, once it is there. */
  #take(line: CallLine): ToolOutput | undefined {
    if ('progress' in line) this.#scope.progress(line.progress);
    if ('ask' in line) void this.#ask(line.ask, line);
    if ('unask' in line) this.#asks.get(line.unask)?.abort();
    if (!('done' in line)) return undefined;
    const { images, ...output } = line.done;
    const read = images?.map(({ media_type, data }) => ({ media_type, bytes: Buffer.from(data, 'base64') }));
    return { ...output, ...(read && { images: read }) };
  }

  /** Asks the owner in the chat that is here, and sends the answer back. Never rejects. */
  async #ask(n: number, what: OwnerAsk): Promise<void> {
    const unwanted = new AbortController();
    this.#asks.set(n, unwanted);
    try {
      await this.#answer(n, await this.#askOwner(what, unwanted.signal));
    } catch {
      // The turn is over, or that kernel is away: either way the call is.
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
    // 404: nobody waits for it there any more.
    if (taken.statusCode !== 200 && taken.statusCode !== 404)
      throw new Error(`An answer was refused with ${taken.statusCode}.`);
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
