/**
 * Tests subscriptions as files: the kernel reads exports of other programs, and writes files that they read (VID-5).
 */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';

const kernel = sharedKernel();
beforeEach(async () => {
  for (const { channel_id } of await followed()) await kernel.api.delete(address(channel_id));
});

const [ONE, TWO, THREE] = ['1', '2', '3'].map(sign => `UC${sign.repeat(22)}`) as [string, string, string];
const pageOf = (id: string) => `https://www.youtube.com/channel/${id}`;
const feedOf = (id: string) => `https://www.youtube.com/feeds/videos.xml?channel_id=${id}`;
const PEERTUBE = 'https://tube.invalid/video-channels/some_one';
const address = (id: string) => `/v1/video/subscriptions/${encodeURIComponent(id)}`;

interface Followed {
  channel_id: string;
  title: string;
  url: string | null;
  avatar_url: string | null;
  metadata: object;
}
const followed = async (): Promise<Followed[]> =>
  (await kernel.api.get('/v1/video/subscriptions')).body.subscriptions;
const named = async () => Object.fromEntries((await followed()).map(one => [one.channel_id, one.title]));

async function send(file: string | Buffer, query = '') {
  const path = `/v1/video/import${query}`;
  const answer = await kernel.api.raw(path, { method: 'POST', body: file });
  const { status, body, headers } = answer;
  const contentType = headers['content-type']?.split(';')[0];
  (await kernel.api.document()).checkAnswer({ method: 'POST', path, status, contentType, body });
  return answer;
}
const sent = async (file: string | Buffer, query = '') => (await send(file, query)).body;
const exported = async (format: string) =>
  (await kernel.api.raw(`/v1/video/export?format=${format}`, { method: 'GET' })).body;

const opml = (body: string) => `<?xml version="1.0"?><opml version="1.1"><body>${body}</body></opml>`;
const outline = (attributes: string) => `<outline ${attributes}/>`;

const FILES = {
  opml: opml(
    `<!-- <outline xmlUrl="https://no.invalid"/> --><outline text="Group" title="Group">
      <outline text="ignored" title="One &amp; &#x41;&#66; &lt;3" type="rss" xmlUrl='${feedOf(ONE)}' />
      <outline text="Two" xmlUrl="https://invidious.invalid/feed/channel/${TWO}"></outline>
    </outline>${outline(`text="Tube" xmlUrl="${PEERTUBE}"`)}
    ${outline('text="None" xmlUrl="javascript:alert(1)"')}${outline('text="Empty" xmlUrl=""')}<![CDATA[<x>]]>`,
  ),
  newpipe: JSON.stringify({
    app_version: '0.27.0',
    app_version_int: 998,
    subscriptions: [
      { service_id: 0, url: pageOf(ONE), name: 'One & AB <3' },
      { service_id: 0, url: `${pageOf(TWO)}/`, name: 'Two' },
      { service_id: 3, url: PEERTUBE, name: 'Tube' },
      { service_id: 0, name: 'None' },
      'nothing',
    ],
  }),
  freetube: [
    { _id: 'old', name: 'Old', subscriptions: [{ id: THREE, name: 'Three' }] },
    {
      _id: 'allChannels',
      name: 'All',
      bgColor: '#000',
      subscriptions: [
        { id: ONE, name: 'One & AB <3', thumbnail: 'https://i.invalid/1' },
        { id: TWO, name: 'Two' },
      ],
    },
    {
      _id: 'mine',
      name: 'Mine',
      subscriptions: [{ id: TWO, name: 'Two' }, { id: PEERTUBE, name: 'Tube' }, {}, 7],
    },
    { _id: 'old', $$deleted: true },
  ]
    .map(profile => `${JSON.stringify(profile)}\n`)
    .join(''),
};
const NAMES = { [ONE]: 'One & AB <3', [TWO]: 'Two', [PEERTUBE]: 'Tube' };

test.each([
  'opml',
  'newpipe',
  'freetube',
] as const)('[VID-5] recognizes a file of the format %s by its content: counts first, then follows, then finds known ones', async format => {
  const stream = await kernel.client.watchAll();
  onTestFinished(() => stream.hangUp());
  const counts = { format, new: 3, known: 0, invalid: 2 };
  expect(await sent(FILES[format], '?dry_run=true')).toEqual({ ...counts, dry_run: true });
  expect(await followed()).toEqual([]);
  expect(stream.events.filter(({ type }) => type !== 'opened')).toEqual([]);
  expect(await sent(`\ufeff\n${FILES[format]}`, '?dry_run=false')).toEqual({ ...counts, dry_run: false });
  expect(await named()).toEqual(NAMES);
  await stream.until('video_changed');
  await kernel.api.put(address(TWO), { title: 'Mine' });
  await kernel.api.delete(address(ONE));
  expect(await sent(FILES[format], '?dry_run=true')).toMatchObject({ new: 1, known: 2 });
  expect(await sent(FILES[format])).toEqual({ ...counts, new: 1, known: 2, dry_run: false });
  expect(await named()).toEqual({ ...NAMES, [TWO]: 'Mine' });
});

test('[VID-5] imports ids from a file of Invidious, and an old file like one of NewPipe', async () => {
  const file = {
    subscriptions: [ONE, TWO, ONE, 'a\nb', '', 5, 'x'.repeat(201), '\ud800'],
    watch_history: ['v'],
  };
  const counts = { format: 'invidious', new: 2, known: 0, invalid: 5, dry_run: false };
  expect(await sent(JSON.stringify(file))).toEqual(counts);
  expect(await named()).toEqual({ [ONE]: ONE, [TWO]: TWO });
  const old = { subscriptions: [{ service_id: 0, url: pageOf(THREE), name: 'Three' }] };
  expect(await sent(JSON.stringify(old))).toMatchObject({ format: 'newpipe', new: 1 });
  const none = { subscriptions: [], watch_history: [] };
  expect(await sent(JSON.stringify(none))).toEqual({ ...counts, new: 0, invalid: 0 });
});

test('[VID-5] imports its own export again without changes', async () => {
  const { api } = kernel;
  await api.put(address(ONE), { title: `<"One" & 'AB'>\t\n\u0001ä日👩` });
  await sent(FILES.newpipe);
  await api.put(address('no address'), { title: 'In no file' });
  const before = await named();
  for (const format of ['opml', 'newpipe']) {
    const file = await exported(format);
    const text = Buffer.isBuffer(file) ? file.toString() : JSON.stringify(file);
    expect(text).not.toContain('In no file');
    for (const { channel_id } of await followed()) await api.delete(address(channel_id));
    expect(await sent(text)).toEqual({ format, new: 3, known: 0, invalid: 0, dry_run: false });
    // XML does not allow this character.
    const title = format === 'opml' ? before[ONE]?.replace('\u0001', '') : before[ONE];
    expect(await named()).toEqual({ [ONE]: title, [TWO]: 'Two', [PEERTUBE]: 'Tube' });
    await api.put(address(ONE), { title: before[ONE] });
    await api.put(address(PEERTUBE), { title: 'Tube', url: PEERTUBE, metadata: { service_id: 3 } });
  }
  const answer = await api.raw('/v1/video/export', { method: 'GET' });
  expect(answer.headers).toMatchObject({
    'content-type': 'text/x-opml; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="subscriptions.opml"/),
  });
  expect((await api.get('/v1/video/export?format=csv')).body.code).toBe('invalid_value');
});

const hostile: Record<string, string> = {
  nothing: '',
  'plain text': 'Hello.',
  'other JSON': '{"videos":[]}',
  'a JSON list': '[]',
  'the history of FreeTube': '{"videoId":"v","_id":"v"}\n',
  'a truncated file': FILES.newpipe.slice(0, -10),
  'an HTML page': '<!doctype html><html></html>',
  'other XML': '<rss></rss>',
  'a document type': `<?xml version="1.0"?><!DOCTYPE opml>${opml('')}`,
  'nested entities': `<!DOCTYPE opml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${opml(outline('text="&b;"'))}`,
  'an external entity': `<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]>${opml(outline('xmlUrl="&x;"'))}`,
  'an undeclared entity': opml(outline('xmlUrl="https://a.invalid/&nbsp;"')),
  'a bare ampersand': opml(outline('xmlUrl="https://a.invalid/?a=1&b=2"')),
  'an invalid XML character': opml(outline('xmlUrl="https://a.invalid/&#0;"')),
  'an unpaired surrogate': opml(outline('xmlUrl="https://a.invalid/&#xD800;"')),
  'a number above all code points': opml(outline('xmlUrl="https://a.invalid/&#x110000;"')),
  'a duplicate attribute': opml(outline('xmlUrl="https://a.invalid" xmlUrl="https://b.invalid"')),
  'an attribute without quotes': opml(outline('xmlUrl=https://a.invalid')),
  'overlapping elements': '<opml><body></opml></body>',
  'an unclosed element': '<opml><body>',
  'two roots': `${opml('')}<opml></opml>`,
  'text after the end': `${opml('')} more`,
  'endless groups': `<opml>${'<outline>'.repeat(100_000)}`,
  'endless attributes': `<opml ${Array.from({ length: 300_000 }, (_, n) => ` a${n}="1"`).join('')}/>`,
  'an attribute of megabytes': opml(outline(`xmlUrl="${'&'.repeat(9_000_000)}"`)),
  'endless brackets': '['.repeat(5_000_000),
  'too many channels': JSON.stringify({
    subscriptions: Array.from({ length: 10_001 }, () => ONE),
  }),
};
test.each(Object.keys(hostile))('rejects quickly with a clear message: %s', async name => {
  const start = performance.now();
  const { status, body } = await send(hostile[name] as string);
  expect([status, body.code]).toEqual([400, 'invalid_value']);
  expect(body.detail).toMatch(/\.$/);
  expect(body.detail.length).toBeLessThan(300);
  expect(performance.now() - start).toBeLessThan(30_000);
  expect(await followed()).toEqual([]);
});

test('returns 400 for a file that is not UTF-8, and 413 for more than 10 MiB', async () => {
  expect((await send(Buffer.from([0x7b, 0xff, 0x7d]))).status).toBe(400);
  const tooMuch = Buffer.alloc(10 * 1024 * 1024 + 1, ' ');
  expect((await send(tooMuch)).body.code).toBe('body_too_large');
  const fits = Buffer.concat([tooMuch.subarray(opml('').length + 1), Buffer.from(opml(''))]);
  expect(fits.length).toBe(10 * 1024 * 1024);
  expect((await send(fits)).body).toMatchObject({ format: 'opml', new: 0 });
  expect((await send(FILES.opml, '?dry_run=maybe')).body.code).toBe('invalid_value');
});
