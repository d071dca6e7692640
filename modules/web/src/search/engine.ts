/** Defines the interface of search engines, and queries one. */
import { ToolError } from '@chat-kernel/module-sdk';
import { download } from '../net/download.ts';

export interface Found {
  title: string;
  url: string;
  /** An excerpt of the page. */
  excerpt: string;
  /** The publication date, as far as the engine reports it. */
  date: string | null;
}

export interface Engine {
  /** Its name, as shown to people and models. */
  name: string;
  /** @throws ToolError with a sentence that says what to do */
  search(query: string, limit: number, signal: AbortSignal): Promise<Found[]>;
}

interface Question {
  /** The URL of the engine. */
  name: string;
  url: URL;
  headers?: Record<string, string>;
  /** Status → what is wrong and what to do. */
  refusals: Readonly<Record<number, string>>;
  signal: AbortSignal;
}

/** Returns the JSON response of the engine. @throws ToolError */
export async function askEngine({ name, url, headers, refusals, signal }: Question): Promise<unknown> {
  const answer = await download(url, {
    headers: { accept: 'application/json', ...headers },
    guard: null,
    signal,
  });
  const { status, bytes } = answer;
  if (status !== 200) {
    throw new ToolError(
      `${name} answered ${status}: ${refusals[status] ?? 'the owner should check the search engine'}.`,
    );
  }
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new ToolError(
      `${name} did not return JSON; the owner should check its URL in the settings of the web module.`,
      {
        cause: error,
      },
    );
  }
}

/** The response does not have the expected format. */
export const strange = (name: string): ToolError =>
  new ToolError(
    `${name} returned unexpected JSON; the owner should check its URL in the settings of the web module.`,
  );
