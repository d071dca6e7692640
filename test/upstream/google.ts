/** Google's streamGenerateContent: each event is a complete response with the next parts. */
import { type GoogleMemory, isSigningModel, refuseContents } from './google-validation.ts';
import { argumentsOf, type FailureKind, type Finish, piecesOf, type ScriptedUsage } from './reply.ts';
import { freshId, type ScriptedWire, type Speech, type SpokenReply } from './wire.ts';

export function google(): ScriptedWire {
  const memory: GoogleMemory = { signatures: new Set() };
  return {
    name: 'google',
    model: path => PATH.exec(path)?.[1],
    refuse: request => refuseContents(request.body, request.model, memory),
    speak: facts => speak(facts, memory),
    failure,
  };
}

const PATH = /^\/v1beta\/models\/([^/:]+):streamGenerateContent\?(?:.*&)?alt=sse(?:&|$)/;

const FINISH_REASON: Record<Finish, string> = {
  stop: 'STOP',
  tools: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

function speak({ request, usage }: SpokenReply, memory: GoogleMemory): Speech {
  const head = { modelVersion: request.model, responseId: freshId('') };
  let calls = 0;
  let malformed = false;
  /** The signature that waits for its part: the next call, otherwise the end of the text. */
  let waiting: string | undefined;

  const chunk = (parts: object[], finishReason?: string) => {
    const content = { parts, role: 'model' };
    const counted = usage ? { usageMetadata: usageOnWire(usage, finishReason !== undefined) } : {};
    return event({ candidates: [{ content, finishReason, index: 0 }], ...counted, ...head });
  };
  const sign = (signature: string) => {
    memory.signatures.add(signature);
    waiting = signature;
  };
  const signature = () => {
    const taken = waiting === undefined ? {} : { thoughtSignature: waiting };
    waiting = undefined;
    return taken;
  };

  return {
    open: () => [],
    steps: {
      thinking(step) {
        sign(step.signature ?? freshId('CiQB'));
        return piecesOf(step.thinking).map(text => chunk([{ text, thought: true }]));
      },
      redacted(step) {
        sign(step.redacted);
        return [];
      },
      text: step => piecesOf(step.text).map(text => chunk([{ text }])),
      call(step) {
        const args = objectOf(argumentsOf(step.call).whole);
        malformed ||= args === undefined;
        if (!args) return [];
        if (calls++ === 0 && isSigningModel(request.model) && waiting === undefined) sign(freshId('CiQB'));
        const functionCall = { name: step.call.name, args, ...(step.call.id && { id: step.call.id }) };
        return [chunk([{ functionCall, ...signature() }])];
      },
      image(step) {
        const { media_type: mimeType, bytes } = step.image;
        const data = Buffer.from(bytes).toString('base64');
        return [chunk([{ inlineData: { mimeType, data }, ...signature() }])];
      },
      error: step => [event(failure(step.error).body)],
    },
    close: finish => {
      const parts = waiting === undefined ? [] : [{ text: '', ...signature() }];
      return [chunk(parts, malformed ? 'MALFORMED_FUNCTION_CALL' : FINISH_REASON[finish])];
    },
  };
}

/** Formats an event; Google ends its lines with CRLF. */
const event = (data: object): string => `data: ${JSON.stringify(data)}\r\n\r\n`;

/** A function call contains an object, never text: this API cannot express broken JSON. */
function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Google counts thoughts separately from the answer, and reports the output at the end. */
function usageOnWire(usage: ScriptedUsage, last: boolean) {
  const prompt = {
    promptTokenCount: usage.prompt,
    ...(usage.cached > 0 && { cachedContentTokenCount: usage.cached }),
  };
  if (!last) return { ...prompt, totalTokenCount: usage.prompt };
  return {
    ...prompt,
    candidatesTokenCount: usage.completion - usage.reasoning,
    ...(usage.reasoning > 0 && { thoughtsTokenCount: usage.reasoning }),
    totalTokenCount: usage.prompt + usage.completion,
  };
}

function failure(kind: FailureKind, message?: string): { status: number; body: object } {
  const [code, status, words] = FAILURES[kind];
  const details =
    kind === 'unauthorized'
      ? {
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'API_KEY_INVALID',
              domain: 'googleapis.com',
            },
          ],
        }
      : {};
  return { status: code, body: { error: { code, message: message ?? words, status, ...details } } };
}

/** Failure kind → status, name, message. A wrong key is a 400 at Google. */
const FAILURES: Record<FailureKind, [number, string, string]> = {
  rate_limited: [429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  quota: [
    429,
    'RESOURCE_EXHAUSTED',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  unauthorized: [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'],
  server_error: [500, 'INTERNAL', 'An internal error has occurred.'],
  overloaded: [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  context_overflow: [
    400,
    'INVALID_ARGUMENT',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  ],
  bad_request: [400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'],
};
