/** What a scripted model says: one Reply can be spoken in every wire. */

/** What went wrong, by its cause; each wire has its own status and words for it. */
export type FailureKind =
  | 'rate_limited'
  | 'quota'
  | 'unauthorized'
  | 'server_error'
  | 'overloaded'
  | 'context_overflow'
  | 'bad_request';

/** Tokens as the kernel counts them: cached and written are part of prompt, reasoning is part of completion. */
export interface ScriptedUsage {
  prompt: number;
  completion: number;
  reasoning: number;
  cached: number;
  /** Tokens written to the cache; only Anthropic tells. */
  written: number;
}

export interface ScriptedCall {
  /** Absent: one that this server never used before. */
  id?: string;
  name: string;
  input?: Record<string, unknown>;
  /** Instead of input: the argument text as the model wrote it, for instance broken JSON. */
  raw?: string;
  /** In how many pieces the argument text arrives; default 3. */
  pieces?: number;
}

/** A string arrives in one piece, an array in as many as it has; `delay_ms` lies between the pieces. */
type Pieces = string | string[];

export type SpokenStep =
  /** The signature (or encrypted content) goes where the wire has one; absent: the server signs it itself. */
  | { thinking: Pieces; signature?: string; delay_ms?: number }
  /** Thinking that only the provider can read; left out where the wire has none. */
  | { redacted: string }
  | { text: Pieces; delay_ms?: number }
  | { call: ScriptedCall; delay_ms?: number }
  | { image: { media_type: string; bytes: Uint8Array } }
  /** An error inside a stream that began well; the stream ends with it. */
  | { error: FailureKind };

export type Step =
  | SpokenStep
  /** What the server reports; absent: counted by characters. Null: it reports nothing. */
  | { usage: Partial<ScriptedUsage> | null }
  /** Nothing more is sent until the promise resolves. */
  | { wait: Promise<unknown> }
  | { delay_ms: number };

/** Default: `tools` after a call, else `stop`. */
export type Finish = 'stop' | 'tools' | 'length' | 'content_filter';

export interface Reply {
  steps?: Step[];
  finish?: Finish;
  /** Added to the response, such as retry-after or the rate-limit headers. */
  headers?: Record<string, string>;
  /** With no `error`: what the status stands for. With one: replaces the usual status of that failure. */
  status?: number;
  /** The request is refused. `body`: this very text, such as the HTML page of a gateway. */
  error?: FailureKind | { body: string };
  /** The connection is destroyed at this place. */
  cut?: 'before_headers' | { after_bytes: number } | { after_steps: number };
}

export const piecesOf = (pieces: Pieces): string[] => (typeof pieces === 'string' ? [pieces] : pieces);

/** The argument text of a call, cut into its pieces. */
export function argumentsOf(call: ScriptedCall): { whole: string; pieces: string[] } {
  const whole = call.raw ?? JSON.stringify(call.input ?? {});
  const length = Math.max(1, Math.ceil(whole.length / (call.pieces ?? 3)));
  const pieces: string[] = [];
  for (let at = 0; at < whole.length; at += length) pieces.push(whole.slice(at, at + length));
  return { whole, pieces };
}

/** The usage to report: the scripted numbers, the rest counted as four characters a token. */
export function usageOf(steps: readonly Step[], requestChars: number): ScriptedUsage | null {
  let scripted: Partial<ScriptedUsage> = {};
  let reasoning = 0;
  let spoken = 0;
  for (const step of steps) {
    if ('usage' in step) {
      if (step.usage === null) return null;
      scripted = step.usage;
    } else if ('thinking' in step) reasoning += piecesOf(step.thinking).join('').length;
    else if ('text' in step) spoken += piecesOf(step.text).join('').length;
    else if ('call' in step) spoken += argumentsOf(step.call).whole.length + step.call.name.length;
  }
  const tokens = (chars: number) => Math.ceil(chars / 4);
  return {
    prompt: tokens(requestChars),
    completion: Math.max(1, tokens(spoken) + tokens(reasoning)),
    reasoning: tokens(reasoning),
    cached: 0,
    written: 0,
    ...scripted,
  };
}
