/** Tests that every error is a problem: one shape, a stable code, and an id that is also in the log. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../harness/client.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { stuck } from '../harness/story.ts';

let kernel: TestKernel;
let chatId: string;
/** A chat with a running turn that does not end without a cancel. */
let busyId: string;
beforeAll(async () => {
  kernel = await startKernel();
  chatId = (await kernel.api.newChat()).id;
  busyId = (await kernel.api.newChat()).id;
  kernel.upstream.next(stuck({ text: 'Well' }));
  await (await kernel.api.turn(busyId, { text: 'Go.' })).until('text_delta');
  await (await kernel.api.turn(chatId, { text: 'Hi.' }, { 'idempotency-key': 'used' })).all();
});
afterAll(async () => {
  await kernel.api.post(`/v1/chats/${busyId}/cancel`);
  await kernel.stop();
});

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const JSON_TYPE = { 'content-type': 'application/json' };
const say = (id: string, body: unknown, headers?: Record<string, string>) =>
  kernel.api.post(`/v1/chats/${id}/messages`, body, headers);
const send = (headers: Record<string, string>, body: string) =>
  kernel.api.raw('/v1/chats', { method: 'POST', headers, body });

/** Code → status, and a request that causes it. */
const ERRORS: Record<string, [number, () => Promise<Answer>]> = {
  malformed_cursor: [400, () => kernel.api.get(`/v1/chats/${chatId}/items?before=x`)],
  unknown_cursor: [400, () => kernel.api.get(`/v1/chats/${chatId}/items?before=${UNKNOWN}:0`)],
  invalid_value: [400, () => kernel.api.get(`/v1/chats/${chatId}/items?limit=0`)],
  unknown_file: [400, () => say(chatId, { files: [{ id: UNKNOWN }] })],
  unknown_model: [400, () => say(chatId, { text: 'Hi.', model: 'no/such' })],
  empty_message: [400, () => say(chatId, {})],
  forbidden_origin: [403, () => kernel.api.get('/v1/chats', { origin: 'https://stranger.example' })],
  forbidden_host: [403, () => kernel.api.get('/v1/chats', { host: 'stranger.example' })],
  not_found: [404, () => kernel.api.get(`/v1/chats/${UNKNOWN}`)],
  turn_running: [409, () => say(busyId, { text: 'Hi.', on_busy: 'reject' })],
  idempotency_mismatch: [409, () => say(chatId, { text: 'Ho.' }, { 'idempotency-key': 'used' })],
  body_too_large: [413, () => send({ ...JSON_TYPE, 'content-length': `${64 * 1024 * 1024 + 1}` }, '{}')],
  unsupported_media_type: [415, () => send({ 'content-type': 'text/plain' }, '{}')],
  not_json: [422, () => send(JSON_TYPE, '{"title":')],
  schema_mismatch: [422, () => kernel.api.post('/v1/chats', { title: 5 })],
};

/** Codes that need more than a request, and the tests that cause them. */
const ELSEWHERE: Record<string, string> = {
  forbidden_user: 'users.system.test.ts',
  name_taken: 'hands-standby.test.ts',
  too_many_machines: 'hands-standby.test.ts',
  tool_name_taken: 'extra-tools.test.ts',
  spend_cap: 'spend-caps.test.ts',
  forbidden_path: 'own-bytes.test.ts',
  unknown_request: 'client-answers.test.ts',
  already_resolved: 'client-answers.test.ts',
  no_client: 'bytes.test.ts',
  kernel_away: 'fleet.system.test.ts',
  files_changed: 'undo.system.test.ts',
  files_stuck: 'undo.system.test.ts',
  module_down: '../../packages/module-host/test/sockets.test.ts',
  sign_in_failed: 'mcp-oauth.test.ts',
  too_busy: 'voice-transcribe.test.ts',
  range_not_satisfiable: 'files.test.ts',
  upstream_error: 'complete.test.ts',
  internal: '../../packages/server/test/problems.test.ts',
  shutting_down: 'restart.system.test.ts',
  storage_unavailable: 'storage-away.system.test.ts',
};

/** Part of the contract, but never sent by this kernel. */
const NEVER = ['not_a_member'];

test.each(Object.keys(ERRORS))('[API-8] %s', async code => {
  const [status, request] = ERRORS[code] as (typeof ERRORS)[string];
  const answer = await request();
  const { body, headers } = answer;
  expect([answer.status, body.code]).toEqual([status, code]);
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  const fields = ['type', 'title', 'status', 'detail', 'code', 'request_id'];
  expect(Object.keys(body).filter(field => field !== 'errors')).toEqual(fields);
  expect(body.request_id).toBe(headers['x-request-id']);
  for (const part of body.errors ?? []) {
    expect(part).toEqual({ pointer: expect.stringMatching(/^(\/|$)/), detail: expect.stringMatching(/./) });
  }
});

test('[API-8] returns a problem type that is the address of the explanation of its code', async () => {
  const { body } = await kernel.api.get(`/v1/chats/${UNKNOWN}`);
  const [address, anchor] = body.type.split('#');
  const page = await kernel.api.raw(address, { method: 'GET' });
  expect(page.status).toBe(200);
  expect(page.body.toString()).toContain(`id="${anchor}"`);
  const document = await kernel.api.document();
  for (const code of document.schema('ErrorCode').enum) {
    expect(page.body.toString()).toContain(`id="${code}"`);
  }
});

test('[API-8] lists all codes as an enum in the document, and a test covers each of them', async () => {
  const document = await kernel.api.document();
  expect(document.schema('ErrorCode').enum.toSorted()).toEqual(
    [...Object.keys(ERRORS), ...Object.keys(ELSEWHERE), ...NEVER].toSorted(),
  );
  for (const [code, file] of Object.entries(ELSEWHERE)) {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    expect(source, `${file} asks for ${code}`).toContain(`'${code}'`);
  }
});

test('[API-8] returns 404 for malformed ids', async () => {
  const { api } = kernel;
  for (const id of ['x', '1', 'ABC', `${UNKNOWN}0`, '%00', "'--", '..']) {
    const address = encodeURIComponent(id).replaceAll('.', '%2E');
    expect([id, (await api.get(`/v1/chats/${address}`)).status]).toEqual([id, 404]);
    expect((await api.get(`/v1/chats/${address}/items`)).status).toBe(404);
    expect((await api.patch(`/v1/chats/${address}`, {})).status).toBe(404);
    expect((await api.delete(`/v1/chats/${address}`)).status).toBe(404);
  }
});

test('[API-8] accepts a body of several megabytes', async () => {
  const long = 'word '.repeat(1_000_000);
  const chat = await kernel.api.newChat();
  const events = await kernel.api.say(chat.id, long);
  expect(events.at(-1)).toMatchObject({ status: 'completed' });
  expect(kernel.upstream.requests.at(-1)?.body.messages.at(-1).content).toBe(long);
});
