/** Pages that are made to keep their reader busy, or to fill its memory: an end in time, and the module goes on. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { fetched, moduleWith, site, siteWith } from './site.ts';

const MB = 1024 * 1024;

it('5 MB of nested tags end with a sentence, and hold nobody else', async () => {
  const nested = await siteWith(`<html><body>${'<div>'.repeat(MB - 10)}`, 'text/html');
  const plain = await siteWith('<p>fine</p>', 'text/html');
  const kernel = await moduleWith({ allow: [nested.host, plain.host] }, { read_secs: 3 });
  const slow = kernel.call('fetch', { url: nested.url });
  expect((await kernel.call('fetch', { url: plain.url })).output).toMatch(/\n\nfine$/);
  const { output, is_error } = await slow;
  expect(is_error).toBe(true);
  expect(output).toMatch(/ takes more than | could not be read: /);
  expect((await kernel.call('fetch', { url: plain.url })).output).toMatch(/\n\nfine$/);
});

it('a page that fills the memory of its reader ends with a sentence, and the module goes on', async () => {
  const full = await siteWith(`<html><body>${'<p>x'.repeat(1.2 * MB)}`, 'text/html');
  const plain = await siteWith('<p>fine</p>', 'text/html');
  const kernel = await moduleWith({ allow: [full.host, plain.host] }, { read_secs: 120 });
  expect(await kernel.call('fetch', { url: full.url })).toEqual({
    output: `${full.url}/ could not be read: maybe it takes more than 256 MB of memory.`,
    is_error: true,
  });
  expect((await kernel.call('fetch', { url: plain.url })).output).toMatch(/\n\nfine$/);
});

it('tags that are deeper than any article are read as a whole page', async () => {
  const deep = await siteWith(`<html><body>${'<div>'.repeat(20_000)}deep down`, 'text/html');
  expect((await fetched(deep)).output).toMatch(/\n\ndeep down$/);
});

it('of more than 5 MB the beginning is read, packed or not, and a server that never ends is left', async () => {
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

it('an image or a PDF of more is refused', async () => {
  const image = await siteWith(Buffer.alloc(6 * MB), 'image/png');
  expect(await fetched(image)).toEqual({
    output: `${image.url}/page is image/png of more than 5 MB.`,
    is_error: true,
  });
});

it.each([
  ['a broken PDF', 'application/pdf', '%PDF-1.7 garbage', 'could not be read: '],
  ['bytes that are not packed as they say', 'text/plain', 'garbage', 'could not be reached: '],
])('%s is an error', async (_, type, body, sentence) => {
  const page = await site((_, response) =>
    response
      .writeHead(200, { 'content-type': type, ...(type === 'text/plain' && { 'content-encoding': 'gzip' }) })
      .end(body),
  );
  const { output, is_error } = await fetched(page);
  expect([is_error, output]).toEqual([true, expect.stringContaining(sentence)]);
});

it.each([
  '',
  '<html></html>',
  '<!doctype html>',
  '<html><frameset></frameset></html>',
  '<script>x()</script>',
])('a page without text says so: %j', async html => {
  const { output, is_error } = await fetched(await siteWith(html, 'text/html'));
  expect(is_error).toBeUndefined();
  expect(output).toContain('There is no text in it; maybe the page is made by scripts');
});
