/** Tests a stream of events that passes through a kernel which does not own its chat. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Frames } from '../src/fleet/frames.ts';

const frame = (n: number, json = `{"type":"text_delta","text":"${n}"}`) => `data: ${json}\nid: t.${n}\n\n`;
const take = (frames: Frames, text: string) => frames.take(Buffer.from(text)).toString();

describe('[FLEET-3] forwarded frames', () => {
  it('are complete for every split of the stream, and only an incomplete frame is held back', () => {
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

  it('report the newest event id, and whether it ends a turn', () => {
    const frames = new Frames();
    take(frames, frame(1) + frame(2));
    expect([frames.lastId, frames.isDone]).toEqual(['t.2', false]);
    take(frames, frame(3, '{"type":"done","status":"completed"}'));
    expect([frames.lastId, frames.isDone]).toEqual(['t.3', true]);
    take(frames, frame(4, '{"type":"text_delta","text":"{\\"type\\":\\"done\\","}'));
    expect([frames.lastId, frames.isDone]).toEqual(['t.4', false]);
  });

  it('continue with another stream after one that dropped inside a frame', () => {
    const frames = new Frames();
    expect(take(frames, `retry: 1000\n${frame(1)}data: {"type":"te`)).toBe(`retry: 1000\n${frame(1)}`);
    frames.restart();
    expect(frames.lastId).toBe('t.1');
    expect(take(frames, `retry: 1000\n${frame(2)}`)).toBe(frame(2));
  });
});
