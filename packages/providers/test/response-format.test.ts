/** Tests schemas for responses: strictness, the request in text form, and the cost of a refusal. */
import { describe, expect, test } from 'vitest';
import { refusesSchema } from '../src/answers/trip.ts';
import { inWords, isStrict } from '../src/prompt/response-format.ts';
import { openWire, request, trip, type WireStand } from './wires.ts';

const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

describe('a schema is strict if each of its objects is closed and requires all its properties', () => {
  test.each([
    [closed({ a: { type: 'string' } }), true],
    [closed({ a: closed({}), b: { type: 'array', items: closed({ c: { enum: ['x', null] } }) } }), true],
    [{ type: 'object', properties: {}, required: [] }, false],
    [closed({ a: {} }, []), false],
    [closed({ a: { type: 'array', items: { type: 'object' } } }), false],
    [{ ...closed({ a: { $ref: '#/$defs/b' } }), $defs: { b: { properties: { c: {} } } } }, false],
    [{ anyOf: [closed({}), { type: 'object' }] }, false],
  ])('%j: %s', (schema, strict) => {
    expect(isStrict(schema)).toBe(strict);
  });
});

test('adds the schema as text after the system prompt', () => {
  const schema = { type: 'object' };
  expect(inWords(request({ system: 'Be brief.', schema })).system).toMatch(
    /^Be brief\.\n\n.*\n\{"type":"object"\}$/s,
  );
  expect(inWords(request({ system: '', schema })).system).toMatch(/^Answer/);
  expect(inWords(request({ system: 'Be brief.' })).system).toBe('Be brief.');
});

test('detects the warning of a package that omits the schema', () => {
  expect(refusesSchema([{ type: 'unsupported', feature: 'responseFormat' }])).toBe(true);
  expect(
    refusesSchema([
      { type: 'unsupported', feature: 'topK' },
      { type: 'other', message: 'x' },
    ]),
  ).toBe(false);
});

describe('a provider that rejects schemas', () => {
  let stand: WireStand;
  const refusal = {
    status: 400,
    error: { body: '{"error":{"message":"json_schema is not supported here"}}' },
  };

  test('gets no retry for a request without a schema', async () => {
    stand = await openWire('openai-compatible');
    stand.upstream.next(refusal);
    expect((await trip(stand.model)).error).toMatchObject({ code: 'upstream_error' });
    expect(stand.upstream.requests).toHaveLength(1);
  });

  test('gets the schema of the next request again, which may differ', async () => {
    stand = await openWire('openai-compatible');
    stand.upstream.next(refusal);
    const schema = { type: 'object' };
    expect((await trip(stand.model, request({ schema }))).events.at(-1)).not.toHaveProperty(
      'schema_enforced',
    );
    expect((await trip(stand.model, request({ schema }))).events.at(-1)).toMatchObject({
      schema_enforced: true,
    });
    const formats = stand.upstream.requests.map(({ body }) => body.response_format?.type);
    expect(formats).toEqual(['json_schema', undefined, 'json_schema']);
  });
});
