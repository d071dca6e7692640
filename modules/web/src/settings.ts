/** What the module can be told in its file: a search engine, and hosts that it may reach although they are not public. */
import { z } from '@chat-kernel/module-sdk';

/** As a URL has it: a port only where it is not the usual one. */
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
  .refine(isWithoutLogin, 'expected an address without a login (user:password@)')
  .transform(url => url.replace(/\/$/, ''));

export const Settings = z
  .strictObject({
    /** A SearXNG that answers JSON (`search.formats` in its settings.yml). */
    searxng: z.strictObject({ url: address }).optional(),
    brave: z
      .strictObject({
        api_key: z.string().min(1),
        base_url: address.default('https://api.search.brave.com/res/v1'),
      })
      .optional(),
    /**
     * Hosts of this machine or of the networks around it. Without a port only the usual ones, so that nobody opens all
     * programs of a machine by its name.
     */
    allow: z
      .array(z.string().refine(isHost, 'expected a host such as wiki.lan, 192.168.1.5:8080 or [fd00::1]'))
      .default([]),
  })
  .refine(({ searxng, brave }) => !(searxng && brave), 'expected one engine: either searxng or brave');
export type WebSettings = z.output<typeof Settings>;
