/** The built-in demo model: shows every feature in response to plain phrases, without a key, network or real model. */
import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { pause } from '@chat-kernel/base';
import {
  type Clock,
  type LanguageModel,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  systemClock,
  type TripUsage,
} from '@chat-kernel/kernel';
import { EFFORTS, type Effort, type Model } from '@chat-kernel/protocol';
import { readRequest } from './request.ts';
import { answer } from './script.ts';

const RECORD: Model = {
  id: 'demo/demo',
  name: 'Demo',
  provider: 'demo',
  effort: null,
  efforts: [...EFFORTS] as Effort[],
  context_window: 128_000,
  max_output_tokens: 8_192,
  inputs: ['text', 'image'],
  price: { input: 0, output: 0 },
};

/** The pause between two words, so that an answer visibly streams. */
const PACE_MS = 15;
const SLOW_MS = 100;

/**
 * Opens the demo model. The same request gets the same answer, word by word; only call ids and the times of reminders
 * differ. An aborted signal ends the stream with the signal's reason, and the word "fail" ends it with ModelError
 * upstream_error.
 */
export function openDemo(clock: Clock = systemClock): LanguageModel {
  return {
    record: RECORD,
    demo: true,
    stream: (request, signal) => speak(request, signal, clock),
  };
}

async function* speak(request: ModelRequest, signal: AbortSignal, clock: Clock): AsyncGenerator<ModelEvent> {
  const asked = readRequest(request, clock.now());
  if (asked.step === 0 && !asked.summary && asked.says('fail')) {
    throw new ModelError('upstream_error', 'The demo model failed, because it was asked to.', false);
  }
  const pace = !asked.summary && asked.says('slow') ? SLOW_MS : PACE_MS;
  const most = request.max_output_tokens ?? RECORD.max_output_tokens;
  const usage = { ...NOTHING, prompt_tokens: promptTokens(request) };
  let called = false;

  for (const beat of answer(asked, request)) {
    switch (beat.type) {
      case 'say':
      case 'think':
        for (const word of splitWords(beat.text)) {
          await pause(pace, { clock, signal });
          if (usage.completion_tokens >= most) return yield { type: 'finish', reason: 'length', usage };
          usage.completion_tokens += 1;
          if (beat.type === 'think') usage.reasoning_tokens += 1;
          yield { type: beat.type === 'think' ? 'thinking' : 'text', text: word };
        }
        break;
      case 'draw':
        await pause(pace, { clock, signal });
        usage.completion_tokens += 10;
        yield { type: 'image', media_type: 'image/png', bytes: drawPng(beat.words) };
        break;
      case 'call':
        await pause(pace, { clock, signal });
        usage.completion_tokens += 10;
        called = true;
        yield { type: 'call', id: `demo_${crypto.randomUUID()}`, name: beat.name, input: beat.input };
        break;
      default:
        beat satisfies never;
    }
  }
  yield { type: 'finish', reason: called ? 'tools' : 'stop', usage };
}

const NOTHING: TripUsage = { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, cached_tokens: 0 };

/** Splits a text into words, each with the space after it, so that joining them restores the text. */
const splitWords = (text: string): string[] => text.match(/^\s*\S+\s*|\S+\s*/g) ?? [];

/** Estimates four characters per token, without the bytes of images. */
function promptTokens(request: ModelRequest): number {
  const chars = JSON.stringify([request.system, request.tools, request.messages], (key, value) =>
    key === 'data' || key === 'internal' ? undefined : value,
  ).length;
  return Math.ceil(chars / 4);
}

const SIZE = 256;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Draws a small PNG without a library: a disc on a gradient, in colors that depend on the text. Draws 256 by 256
 * pixels, 8 bits RGB; the same text gives the same bytes.
 */
function drawPng(text: string): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // Bit depth 8, color type 2 (RGB); compression, filter and interlace method 0.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels(createHash('sha256').update(text).digest()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns rows of RGB, each after its filter byte 0. */
function pixels(seed: Buffer): Buffer {
  const rows = Buffer.alloc(SIZE * (1 + SIZE * 3));
  const [x = 0, y = 0, size = 0] = seed.subarray(9);
  const radius = 40 + (size % 60);
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      const inside = Math.hypot(column - 64 - x / 2, row - 64 - y / 2) < radius;
      for (let colour = 0; colour < 3; colour++) {
        const from = seed[colour] ?? 0;
        const to = seed[3 + colour] ?? 0;
        const ground = from + ((to - from) * (row + column)) / (2 * SIZE);
        rows[row * (1 + SIZE * 3) + 1 + column * 3 + colour] = inside ? (seed[6 + colour] ?? 0) : ground;
      }
    }
  }
  return rows;
}

/** Creates a chunk: length, type, data and the checksum of the latter two. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
