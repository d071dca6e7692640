/** The search of Brave, with a key of the owner. */
import { z } from '@chat-kernel/module-sdk';
import { askEngine, type Engine, strange } from './engine.ts';

const Answer = z.object({
  /** Absent where nothing was found. */
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
const WRONG_KEY = 'it does not take the key; the owner looks at brave.api_key of the module web';

export const brave = ({ api_key, base_url }: { api_key: string; base_url: string }): Engine => ({
  name,
  async search(query, limit, signal) {
    const url = new URL(`${base_url}/web/search`);
    // Without decorations the texts are no HTML.
    url.search = new URLSearchParams({
      q: query,
      count: String(limit),
      text_decorations: 'false',
    }).toString();
    const refusals = {
      401: WRONG_KEY,
      403: WRONG_KEY,
      422: WRONG_KEY,
      429: 'it was asked too often, or the plan of the key is used up; try again later',
    };
    const headers = { 'x-subscription-token': api_key };
    const { data } = Answer.safeParse(await askEngine({ name, url, headers, refusals, signal }));
    if (!data) throw strange(name);
    return (data.web?.results ?? []).slice(0, limit).map(({ url, title, description, page_age }) => ({
      title,
      url,
      excerpt: description ?? '',
      date: page_age?.slice(0, 10) ?? null,
    }));
  },
});
