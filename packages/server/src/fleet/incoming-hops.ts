/**
 * Judges requests that claim to come from other kernels: by their signature, by their time, and by whether they were
 * received before (docs/decisions/0089).
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type Log, signsOnlyAddress } from '@chat-kernel/kernel';
import { MAX_VALUES, readMeasured } from '../http/read-body.ts';
import { endOf, newBodyHash, type Signature, type Signer, verified } from './signature.ts';

/** How much the time of a request may differ from the time here. Both are the time of the database. */
const MAX_DIFFERENCE_MS = 60_000;
/** How far a request may be overtaken by later ones of the same kernel. */
const WINDOW = 16_384;

/** Whether a kernel is registered in the database. */
type IsRegistered = (id: string) => boolean | Promise<boolean>;

/** The outcome for a request. */
export type Verdict =
  /** `hash` is that of the body; undefined if the kernel does not sign it. */
  | { from: string; hash: string | undefined; refusal?: undefined }
  /** `isOurs`: a kernel meant this request for this one, and can send it again. */
  | { refusal: string; isOurs: boolean };

const FOR_ANOTHER: Verdict = { refusal: 'The request is for another kernel.', isOurs: false };

/** The numbers that were received from a kernel. */
interface Received {
  highest: number;
  numbers: Set<number>;
  lastAt: number;
}

export class IncomingHops {
  readonly #own: Signer;
  readonly #isRegistered: IsRegistered;
  readonly #log: Log;
  /** Each request is judged once: it would be a repetition of itself. */
  readonly #verdicts = new WeakMap<IncomingMessage, Verdict>();
  readonly #received = new Map<string, Received>();
  /** Refusals that were logged. */
  readonly #logged = new Set<string>();

  constructor(own: Signer, isRegistered: IsRegistered, log: Log) {
    this.#own = own;
    this.#isRegistered = isRegistered;
    this.#log = log;
  }

  /** The id of the calling kernel; undefined if the request was not judged yet, or refused. */
  callerOf(request: IncomingMessage): string | undefined {
    const verdict = this.#verdicts.get(request);
    return verdict?.refusal === undefined ? verdict?.from : undefined;
  }

  /** Judges a request with the header. The body is judged by `readBody`. */
  judge(request: IncomingMessage): Verdict | Promise<Verdict> {
    const verdict = this.#judge(request);
    if (verdict instanceof Promise) return verdict.then(each => this.#keep(request, each));
    return this.#keep(request, verdict);
  }

  #keep(request: IncomingMessage, verdict: Verdict): Verdict {
    this.#verdicts.set(request, verdict);
    return verdict;
  }

  #judge(request: IncomingMessage): Verdict | Promise<Verdict> {
    const { id, secret } = this.#own;
    const signature = verified(secret, request);
    if (signature?.to !== id) return FOR_ANOTHER;
    const { from } = signature;
    if (!('hash' in signature)) return this.#judgeOld(from);
    const ahead = Number(signature.time) - this.#own.now();
    if (!(Math.abs(ahead) <= MAX_DIFFERENCE_MS)) {
      const seconds = Math.round(Math.abs(ahead) / 1000);
      const detail = `The time of a request from another kernel is ${seconds} s ${ahead > 0 ? 'ahead' : 'old'}; at most ${MAX_DIFFERENCE_MS / 1000} s are allowed.`;
      return this.#refuse(from, detail);
    }
    if (!this.#isNew(signature))
      return this.#refuse(from, 'A request from another kernel was received twice.');
    return { from, hash: signature.hash };
  }

  /** Accepts the format without body and time only from a kernel of an earlier version that is registered now. */
  async #judgeOld(from: string): Promise<Verdict> {
    if (signsOnlyAddress(from) && (await this.#isRegistered(from))) return { from, hash: undefined };
    return this.#refuse(from, 'A request from another kernel has a signature of an earlier version.');
  }

  #refuse(from: string, refusal: string): Verdict {
    const key = `${from} ${refusal.replace(/\d+/, '')}`;
    if (!this.#logged.has(key)) this.#log.warn({ kernel: from }, `${refusal} It was refused.`);
    this.#logged.add(key);
    return { refusal, isOurs: true };
  }

  #isNew({ from, number: text }: Signature): boolean {
    const now = performance.now();
    const number = Number(text);
    const seen = this.#received.get(from) ?? { highest: 0, numbers: new Set(), lastAt: now };
    if (seen.numbers.has(number) || number <= seen.highest - WINDOW) return false;
    seen.numbers.add(number);
    seen.highest = Math.max(seen.highest, number);
    seen.lastAt = now;
    // Numbers arrive almost in order, so the oldest come first.
    for (const old of seen.numbers) {
      if (seen.numbers.size <= 2 * WINDOW) break;
      if (old <= seen.highest - WINDOW) seen.numbers.delete(old);
    }
    // The kernel that called last comes last. Requests of a kernel that is silent for long are refused by their time.
    this.#received.delete(from);
    this.#received.set(from, seen);
    for (const [kernel, { lastAt }] of this.#received) {
      if (now - lastAt < 3 * MAX_DIFFERENCE_MS) break;
      this.#received.delete(kernel);
    }
    return true;
  }

  /** The hash that the body of a request must have; undefined if its kernel does not sign it, or it is from a client. */
  signedHash(request: IncomingMessage): string | undefined {
    const verdict = this.#verdicts.get(request);
    return verdict?.refusal === undefined ? verdict?.hash : undefined;
  }
}

/** Whether a request has a body, so that it must be read. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Reads a body and hashes it as it arrives. Undefined if it is not the signed one.
 * @param announced by Content-Length; NaN if unknown
 * @throws KernelError body_too_large, not_json, invalid_value
 */
export async function readSigned(
  payload: Readable,
  signedHash: string,
  announced: number,
  maxValues = MAX_VALUES,
): Promise<Buffer | undefined> {
  const hash = newBodyHash();
  const body = await readMeasured(payload, announced, maxValues, piece => hash.update(piece));
  return (body.length === 0 ? '' : endOf(hash)) === signedHash ? body : undefined;
}
