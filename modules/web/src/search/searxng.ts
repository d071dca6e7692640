/** SearXNG, a search engine that people run themselves, over its JSON. */
import { z } from '@chat-kernel/module-sdk';
import { askEngine, type Engine, strange } from './engine.ts';

const Answer = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string().nullish(),
      content: z.string().nullish(),
      publishedDate: z.string().nullish(),
    }),
  ),
});

const name = 'SearXNG';

/** @param address without a slash at its end */
export const searxng = (address: string): Engine => ({
  name,
  async search(query, limit, signal) {
    const url = new URL(`${address}/search`);
    url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
    const refusals = {
      403: 'it gives no JSON, or not to this machine: the owner adds json to search.formats in its settings.yml',
      429: 'it was asked too often; the owner can loosen its limiter, or wait',
    };
    const { data } = Answer.safeParse(await askEngine({ name, url, refusals, signal }));
    if (!data) throw strange(name);
    return data.results.slice(0, limit).map(({ url, title, content, publishedDate }) => ({
      title: title || url,
      url,
      excerpt: content ?? '',
      date: publishedDate?.slice(0, 10) ?? null,
    }));
  },
});
