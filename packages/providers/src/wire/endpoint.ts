/** Turns the address of a provider in the settings into the addresses of its requests. */
import { trimEnd } from '@chat-kernel/kernel';
import type { Fetch } from '../trip/connection.ts';
import type { ProviderAccess } from './kind.ts';

/** The address of a provider, taken apart. */
export type ProviderAddress = Pick<ProviderAccess, 'base_url' | 'query'>;

/** The ends of addresses that documentation shows for a single request. */
const ENDPOINTS = [
  '/chat/completions',
  '/completions',
  '/responses',
  '/messages',
  '/embeddings',
  '/audio/transcriptions',
  '/audio/translations',
  '/audio/speech',
];
/** Gemini's: `/models/{model}:{action}`. */
const ACTIONS = ['generateContent', 'streamGenerateContent', 'countTokens'];

/**
 * Takes the address of the settings apart: `base_url` has no slash at its end and `query`, if there is one, no question
 * mark. The fragment is dropped, because no server gets it, and so is the endpoint of an address that was copied whole,
 * such as `/chat/completions`.
 * @throws TypeError if it is not a URL
 */
export function parseAddress(address: string): ProviderAddress {
  // The settings refuse a login in the address.
  const { origin, pathname, search } = new URL(address);
  const query = search.slice(1);
  return { base_url: `${origin}${withoutEndpoint(pathname)}`, ...(query !== '' && { query }) };
}

/** The address of a request. @param path begins with a slash, and has no query */
export const endpoint = ({ base_url = '', query }: ProviderAddress, path: string): string =>
  withQuery(`${base_url}${path}`, query);

/** The fetch for a package that gets only `base_url`: adds the query to the addresses of its requests. */
export const fetchWithQuery =
  ({ query }: ProviderAddress, fetch: Fetch): Fetch =>
  (input, init) => {
    if (input instanceof Request) return fetch(new Request(withQuery(input.url, query), input), init);
    return fetch(withQuery(String(input), query), init);
  };

/** Adds the parameters that the URL does not have yet, as they are written. */
function withQuery(url: string, query: string | undefined): string {
  if (query === undefined) return url;
  const given = new URL(url).searchParams;
  const added = query.split('&').filter(parameter => {
    const [name] = new URLSearchParams(parameter).keys();
    return name !== undefined && !given.has(name);
  });
  if (added.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${added.join('&')}`;
}

function withoutEndpoint(pathname: string): string {
  const path = trimEnd(pathname, /\//);
  const end = ENDPOINTS.find(each => path.endsWith(each));
  if (end !== undefined) return trimEnd(path.slice(0, -end.length), /\//);
  const segments = path.split('/');
  const last = segments.at(-1) ?? '';
  const before = segments.at(-2) ?? '';
  if (before === 'models' && ACTIONS.includes(last.slice(last.lastIndexOf(':') + 1))) {
    return trimEnd(segments.slice(0, -2).join('/'), /\//);
  }
  // The base address of some services, such as Azure's inference API, ends with /models, but not with /v1/models.
  if (last === 'models' && (/^v\d/.test(before) || before === 'openai')) {
    return trimEnd(segments.slice(0, -1).join('/'), /\//);
  }
  return path;
}
