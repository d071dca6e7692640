/**
 * The scripted model provider: a real HTTP server that implements four provider APIs and rejects what the real ones
 * reject.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseSecrets } from '../harness/secrets.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { leftovers } from './leftovers.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { play, sendFailure } from './play.ts';
import type { ScriptedReply } from './reply.ts';
import { ScriptedVoice, type VoiceUpstream } from './voice.ts';
import type { RecordedRequest, ScriptedWire } from './wire.ts';

export type { ScriptedReply } from './reply.ts';
export type { RecordedRequest } from './wire.ts';

/** Returns the reply to a request; undefined: the default reply, the text "ok". */
export type UpstreamScript = (
  request: RecordedRequest,
) => ScriptedReply | undefined | Promise<ScriptedReply | undefined>;

export interface Upstream {
  /** `http://127.0.0.1:port`; OpenAI and Anthropic are under /v1, Google under /v1beta. */
  readonly url: string;
  /** Model requests in order of arrival, including rejected ones. */
  readonly requests: RecordedRequest[];
  /** Transcription and speech, under /v1/audio. */
  readonly voice: VoiceUpstream;
  /** Queues replies, or functions that choose them by the request; each request takes one, oldest first. */
  next(...replies: (ScriptedReply | UpstreamScript)[]): void;
  /** Drops unused replies. This also happens after each test. */
  forget(): void;
  /** Stops the server. Throws if a request had a secret in its address or its body: no model may read one (API-7). */
  close(): Promise<void>;
}

const DEFAULT_REPLY: ScriptedReply = { steps: [{ text: 'ok' }] };

/**
 * Starts the provider on a free port. Every request is checked as strictly as by the real API: a rejected one gets the
 * 400 of that API, and the scripted reply stays queued. `validate: false` accepts anything.
 */
export async function startUpstream(
  script?: UpstreamScript,
  options: { validate?: boolean } = {},
): Promise<Upstream> {
  const wires = [openaiChat(), openaiResponses(), anthropic(), google()];
  const requests: RecordedRequest[] = [];
  const queue: (ScriptedReply | UpstreamScript)[] = [];
  const voice = new ScriptedVoice();
  let leakedSecret: unknown;

  const server = createServer(async (incoming, response) => {
    if (incoming.method === 'GET' && incoming.url === '/v1/models') return sendModels(response);
    if (voice.takes(incoming)) return voice.answer(incoming, response);
    const text = await textOf(incoming);
    try {
      refuseSecrets(`${incoming.url}\n${text}`, 'a request to the provider');
    } catch (error) {
      leakedSecret ??= error;
    }
    const body = jsonOf(text);
    const route = incoming.method === 'POST' ? routeOf(wires, incoming.url ?? '', body) : undefined;
    if (!route || !body) {
      return sendJson(response, 404, {
        error: { message: `No such call: ${incoming.method} ${incoming.url}` },
      });
    }
    const ending = Promise.withResolvers<Awaited<RecordedRequest['ended']>>();
    const request: RecordedRequest = {
      wire: route.wire.name,
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: headersOf(incoming),
      body,
      model: route.model,
      aborted: false,
      ended: ending.promise,
    };
    requests.push(request);
    response.on('close', () => {
      request.aborted = !response.writableFinished && !cut;
      ending.resolve(cut ? 'cut' : request.aborted ? 'aborted' : 'sent');
    });
    let cut = false;

    const refusal =
      options.validate === false
        ? undefined
        : /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(text)
          ? 'The request body is not valid JSON: lone surrogate'
          : route.wire.refuse(request);
    if (refusal !== undefined) {
      request.rejected = refusal;
      return sendFailure(response, route.wire.failure('bad_request', refusal), {});
    }
    const next = queue.shift() ?? script;
    const reply = (typeof next === 'function' ? await next(request) : next) ?? DEFAULT_REPLY;
    await play(response, reply, route.wire, request, () => {
      cut = true;
    });
  });

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const forget = (): void => {
    queue.splice(0);
    voice.forget();
  };
  leftovers.add(forget);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    voice,
    next: (...replies) => void queue.push(...replies),
    forget,
    close: () =>
      new Promise<void>(resolve => {
        leftovers.delete(forget);
        server.close(() => resolve());
        server.closeAllConnections();
      }).then(() => {
        if (leakedSecret) throw leakedSecret;
      }),
  };
}

function routeOf(wires: ScriptedWire[], path: string, body: RecordedRequest['body'] | undefined) {
  for (const wire of wires) {
    const model = wire.model(path, body ?? {});
    if (model !== undefined) return { wire, model };
  }
  return undefined;
}

/** Reads the whole body; "" if the client disconnected while sending. */
async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk);
  } catch {
    return '';
  }
  return Buffer.concat(chunks).toString();
}

/** Parses the body; text that is not JSON is treated like an unknown path. */
function jsonOf(text: string): RecordedRequest['body'] | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const headersOf = (incoming: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendModels(response: ServerResponse): void {
  const data = [{ id: 'scripted', object: 'model', created: 1_700_000_000, owned_by: 'tests' }];
  sendJson(response, 200, { object: 'list', data });
}
