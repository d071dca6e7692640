/** Voice in the page: dictation into the message, and responses read aloud. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { noEspeak, spokenWav } from '../harness/espeak.ts';
import { says } from '../harness/story.ts';
import { startWeb, surprising, type Visit, type Web } from './open-page.ts';

const SAID = 'The quick brown fox jumps over the lazy dog.';
const SPEECH = 'scripted/reader';
/** The first bytes of a WebM file. */
const WEBM = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

describe.skipIf(noBrowser || noEspeak)('in Chromium', () => {
  const directory = temporaryDirectory();
  let web: Web;
  let page: Visit;
  let id: string;
  beforeAll(async () => {
    const microphone = join(directory.path, 'said.wav');
    writeFileSync(microphone, spokenWav(SAID));
    const models = [
      { id: SPEECH, does: 'speech' as const, voices: ['a'] as [string], formats: ['wav'] as ['wav'] },
    ];
    web = await startWeb({ kind: 'openai', settings: { voice: { models } }, microphone });
  });
  afterAll(async () => {
    await web?.stop();
    directory.remove();
  });
  beforeEach(async () => {
    ({ id } = await web.kernel.client.createChat({ title: 'Voice' }));
    web.kernel.upstream.next(says('It is **warm**.'));
    await web.kernel.client.say(id, 'How is it?');
    page = await web.visit(`/chats/${id}`);
    await page.message.waitFor();
    return () => expect(surprising(page)).toEqual([]);
  });

  const heard = () => web.kernel.upstream.voice.requests.filter(({ file }) => file !== undefined);
  const answer = () => page.articles('agent_message').first();
  const pickOfAnswer = (entry: string) => page.pick(page.button('Actions', answer()), entry);
  /** Returns the playback entries in the menu of the response. */
  async function offered(): Promise<string[]> {
    await page.button('Actions', answer()).click();
    const entries = page.page.getByRole('menuitem');
    await entries.first().waitFor();
    const names = await entries.allTextContents();
    await page.page.keyboard.press('Escape');
    return names.filter(name => /play/i.test(name));
  }

  test('[VOICE-1] appends the transcript to the message without sending it', async () => {
    web.kernel.upstream.voice.next({ text: SAID });
    const before = heard().length;
    await page.message.fill('Dear fox:');
    await page.button('Record').click();
    await page.page.getByRole('timer', { name: 'Recording' }).getByText('0:02').waitFor();
    await page.button('Stop recording').click();
    await expect.poll(() => page.message.inputValue(), { timeout: 60_000 }).toBe(`Dear fox: ${SAID}`);
    const [sent, ...more] = heard().slice(before);
    expect(more).toEqual([]);
    expect(sent?.file?.name).toBe('audio.webm');
    expect(sent?.file?.bytes.subarray(0, 4)).toEqual(WEBM);
    // Two seconds of speech. Silence would be a few bytes.
    expect(sent?.file?.bytes.length).toBeGreaterThan(3000);
    expect((await web.kernel.client.getChat(id)).turn ?? null).toBe(null);
    expect((await web.kernel.client.items(id)).filter(({ kind }) => kind === 'user_message')).toHaveLength(1);
    await page.button('Record').waitFor();
  });

  test('[VOICE-1] discards a recording on Esc, and shows a failed transcription', async () => {
    const before = heard().length;
    await page.message.fill('Kept.');
    await page.button('Record').click();
    await page.button('Stop recording').waitFor();
    await page.page.keyboard.press('Escape');
    await page.button('Record').waitFor();
    expect(heard()).toHaveLength(before);
    web.kernel.upstream.voice.next({ status: 401 });
    await page.button('Record').click();
    await page.page.getByRole('timer', { name: 'Recording' }).getByText('0:01').waitFor();
    await page.button('Stop recording').click();
    await page.page.getByText('scripted answered 401').waitFor({ timeout: 60_000 });
    await page.button('Record').waitFor();
    expect(await page.message.inputValue()).toBe('Kept.');
  });

  test('[VOICE-2] plays a response to its end, or until Stop playing', async () => {
    const { voice } = web.kernel.upstream;
    voice.next({ audio: spokenWav('Warm.') }, { audio: spokenWav(`${SAID} `.repeat(40)) });
    // The audio element is not in the document, so count its ends in its constructor.
    await page.page.evaluate(`window.ended = 0; window.Audio = class extends Audio {
      constructor(address) { super(address); this.addEventListener('ended', () => window.ended++); }
    }`);
    const ended = () => page.page.evaluate('window.ended');
    expect(await offered()).toEqual(['Play']);
    await pickOfAnswer('Play');
    await expect.poll(() => voice.requests.at(-1)?.fields.input, { timeout: 60_000 }).toBe('It is warm.');
    await expect.poll(offered, { timeout: 60_000 }).toEqual(['Play']);
    expect(await ended()).toBe(1);
    await pickOfAnswer('Play');
    await expect.poll(offered, { timeout: 60_000 }).toEqual(['Stop playing']);
    await pickOfAnswer('Stop playing');
    await expect.poll(offered, { timeout: 60_000 }).toEqual(['Play']);
    expect(await ended()).toBe(1);
  });
});
