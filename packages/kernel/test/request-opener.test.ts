import { UNFINISHED_RESULT } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import type { NewRequest } from '../src/index.ts';
import { requestOpener } from '../src/turn/request-opener.ts';
import type { RunningTurn } from '../src/turn/running-turn.ts';
import { TurnLife } from '../src/turn/turn-life.ts';
import type { TurnServices } from '../src/turn/turn-services.ts';

it('rejects requests of an ending turn with its ending, and of a closing turn with a result', () => {
  const life = new TurnLife();
  const opened: NewRequest[] = [];
  const requests = { open: (_: unknown, opening: NewRequest) => opened.push(opening) };
  const open = requestOpener(
    { record: { id: 't', chat_id: 'chat' }, life, signal: life.signal, writes: {} } as RunningTurn,
    { requests } as unknown as TurnServices,
  );
  const opening = {} as NewRequest;
  open(opening);
  life.beginClosing();
  expect(() => open(opening)).toThrow(UNFINISHED_RESULT);
  const ending = new Error('cancelled');
  life.end(ending as never);
  expect(() => open(opening)).toThrow(ending);
  expect(opened).toEqual([opening]);
});
