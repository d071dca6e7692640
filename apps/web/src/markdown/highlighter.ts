/** Highlights code in a worker that is started on first use, and caches the results. */
import { BoundedMap } from '@chat-kernel/base';
import { programAddress } from '../base/trusted.ts';
import workerAddress from './highlight-worker.ts?worker&url';

/** A text and its highlight class. The class is empty for plain text. */
export type Piece = readonly [text: string, name: string];

interface Answer {
  id: number;
  pieces: readonly Piece[] | null;
}

/** Longer code is not highlighted, because grammars are slow on it. */
const MAX_CHARS = 50_000;
/** Size of the cache. */
const MAX_CACHED = 500;

const known = new BoundedMap<string, Promise<readonly Piece[] | null>>(MAX_CACHED);
const waiting = new Map<number, (pieces: readonly Piece[] | null) => void>();
let worker: Worker | undefined;
let lastId = 0;

/** Resolves with null if the language is unknown. */
export function highlight(text: string, language: string): Promise<readonly Piece[] | null> {
  if (text.length > MAX_CHARS) return Promise.resolve(null);
  const key = `${language}\n${text}`;
  const before = known.get(key);
  if (before) return before;
  const answer = ask(text, language);
  known.set(key, answer);
  return answer;
}

function ask(text: string, language: string): Promise<readonly Piece[] | null> {
  worker ??= start();
  const id = ++lastId;
  const { promise, resolve } = Promise.withResolvers<readonly Piece[] | null>();
  waiting.set(id, resolve);
  worker.postMessage({ id, text, language });
  return promise;
}

function start(): Worker {
  const started = new Worker(programAddress.createScriptURL(workerAddress), { type: 'module' });
  started.onmessage = ({ data: { id, pieces } }: MessageEvent<Answer>) => {
    waiting.get(id)?.(pieces);
    waiting.delete(id);
  };
  return started;
}
