/** Defines the interface of search engines, and queries one. */
import { ToolError, type z } from '@chat-kernel/module-sdk';
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

interface Question<Answer> {
  name: string;
  url: URL;
  answer: z.ZodType<Answer>;
  headers?: Record<string, string>;
  /** Status → what is wrong and what to do. */
  refusals: Readonly<Record<number, string>>;
  signal: AbortSignal;
}

/** Returns the response of the engine. @throws ToolError */
export async function askEngine<Answer>(question: Question<Answer>): Promise<Answer> {
  const { name, url, answer, headers, refusals, signal } = question;
  const { status, bytes } = await download(url, {
    headers: { accept: 'application/json', ...headers },
    guard: null,
    signal,
  });
  if (status !== 200) {
    throw new ToolError(
      `${name} answered ${status}: ${refusals[status] ?? 'the owner should check the search engine'}.`,
    );
  }
  const broken = (what: string, cause?: unknown) =>
    new ToolError(`${name} ${what}; the owner should check its URL in the settings of the web module.`, {
      cause,
    });
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw broken('did not return JSON', error);
  }
  const { data } = answer.safeParse(json);
  if (!data) throw broken('returned unexpected JSON');
  return data;
}
