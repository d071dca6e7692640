/** Defines the routes of this server: their services, and their owners if several kernels share the database. */

import type { OpenFeatures } from '@chat-kernel/features';
import { isContent, type RouteOf, routesWith } from '@chat-kernel/http';
import type { Kernel, Log } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingAsyncHookHandler,
  RequestPayload,
} from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';
import type { WebClient } from '../web/web-client.ts';

/** Services of the application; a handler uses those that it needs. */
export interface AppServices {
  kernel: Kernel;
  features: OpenFeatures;
  settings: Settings;
  log: Log;
  metrics: Metrics;
  version: string;
  web: WebClient;
  /** Undefined if the kernel does not share its database. */
  others?: OtherKernels | undefined;
}

/** Called before the bytes of a request are read; returns the bytes to read. */
export type BodyHook = preParsingAsyncHookHandler;
/** Continues with the body, or refuses the request. */
export type BodyDone = (error: Error | null, payload?: RequestPayload) => void;

/** The other kernels on the same database. */
export interface OtherKernels {
  /** The id of this kernel among them, which each answer contains. */
  readonly id: string;
  /** Refuses a request that claims to come from one of them but does not, or that is meant for another one. */
  checkSignature(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void;
  /** Forwards requests to the owner of their chat; undefined for a route that does not need it. */
  hookOf(app: FastifyInstance, route: Route, services: AppServices): BodyHook | undefined;
  /** Whether one of them sent the request. */
  isOfKernel(request: FastifyRequest): boolean;
  /** Refuses a request of another kernel whose body is not the one that it signed. */
  checkBody(request: FastifyRequest, payload: RequestPayload, done: BodyDone): void;
  /** The id of the calling kernel; undefined if the caller is not a kernel. */
  callerOf(request: FastifyRequest): string | undefined;
  /** Queries all of them; those that do not answer are left out. @param path of a GET with a JSON answer */
  askAll<Answer>(path: string): Promise<Answer[]>;
}

export type Route = RouteOf<AppServices>;
export const defineRoute = routesWith<AppServices>();

const OF_CHAT = '/v1/chats/:id';

/**
 * Whether a route needs the owner of its chat if several kernels share the database. Any kernel can read history and
 * lists; only the owner can change a chat, or follow its turns (FLEET-1).
 */
export function needsOwner({ url, method, responses }: Route): boolean {
  const follows = Object.values(responses).some(
    response => response !== null && isContent(response) && response.contentType === 'text/event-stream',
  );
  return (url === OF_CHAT || url.startsWith(`${OF_CHAT}/`)) && (method !== 'GET' || follows);
}
