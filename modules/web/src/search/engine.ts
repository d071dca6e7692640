/** What a search engine is to the module, and the way to ask one. */
import { ToolError } from '@chat-kernel/module-sdk';
import { download } from '../net/download.ts';

export interface Found {
  title: string;
  url: string;
  /** Some words of the page. */
  excerpt: string;
  /** When it was written, as far as the engine says. */
  date: string | null;
}

export interface Engine {
  /** For people and models. */
  name: string;
  /** @throws ToolError with a sentence that says what to do */
  search(query: string, limit: number, signal: AbortSignal): Promise<Found[]>;
}

interface Question {
  /** Of the engine. */
  name: string;
  url: URL;
  headers?: Record<string, string>;
  /** Status → what is wrong, and what to do. */
  refusals: Readonly<Record<number, string>>;
  signal: AbortSignal;
}

/** Returns the JSON that the engine answers. @throws ToolError */
export async function askEngine({ name, url, headers, refusals, signal }: Question): Promise<unknown> {
  const answer = await download(url, {
    headers: { accept: 'application/json', ...headers },
    guard: null,
    signal,
  });
  const { status, bytes } = answer;
  if (status !== 200) {
    throw new ToolError(`${name} answered ${status}: ${refusals[status] ?? 'the owner may look why'}.`);
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new ToolError(`${name} answered something else than JSON; the owner may look at its address.`, {
      cause: error,
    });
  }
}

/** Something else than the shape of the engine's answers. */
export const strange = (name: string): ToolError =>
  new ToolError(`${name} answered JSON of another shape than its own; the owner may look at its address.`);
