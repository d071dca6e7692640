/** Searches with Brave, using the owner's key. */
import { z } from '@chat-kernel/module-sdk';
import { askEngine, type Engine } from './engine.ts';

const Answer = z.object({
  /** Absent if there are no results. */
  web: z
    .object({
      results: z.array(
        z.object({
          url: z.string(),
          title: z.string(),
          description: z.string().nullish(),
          page_age: z.string().nullish(),
        }),
      ),
    })
    .nullish(),
});

const name = 'Brave Search';
const WRONG_KEY =
  'it rejected the API key; the owner should check brave.api_key in the settings of the web module';

export const brave = ({ api_key, base_url }: { api_key: string; base_url: string }): Engine => ({
  name,
  async search(query, limit, signal) {
    const url = new URL(`${base_url}/web/search`);
    // Without decorations, the texts contain no HTML.
    url.search = new URLSearchParams({
      q: query,
      count: String(limit),
      text_decorations: 'false',
    }).toString();
    const refusals = {
      401: WRONG_KEY,
      403: WRONG_KEY,
      422: WRONG_KEY,
      429: 'too many requests, or the quota of the API key is used up; try again later',
    };
    const headers = { 'x-subscription-token': api_key };
    const { web } = await askEngine({ name, url, answer: Answer, headers, refusals, signal });
    return (web?.results ?? []).slice(0, limit).map(({ url, title, description, page_age }) => ({
      title,
      url,
      excerpt: description ?? '',
      date: page_age?.slice(0, 10) ?? null,
    }));
  },
});
