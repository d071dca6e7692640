/** Word to the owner, as a port: how it leaves the kernel. It must never be logged, nor the keys of a browser. */
import type { PushEvent, PushOutcome, PushSent, PushWord } from '@chat-kernel/protocol';

/** A browser that wants word, with its keys. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushResult {
  outcome: PushOutcome;
  /** Why it was not sent, without a word of the message and without the address; null: it was. */
  detail: string | null;
  /** A failure that may pass: a later attempt can help. */
  passing: boolean;
}

/** Something else that the settings name, which gets the same words. */
export interface Notifier {
  /** By which its owner knows it, without anything secret. */
  readonly name: string;
  readonly to: Exclude<PushSent['to'], 'subscription'>;
  /** Undefined: it gets everything. */
  readonly on: readonly PushEvent[] | undefined;
  /** Never rejects. */
  tell(word: PushWord, signal: AbortSignal): Promise<PushResult>;
}

export interface PushSender {
  readonly notifiers: readonly Notifier[];
  /** The public key of this kernel, in base64url; made at the first call. */
  publicKey(): string;
  /** @throws KernelError invalid_value where nothing may be sent there, or its keys are none */
  check(target: PushTarget): Promise<void>;
  /** Never rejects; at the abort it gives up. */
  send(target: PushTarget, word: PushWord, signal: AbortSignal): Promise<PushResult>;
}
