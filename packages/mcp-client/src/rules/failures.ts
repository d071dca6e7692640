/** Classifies the errors of the library by their codes, and describes them in sentences. */
import { JsonObject } from '@chat-kernel/protocol';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { cut, SENTENCE_CHARS } from './limits.ts';

/** Marks an error that replaces an answer that will never arrive. */
export const UNANSWERED = { unanswered: true };

/** Whether the server itself has answered with an error. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof ProtocolError && error.data !== UNANSWERED;

/** Whether the server no longer has the session, and has not handled the request. */
export const isForgottenSession = (error: unknown): boolean =>
  error instanceof SdkHttpError && error.data?.status === 404;

/** Thrown if a guest requires a sign-in by the owner; the request had no effect. */
export class SignInNeeded extends Error {
  constructor(guest: string) {
    super(`sign-in required: run chat-kernel mcp login ${guest}`);
  }
}

/** Whether the server rejected a request although its token had just been renewed. */
export const isRefusedToken = (error: unknown): boolean =>
  error instanceof SdkHttpError && error.data?.status === 401;

/** The error of this class in the chain of causes of another one, however deep. */
export function findCause<Cause extends Error>(
  error: unknown,
  kind: abstract new (...args: never[]) => Cause,
): Cause | undefined {
  if (error instanceof kind) return error;
  return error instanceof Error ? findCause(error.cause, kind) : undefined;
}

/** Whether the connection ended during the negotiation of the protocol revision. */
export const isNegotiationFailure = (error: unknown): boolean =>
  errorCode(error) === SdkErrorCode.EraNegotiationFailed;

/** Whether the server has requested, during a call, a feature that this client does not support. */
export const isQuestion = (error: unknown): boolean =>
  errorCode(error) === SdkErrorCode.UnsupportedResultType ||
  errorCode(error) === SdkErrorCode.CapabilityNotSupported;

/** Whether the server has started a task without a request, in a revision in which tasks are an extension. */
export const isUnwantedTask = (error: unknown): boolean =>
  error instanceof SdkError &&
  error.code === SdkErrorCode.UnsupportedResultType &&
  JsonObject.safeParse(error.data).data?.resultType === 'task';

/** Whether the connection ended before the answer. */
export const isClosed = (error: unknown): boolean => errorCode(error) === SdkErrorCode.ConnectionClosed;

/** Whether the request or its answer was lost: the server may still be reachable. */
export function isBrokenLine(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.data === UNANSWERED;
  if (error instanceof SdkHttpError) return (error.data?.status ?? 0) >= 500;
  return !(error instanceof SdkError);
}

/** Returns the reason as a sentence, with the root cause of a network failure. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return cut(String(error), SENTENCE_CHARS);
  const root = findRootCause(error);
  const because = root.message || String(errorCode(root) ?? '');
  const reason = error.message.includes(because) ? error.message : `${error.message}: ${because}`;
  return cut(isDump(reason) ? 'its response is not valid' : reason, SENTENCE_CHARS);
}

/** Whether the message lists the issues of a schema check as JSON, which is not for people. */
const isDump = (message: string): boolean => /\[\s*\{\s*"/.test(message) && message.includes('"code":');

const findRootCause = (error: Error): Error =>
  error.cause instanceof Error ? findRootCause(error.cause) : error;

const errorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
