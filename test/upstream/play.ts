/** Plays a reply to a response: frames in order, with the script's pauses, errors and cuts. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Finish,
  type ScriptedReply,
  type ScriptedStep,
  type SilentSteps,
  type StepVisitor,
  usageOf,
  visitStep,
} from './reply.ts';
import { failureOfStatus, type RecordedRequest, type ScriptedWire } from './wire.ts';

/** Resolves when the reply is over, however it ended. Calls `onCut` before the script destroys the connection. */
export async function play(
  response: ServerResponse,
  reply: ScriptedReply,
  wire: ScriptedWire,
  request: RecordedRequest,
  onCut: () => void,
): Promise<void> {
  if (response.destroyed) return;
  if (reply.cut === 'before_headers') {
    onCut();
    response.destroy();
    return;
  }
  if (reply.error !== undefined || (reply.status ?? 200) >= 400)
    return refuse(response, reply, wire, request);

  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const line = lineTo(response, reply.cut, onCut);
  const steps = reply.steps ?? [];
  const speech = wire.speak({ request, usage: usageOf(steps, JSON.stringify(request.body).length) });

  response.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream', ...reply.headers });
  response.flushHeaders();
  await line.send(speech.open());
  for (const [index, step] of steps.entries()) {
    if (typeof reply.cut === 'object' && 'after_steps' in reply.cut && reply.cut.after_steps === index) {
      return line.cut();
    }
    const frames = visitStep(step, speech.steps);
    if (frames === undefined) await visitStep(step, silence(gone.signal));
    else await line.send(frames, pauseBetween(step), gone.signal);
    if (response.destroyed) return;
    if ('error' in step) return void response.end();
  }
  if (typeof reply.cut === 'object' && 'after_steps' in reply.cut) return line.cut();
  await line.send(speech.close(reply.finish ?? finishOf(steps)));
  if (!response.destroyed) response.end();
}

/** Sends a failure instead of a stream. */
export function sendFailure(
  response: ServerResponse,
  failure: { status: number; body: object | string },
  headers: Record<string, string>,
): void {
  const text = typeof failure.body === 'string';
  response.writeHead(failure.status, { 'content-type': text ? 'text/html' : 'application/json', ...headers });
  response.end(text ? failure.body : JSON.stringify(failure.body));
}

function refuse(
  response: ServerResponse,
  reply: ScriptedReply,
  wire: ScriptedWire,
  { headers: sent }: RecordedRequest,
): void {
  const headers = reply.headers ?? {};
  if (typeof reply.error === 'object') {
    sendFailure(response, { status: reply.status ?? 500, body: reply.error.body }, headers);
    return;
  }
  const kind = reply.error ?? failureOfStatus(reply.status ?? 500);
  const failure = wire.failure(kind, kind === 'unauthorized' ? echoOf(sent) : undefined);
  sendFailure(response, { status: reply.status ?? failure.status, body: failure.body }, headers);
}

/** Real providers repeat the key that they received, or parts of it; here it is not masked. */
function echoOf(headers: Record<string, string>): string {
  const key =
    headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization?.replace('Bearer ', '');
  return `Incorrect API key provided: ${key} (all headers: ${JSON.stringify(headers)}). API key not valid.`;
}

/** Returns a function that writes to the client and counts the bytes until the cut. */
function lineTo(response: ServerResponse, cut: ScriptedReply['cut'], onCut: () => void) {
  let bytesLeft =
    typeof cut === 'object' && 'after_bytes' in cut ? cut.after_bytes : Number.POSITIVE_INFINITY;

  const write = (bytes: Buffer) =>
    new Promise<void>(resolve => {
      if (response.destroyed) resolve();
      else response.write(bytes, () => resolve());
    });
  const destroy = () => {
    onCut();
    response.destroy();
  };
  return {
    cut: destroy,
    async send(frames: string[], between = 0, signal?: AbortSignal): Promise<void> {
      for (const [index, text] of frames.entries()) {
        if (response.destroyed) return;
        if (index > 0 && between > 0) await sleepUnless(between, signal);
        const bytes = Buffer.from(text);
        await write(bytes.subarray(0, Math.min(bytes.length, bytesLeft)));
        bytesLeft -= bytes.length;
        if (bytesLeft <= 0) return destroy();
      }
    },
  };
}

/** Returns how long each silent step lasts; the signal, aborted when the client disconnects, ends it early. */
const silence = (signal: AbortSignal): StepVisitor<SilentSteps, Promise<unknown>> => ({
  usage: () => Promise.resolve(),
  wait: step => Promise.race([step.wait, new Promise(resolve => signal.addEventListener('abort', resolve))]),
  delay_ms: step => sleepUnless(step.delay_ms, signal),
});

/** Sleeps until the time is over or the client disconnects; the response tells the caller which it was. */
async function sleepUnless(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

const pauseBetween = (step: ScriptedStep): number => ('delay_ms' in step ? (step.delay_ms ?? 0) : 0);

const finishOf = (steps: readonly ScriptedStep[]): Finish =>
  steps.some(step => 'call' in step) ? 'tools' : 'stop';
