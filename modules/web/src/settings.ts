/** Settings of the module: a search engine, and allowed hosts that are not public. */
import { z } from '@chat-kernel/module-sdk';

/** In URL form: with a port only if it is not the default. */
const isHost = (host: string): boolean => {
  const url = URL.parse(`http://${host}`);
  return url !== null && url.host === host.toLowerCase();
};
const isWithoutLogin = (address: string): boolean => {
  const url = URL.parse(address);
  return url === null || url.username + url.password === '';
};
const address = z
  .url({ protocol: /^https?$/ })
  .refine(isWithoutLogin, 'expected a URL without credentials (user:password@)')
  .transform(url => url.replace(/\/$/, ''));

export const Settings = z
  .strictObject({
    /** A SearXNG server with JSON enabled (`search.formats` in its settings.yml). */
    searxng: z.strictObject({ url: address }).optional(),
    brave: z
      .strictObject({
        api_key: z.string().min(1),
        base_url: address.default('https://api.search.brave.com/res/v1'),
      })
      .optional(),
    /**
     * Allowed hosts of this machine or of private networks. Without a port, only the default ports are allowed, so that a
     * host name does not expose all services of a machine.
     */
    allow: z
      .array(z.string().refine(isHost, 'expected a host such as wiki.lan, 192.168.1.5:8080 or [fd00::1]'))
      .default([]),
  })
  .refine(({ searxng, brave }) => !(searxng && brave), 'expected one search engine: either searxng or brave');
export type WebSettings = z.output<typeof Settings>;
