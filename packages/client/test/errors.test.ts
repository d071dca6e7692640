/** Tests which errors of the client are retryable. */
import { HTTP_ERRORS } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import {
  ConnectionError,
  isRetryable,
  isUnreachable,
  KernelApiError,
  RetriesExhaustedError,
} from '../src/index.ts';

const answered = (status: number, code?: string) =>
  new KernelApiError(status, { detail: '', ...(code !== undefined && { code: code as 'internal' }) });

it('retries requests while the kernel is busy, stopping or unreachable', () => {
  const codes = Object.entries(HTTP_ERRORS).filter(([code, { status }]) =>
    isRetryable(answered(status, code)),
  );
  const names = ['shutting_down', 'too_busy', 'kernel_away', 'storage_unavailable'];
  expect(codes.map(([code]) => code)).toEqual(names);
  expect(codes.every(([, { retryable }]) => retryable)).toBe(true);
});

it('agrees with the catalog about every code', () => {
  for (const [code, { status, retryable }] of Object.entries(HTTP_ERRORS))
    expect(isRetryable(answered(status, code)), code).toBe(retryable);
});

it('decides by the status for an unknown code', () => {
  const passing = [429, 502, 503, 504];
  const lasting = [400, 404, 409, 500, 501];
  for (const status of passing) expect(isRetryable(answered(status)), `${status}`).toBe(true);
  for (const status of lasting) expect(isRetryable(answered(status)), `${status}`).toBe(false);
  expect([503, 500].map(status => isRetryable(answered(status, 'a_newer_code')))).toEqual([true, false]);
});

it('retries a request without an answer, and no other error', () => {
  for (const error of [new ConnectionError('It broke.'), new RetriesExhaustedError(1, null)]) {
    expect([isUnreachable(error), isRetryable(error)]).toEqual([true, true]);
  }
  expect(isUnreachable(answered(503))).toBe(false);
  expect([isUnreachable(new Error()), isRetryable(new Error())]).toEqual([false, false]);
});
