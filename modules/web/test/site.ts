/** Local servers in place of public sites, and the module with access to them. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestKernel, testKernel, type z } from '@chat-kernel/module-sdk';
import { onTestFinished } from 'vitest';
import { Settings } from '../src/settings.ts';
import { web } from '../src/web.ts';

interface Site {
  /** The host as in URLs. */
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

/** A site that returns this content for every page. */
export const siteWith = (body: string | Uint8Array, type?: string): Promise<Site> =>
  site((_, response) =>
    response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body),
  );

/** The module with these settings, as in its file. */
export async function moduleWith(
  settings: z.input<typeof Settings> = {},
  parts: Parameters<typeof web>[1] = {},
): Promise<TestKernel> {
  const kernel = await testKernel(web(Settings.parse(settings), parts));
  onTestFinished(() => kernel.stop());
  return kernel;
}

/** Fetches a page of an allowed site. */
export async function fetched({ host, url }: Site, input: object = {}) {
  const kernel = await moduleWith({ allow: [host] });
  return kernel.call('fetch', { url: `${url}/page`, ...input });
}
