/** Real servers that stand for sites of the web, and the module that may reach them. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestKernel, testKernel, type z } from '@chat-kernel/module-sdk';
import { onTestFinished } from 'vitest';
import { Settings } from '../src/settings.ts';
import { web } from '../src/web.ts';

interface Site {
  /** As URLs have it. */
  host: string;
  url: string;
}

export async function site(answer: RequestListener): Promise<Site> {
  const server = createServer(answer);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}` };
}

/** A site whose every page is this. */
export const siteWith = (body: string | Uint8Array, type?: string): Promise<Site> =>
  site((_, response) =>
    response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body),
  );

/** The module with these settings, as its file would have them. */
export async function moduleWith(
  settings: z.input<typeof Settings> = {},
  parts: Parameters<typeof web>[1] = {},
): Promise<TestKernel> {
  const kernel = await testKernel(web(Settings.parse(settings), parts));
  onTestFinished(() => kernel.stop());
  return kernel;
}

/** Fetches a page of a site that is allowed. */
export async function fetched({ host, url }: Site, input: object = {}) {
  const kernel = await moduleWith({ allow: [host] });
  return kernel.call('fetch', { url: `${url}/page`, ...input });
}
