/** Finds addresses that a turn may fetch without asking, because someone wrote them where it could be seen (CONSENT-4). */
import { isImported } from '../consent/outside.ts';
import { isOfMaster, type NewMessage, type StoredBlock, type Tool } from '../ports/index.ts';
import type { Run } from './running-turn.ts';

/** The maximum number of characters around an address that decide whether it is a whole one. */
const CONTEXT_CHARS = 30;

/** The end of a text before an address that is part of a longer one, such as the target of a redirect. */
const CONTINUED_BY_ADDRESS = /[\p{L}\p{N}/?=&%#@~+_-]$/u;

/** The text after a whole address: the punctuation of a sentence or a list, then a character that no address has. */
const AFTER_ADDRESS = /^[.,;:!?*)\]}'…]{0,20}(?:$|[\s<>"`|^{}[]|\\[nrt"]|[^\p{ASCII}\p{L}\p{N}\p{M}])/u;

/** Whether a text names an address. People leave out the slash of a host without a path. */
export function namesAddress(text: string, address: string): boolean {
  if (hasWhole(text, address)) return true;
  const isHost = address.endsWith('/') && URL.parse(address)?.pathname === '/';
  return isHost && hasWhole(text, address.slice(0, -1));
}

function hasWhole(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const end = at + address.length;
    const before = text.slice(Math.max(0, at - CONTEXT_CHARS), at);
    const after = text.slice(end, end + CONTEXT_CHARS);
    if (!CONTINUED_BY_ADDRESS.test(before) && AFTER_ADDRESS.test(after)) return true;
  }
  return false;
}

/** The maximum number of such fetches of a turn: a page could list an address for each letter of a secret. */
const MAX_FETCHES = 30;

/**
 * Whether the address appears verbatim in a message of the owner or the speaker, in a search result, or on a fetched
 * page. Counts the fetch.
 * @param tools the tools of the turn: those of modules whose results are text from outside search and fetch
 */
export async function mayFetchUnasked(
  run: Run,
  address: string,
  tools: ReadonlyMap<string, Pick<Tool, 'outside'>>,
): Promise<boolean> {
  const { turn } = run;
  if (turn.calls.knownFetches >= MAX_FETCHES) return false;
  const { messages } = await turn.history();
  const { sender = undefined } = messages.findLast(({ id }) => id === turn.record.message_id) ?? {};
  // The task of a sub-agent is text of the model, so only results count in its history.
  const ofAgent = run.agent === undefined ? [] : (await run.history()).messages;
  const isKnown =
    messages.some(message => isByOwner(message, sender) && hasText(message, address)) ||
    [messages, ofAgent].some(each => hasResult(each, address, tools));
  if (isKnown) turn.calls.knownFetches++;
  return isKnown;
}

const isByOwner = (message: NewMessage, speaker: string | undefined): boolean =>
  message.role === 'user' && !isImported(message) && (isOfMaster(message) || message.sender === speaker);

const hasText = ({ content }: NewMessage, address: string): boolean =>
  content.some(block => block.type === 'text' && namesAddress(block.text, address));

/** Whether a search or a page has brought the address, instead of repeating it from the input of the call. */
function hasResult(
  messages: readonly NewMessage[],
  address: string,
  tools: ReadonlyMap<string, Pick<Tool, 'outside'>>,
): boolean {
  const found = new Set(
    messages
      .flatMap(({ content }) => content)
      .flatMap(block =>
        block.type === 'tool_result' && namesAddress(block.output, address) ? [block.tool_use_id] : [],
      ),
  );
  return messages.some(({ content }) =>
    content.some(
      block =>
        block.type === 'tool_use' &&
        found.has(block.id) &&
        tools.get(block.name)?.outside?.startsWith('module:') === true &&
        !isOwnWord(block, address),
    ),
  );
}

/** An address that was fetched already is known. */
function isOwnWord({ input }: Extract<StoredBlock, { type: 'tool_use' }>, address: string): boolean {
  // Also a part of a longer one: the result may repeat only that part.
  const shortest = address.replace(/\/$/, '');
  return input.url !== address && textsOf(input).some(text => text.includes(shortest));
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
