/** Defines the routes of this server: their services, and their owners if several kernels share the database. */
import type { OpenFeatures } from '@chat-kernel/features';
import { isContent, type RouteOf, type RouteTag, routesTagged } from '@chat-kernel/http';
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

/** The other kernels on the same database; `Gateway` documents the methods. */
export interface OtherKernels {
  readonly id: string;
  checkSignature(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void;
  hookOf(app: FastifyInstance, route: Route, services: AppServices): BodyHook | undefined;
  isOfKernel(request: FastifyRequest): boolean;
  checkBody(request: FastifyRequest, payload: RequestPayload, done: BodyDone): void;
  callerOf(request: FastifyRequest): string | undefined;
  askAll<Answer>(path: string): Promise<Answer[]>;
}

export type Route = RouteOf<AppServices>;
/** Returns the function that defines the routes of a group, such as `defineRoute('GET /v1/chats', {…})`. */
export const routesOf = (tag: RouteTag) => routesTagged<AppServices>(tag);

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
