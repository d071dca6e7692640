/** Defines the reply of a scripted model, which every provider API can send. */

/** The cause of a failure; each provider API has a status and a text for it. */
export type FailureKind =
  | 'rate_limited'
  | 'quota'
  | 'unauthorized'
  | 'server_error'
  | 'overloaded'
  | 'context_overflow'
  | 'bad_request';

/** Tokens as the kernel counts them: prompt includes cached and written, completion includes reasoning. */
export interface ScriptedUsage {
  prompt: number;
  completion: number;
  reasoning: number;
  cached: number;
  /** Tokens written to the cache; only Anthropic reports them. */
  written: number;
}

interface ScriptedCall {
  /** Absent: the server creates a new id. */
  id?: string;
  name: string;
  input?: Record<string, unknown>;
  /** Replaces `input`: the argument text as the model wrote it, for instance broken JSON. */
  raw?: string;
  /** The number of pieces in which the argument text arrives; default 3. */
  pieces?: number;
}

/** A string arrives in one piece, an array in as many as it has; `delay_ms` is the time between the pieces. */
type Pieces = string | string[];

/** Steps that a provider API turns into frames, each by the member that names its kind. */
export interface SpokenSteps {
  /** The signature (or encrypted content) is sent if the provider API has one; absent: the server creates one. */
  thinking: { thinking: Pieces; signature?: string; delay_ms?: number };
  /** Thinking that only the provider can read; a provider API without it sends nothing. */
  redacted: { redacted: string };
  text: { text: Pieces; delay_ms?: number };
  call: { call: ScriptedCall; delay_ms?: number };
  image: { image: { media_type: string; bytes: Uint8Array } };
  /** An error inside a stream that began normally; the stream ends with it. */
  error: { error: FailureKind };
}

/** Steps that send nothing, each by the member that names its kind. */
export interface SilentSteps {
  /** The usage that the server reports; without this step it counts characters. Null: it reports none. */
  usage: { usage: Partial<ScriptedUsage> | null };
  /** The server sends no more until the promise resolves. */
  wait: { wait: Promise<unknown> };
  delay_ms: { delay_ms: number };
}

type SpokenStep = SpokenSteps[keyof SpokenSteps];
export type ScriptedStep = SpokenStep | SilentSteps[keyof SilentSteps];

/** A function for each kind of step, so that a new kind does not compile before every provider API handles it. */
export type StepVisitor<Steps, Result> = { readonly [Kind in keyof Steps]: (step: Steps[Kind]) => Result };

/** Calls the visitor's function for the kind of this step; undefined if the visitor handles only other kinds. */
export function visitStep<Steps, Result>(
  step: ScriptedStep,
  visitor: StepVisitor<Steps, Result>,
): Result | undefined {
  const kind = (Object.keys(visitor) as (keyof Steps & string)[]).find(known => known in step);
  return kind && visitor[kind](step as Steps[typeof kind]);
}

/** Default: `tools` after a call, otherwise `stop`. */
export type Finish = 'stop' | 'tools' | 'length' | 'content_filter';

export interface ScriptedReply {
  steps?: ScriptedStep[];
  finish?: Finish;
  /** Response headers to add, such as retry-after or the rate-limit headers. */
  headers?: Record<string, string>;
  /**
   * Without `error`, 400 and above selects the failure with that status; with it, replaces the usual status of that
   * failure.
   */
  status?: number;
  /** The failure with which the request is rejected. `body`: exactly this text, such as the HTML page of a gateway. */
  error?: FailureKind | { body: string };
  /** The point at which the server destroys the connection. */
  cut?: 'before_headers' | { after_bytes: number } | { after_steps: number };
}

export const piecesOf = (pieces: Pieces): string[] => (typeof pieces === 'string' ? [pieces] : pieces);

/** Cuts the argument text of a call into its pieces. */
export function argumentsOf(call: ScriptedCall): { whole: string; pieces: string[] } {
  const whole = call.raw ?? JSON.stringify(call.input ?? {});
  const length = Math.max(1, Math.ceil(whole.length / (call.pieces ?? 3)));
  const pieces: string[] = [];
  for (let at = 0; at < whole.length; at += length) pieces.push(whole.slice(at, at + length));
  return { whole, pieces };
}

/** The text that a step adds to the answer, to be counted as tokens. */
const ANSWER_TEXT: StepVisitor<SpokenSteps, string> = {
  thinking: step => piecesOf(step.thinking).join(''),
  redacted: () => '',
  text: step => piecesOf(step.text).join(''),
  call: step => argumentsOf(step.call).whole + step.call.name,
  image: () => '',
  error: () => '',
};

/** Returns the usage to report: the scripted numbers; missing ones are estimated as four characters per token. */
export function usageOf(steps: readonly ScriptedStep[], requestChars: number): ScriptedUsage | null {
  let scripted: Partial<ScriptedUsage> = {};
  let reasoning = 0;
  let spoken = 0;
  for (const step of steps) {
    if ('usage' in step) {
      if (step.usage === null) return null;
      scripted = step.usage;
    }
    const { length } = visitStep(step, ANSWER_TEXT) ?? '';
    if ('thinking' in step) reasoning += length;
    else spoken += length;
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
