/** Sends a JSON POST request over a kept connection. Does not use Node's fetch, which takes 16 MB and whose garbage is collected late. */
import { text } from 'node:stream/consumers';
import { send } from '@chat-kernel/net';

interface Answer {
  status: number;
  /** Undefined if it is not JSON. */
  body: unknown;
}

/** @throws Error of the network without an answer */
export async function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  value: unknown,
): Promise<Answer> {
  const answer = await send(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(value),
    keep: true,
  });
  return { status: answer.status, body: parsed(await text(answer.body)) };
}

function parsed(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return undefined;
  }
}
