/** Tests pages designed to block their reader or to exhaust its memory: each fails in time, and the module continues. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { PATIENT } from '../../../test/harness/patient.ts';
import { fetched, moduleWith, site, siteWith } from './site.ts';

const MB = 1024 * 1024;

it('fails on 5 MB of nested tags with an error, without blocking other calls', PATIENT, async () => {
  const nested = await siteWith(`<html><body>${'<div>'.repeat(MB - 10)}`, 'text/html');
  const plain = await siteWith('<p>fine</p>', 'text/html');
  const kernel = await moduleWith({ allow: [nested.host, plain.host] }, { read_secs: 6 });
  const slow = kernel.call('fetch', { url: nested.url });
  expect((await kernel.call('fetch', { url: plain.url })).output).toMatch(/\n\nfine$/);
  const { output, is_error } = await slow;
  expect(is_error).toBe(true);
  expect(output).toMatch(/ takes more than | could not be read: /);
  expect((await kernel.call('fetch', { url: plain.url })).output).toMatch(/\n\nfine$/);
});

it(
  'returns an error for a page that exhausts the memory of its reader, and keeps running',
  PATIENT,
  async () => {
    const full = await siteWith(`<html><body>${'<p>x'.repeat(1.2 * MB)}`, 'text/html');
    const plain = await siteWith('<p>fine</p>', 'text/html');
    const kernel = await moduleWith({ allow: [full.host, plain.host] }, { read_secs: 120 });
    expect(await kernel.call('fetch', { url: full.url })).toEqual({
      output: `${full.url}/ could not be read; it may need more than 256 MB of memory.`,
      is_error: true,
    });
    expect((await kernel.call('fetch', { url: plain.url })).output).toMatch(/\n\nfine$/);
  },
);

it('reads a deeply nested page as a whole page', async () => {
  const deep = await siteWith(`<html><body>${'<div>'.repeat(20_000)}deep down`, 'text/html');
  expect((await fetched(deep)).output).toMatch(/\n\ndeep down$/);
});

it('reads the first 5 MB, compressed or not, and disconnects from an endless response', async () => {
  const left = Promise.withResolvers<void>();
  const endless = await site((request, response) => {
    request.socket.on('close', () => left.resolve());
    response.writeHead(200, { 'content-type': 'text/plain' });
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(MB)));
    };
    response.on('drain', more);
    more();
  });
  const cut = /Only the first 5 MB were read\./;
  expect((await fetched(endless)).output).toMatch(cut);
  await left.promise;
  const bomb = gzipSync(Buffer.alloc(200 * MB, 'x'));
  const packed = await site((_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb),
  );
  expect((await fetched(packed)).output).toMatch(cut);
});

it('rejects a larger image or PDF', async () => {
  const image = await siteWith(Buffer.alloc(6 * MB), 'image/png');
  expect(await fetched(image)).toEqual({
    output: `${image.url}/page is image/png and larger than 5 MB, the limit of this tool.`,
    is_error: true,
  });
});

it.each([
  ['a broken PDF', 'application/pdf', '%PDF-1.7 garbage', 'could not be read: '],
  ['a body with a wrong content encoding', 'text/plain', 'garbage', 'could not be reached: '],
])('returns an error for %s', async (_, type, body, sentence) => {
  const page = await site((_, response) =>
    response
      .writeHead(200, { 'content-type': type, ...(type === 'text/plain' && { 'content-encoding': 'gzip' }) })
      .end(body),
  );
  const { output, is_error } = await fetched(page);
  expect([is_error, output]).toEqual([true, expect.stringContaining(sentence)]);
});

it('reports a page without text', async () => {
  const pages = [
    '',
    '<html></html>',
    '<!doctype html>',
    '<html><frameset></frameset></html>',
    '<script>x()</script>',
  ];
  const sites = await Promise.all(pages.map(html => siteWith(html, 'text/html')));
  const kernel = await moduleWith({ allow: sites.map(({ host }) => host) });
  for (const [at, { url }] of sites.entries()) {
    const { output, is_error } = await kernel.call('fetch', { url: `${url}/page` });
    expect(is_error, pages[at]).toBeUndefined();
    expect(output, pages[at]).toContain('The page has no text. It may be built by scripts');
  }
});
