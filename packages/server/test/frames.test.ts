/** A stream of events on its way through a kernel that does not own its chat. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Frames } from '../src/fleet/frames.ts';

const frame = (n: number, json = `{"type":"text_delta","text":"${n}"}`) => `data: ${json}\nid: t.${n}\n\n`;
const take = (frames: Frames, text: string) => frames.take(Buffer.from(text)).toString();

describe('[FLEET-3] frames that are passed on', () => {
  it('are whole, however the stream is cut, and nothing but half a frame is held back', () => {
    const part = fc.constantFrom(
      ': heartbeat\n',
      frame(1),
      frame(2, '{"type":"tool_result","output":"a\\n\\nb ü"}'),
    );
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat({ max: 40 })), (parts, cuts) => {
        const all = Buffer.from(`retry: 1000\n${parts.join('')}`);
        const frames = new Frames();
        let out = '';
        let from = 0;
        for (const cut of [...cuts, all.length]) {
          out += frames.take(all.subarray(from, from + cut)).toString();
          from += cut;
          expect(out === '' || out.endsWith('\n')).toBe(true);
          expect((out.match(/^data: /gm) ?? []).length).toBe((out.match(/^id: /gm) ?? []).length);
        }
        out += frames.take(all.subarray(Math.min(from, all.length))).toString();
        expect(out).toBe(all.toString());
      }),
    );
  });

  it('know the newest event, and whether it was the end of a turn', () => {
    const frames = new Frames();
    take(frames, frame(1) + frame(2));
    expect([frames.lastId, frames.isDone]).toEqual(['t.2', false]);
    take(frames, frame(3, '{"type":"done","status":"completed"}'));
    expect([frames.lastId, frames.isDone]).toEqual(['t.3', true]);
    take(frames, frame(4, '{"type":"text_delta","text":"{\\"type\\":\\"done\\","}'));
    expect([frames.lastId, frames.isDone]).toEqual(['t.4', false]);
  });

  it('of another stream follow those of one that broke off in the midst of a frame', () => {
    const frames = new Frames();
    expect(take(frames, `retry: 1000\n${frame(1)}data: {"type":"te`)).toBe(`retry: 1000\n${frame(1)}`);
    frames.restart();
    expect(frames.lastId).toBe('t.1');
    expect(take(frames, `retry: 1000\n${frame(2)}`)).toBe(frame(2));
  });
});
