/** Code in colours, by a worker that starts with the first code that wants some. What it said is remembered. */
import { programAddress } from '../base/trusted.ts';
import workerAddress from './highlight-worker.ts?worker&url';

/** A text and the class of its colour; the class is empty for plain text. */
export type Piece = readonly [text: string, name: string];

interface Answer {
  id: number;
  pieces: readonly Piece[] | null;
}

/** Grammars are slow on more, and nobody reads that in colours. */
const MOST_CHARS = 50_000;
/** Fences that are remembered. */
const MOST_KNOWN = 500;

const known = new Map<string, Promise<readonly Piece[] | null>>();
const waiting = new Map<number, (pieces: readonly Piece[] | null) => void>();
let worker: Worker | undefined;
let lastId = 0;

/** Resolves with null where the language is not known. */
export function highlight(text: string, language: string): Promise<readonly Piece[] | null> {
  if (text.length > MOST_CHARS) return Promise.resolve(null);
  const key = `${language}\n${text}`;
  const before = known.get(key);
  if (before) return before;
  if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value ?? '');
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
