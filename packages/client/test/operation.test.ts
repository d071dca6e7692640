/** Tests operations as hands and dialogs receive them. */
import { expect, test } from 'vitest';
import type { EventOf } from '../src/api/types.ts';
import { DESCRIBES_REQUEST, operationParams, toOperation } from '../src/index.ts';

test('[OP-1] passes all fields of an operation as params, except those of the request', () => {
  const named = Object.fromEntries(Object.keys(DESCRIBES_REQUEST).map(name => [name, name]));
  const event = { ...named, command: 'ls', constructor: 'x' } as unknown as EventOf<'client_op'>;
  expect(toOperation('c', event).params).toEqual({ command: 'ls', constructor: 'x' });
  // A client that lists the parameters of a request shows all that the decision covers.
  expect(operationParams(event)).toEqual({ call: 'call', command: 'ls', constructor: 'x' });
});
