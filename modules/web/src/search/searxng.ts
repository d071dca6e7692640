/** Searches with SearXNG, a self-hosted search engine, over its JSON API. */
import { z } from '@chat-kernel/module-sdk';
import { askEngine, type Engine } from './engine.ts';

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

/** @param address without a trailing slash */
export const searxng = (address: string): Engine => ({
  name,
  async search(query, limit, signal) {
    const url = new URL(`${address}/search`);
    url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
    const refusals = {
      403: 'it does not allow JSON; the owner should add json to search.formats in its settings.yml',
      429: 'too many requests; wait, or the owner can relax its limiter',
    };
    const { results } = await askEngine({ name, url, answer: Answer, refusals, signal });
    return results.slice(0, limit).map(({ url, title, content, publishedDate }) => ({
      title: title || url,
      url,
      excerpt: content ?? '',
      date: publishedDate?.slice(0, 10) ?? null,
    }));
  },
});
