/**
 * Connects this kernel to the others on its database: decides which requests to forward to them, and queries all of
 * them.
 */
import type { Readable } from 'node:stream';
import type { RouteCall } from '@chat-kernel/http';
import type { Fleet, Kernel, Log } from '@chat-kernel/kernel';
import { KernelError, type ModuleList, type RequestList } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { parseJson } from '../http/parse-json.ts';
import {
  type AppServices,
  type BodyDone,
  type BodyHook,
  needsOwner,
  type OtherKernels,
  type Route,
} from '../http/route.ts';
import { runInSteps } from '../http/steps.ts';
import { ownUrl } from '../http/url.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Telemetry } from '../telemetry/parts.ts';
import { forwarding, streamOf } from './forward.ts';
import type { Target } from './hop.ts';
import { Hops, MOVED_HEADER } from './hops.ts';
import { hasBody, IncomingHops, readSigned, type Verdict } from './incoming-hops.ts';
import { isHop } from './signature.ts';

/** How long a list waits for a kernel that does not answer. */
const LIST_MS = 1000;
/** Decisions about a module are handled by a kernel that runs it. */
const OF_MODULE = ['/v1/modules/:name/approve', '/v1/modules/:name/revoke'];
/** Routes that find the open request by the id in the body, on whichever kernel it is open. */
const BY_REQUEST = ['/v1/chats/:id/ops/result', '/v1/chats/:id/ops/progress'];

/** Where the gateway reports its work. */
interface Seen {
  log: Log;
  metrics: Metrics;
  telemetry: Pick<Telemetry, 'hops'>;
}

export class Gateway implements OtherKernels {
  readonly #kernel: Kernel;
  readonly #fleet: Fleet;
  readonly #log: Log;
  readonly #hops: Hops;
  readonly #incoming: IncomingHops;

  /** Undefined if the kernel does not share its database. */
  static of(kernel: Kernel, seen: Seen): Gateway | undefined {
    const { fleet } = kernel.membership;
    return fleet && new Gateway(kernel, fleet, seen);
  }

  private constructor(kernel: Kernel, fleet: Fleet, { log, metrics, telemetry }: Seen) {
    this.#kernel = kernel;
    this.#fleet = fleet;
    this.#log = log;
    this.#hops = telemetry.hops(new Hops(fleet, metrics));
    this.#incoming = new IncomingHops(fleet, id => fleet.isRegistered(id), log);
  }

  /** The id of this kernel, which each answer contains. */
  get id(): string {
    return this.#fleet.id;
  }

  /** Whether a request comes from another kernel, which has already guarded it. */
  isOfKernel(request: FastifyRequest): boolean {
    return this.callerOf(request) !== undefined;
  }

  /** The id of the calling kernel; undefined if the caller is not a kernel. */
  callerOf(request: FastifyRequest): string | undefined {
    return this.#incoming.callerOf(request.raw);
  }

  /** Refuses a request that claims to come from another kernel but does not, or that is meant for another one. */
  checkSignature(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    if (!isHop(request.raw)) {
      done();
      return;
    }
    const conclude = (verdict: Verdict) => {
      if (verdict.refusal === undefined) {
        done();
        return;
      }
      // The other kernel signs the request again.
      if (verdict.isOurs) reply.header(MOVED_HEADER, 'true');
      done(new KernelError('kernel_away', verdict.refusal));
    };
    const verdict = this.#incoming.judge(request.raw);
    if (verdict instanceof Promise) verdict.then(conclude).catch(done);
    else conclude(verdict);
  }

  /** Refuses a request of another kernel whose body is not the one that it signed. */
  checkBody(request: FastifyRequest, payload: RequestPayload, done: BodyDone): void {
    const { raw, routeOptions } = request;
    const signedHash = this.#incoming.signedHash(raw);
    if (signedHash === undefined || (signedHash === '' && !hasBody(raw))) {
      done(null, payload);
      return;
    }
    const announced = Number(raw.headers['content-length'] ?? Number.NaN);
    readSigned(payload as Readable, signedHash, announced, routeOptions.config?.maxValues).then(body => {
      if (body) done(null, streamOf(body));
      else done(new KernelError('kernel_away', 'The body is not the one that the other kernel sent.'));
    }, done);
  }

  /** The hook of a route that needs the owner of its chat; undefined for any other. */
  hookOf(app: FastifyInstance, route: Route, services: AppServices): BodyHook | undefined {
    const isOfKernel = (request: FastifyRequest) => this.isOfKernel(request);
    const deps = { fleet: this.#fleet, hops: this.#hops, ownUrl: () => ownUrl(app.server), isOfKernel };
    const { chatOf } = route;
    if (chatOf)
      return forwarding(deps, async request => {
        const chatId = await chatOf({ ...services, params: request.params as RouteCall['params'] });
        return chatId === null ? null : this.#kernel.membership.place(chatId);
      });
    if (OF_MODULE.includes(route.url))
      return forwarding(deps, request => this.#placeOfModule(getNameParam(request)), { of: 'module' });
    if (!needsOwner(route)) return undefined;
    const ofChat = async (request: FastifyRequest) => this.#kernel.membership.place(getIdParam(request));
    if (!BY_REQUEST.includes(route.url)) return forwarding(deps, ofChat);
    return forwarding(deps, (request, body) => this.#holder(body, () => ofChat(request)), { byBody: true });
  }

  /** Queries all other kernels; those that do not answer are left out. @param path of a GET with a JSON answer */
  async askAll<Answer>(path: string): Promise<Answer[]> {
    return (await this.#askEach<Answer>(path)).map(({ answer }) => answer);
  }

  async #askEach<Answer>(path: string): Promise<{ kernel: Target; answer: Answer }[]> {
    const others = await this.#fleet.others();
    const pending = others.map(async kernel => ({ kernel, answer: await this.#ask<Answer>(kernel, path) }));
    return (await Promise.all(pending)).flatMap(({ kernel, answer }) =>
      answer === undefined ? [] : [{ kernel, answer }],
    );
  }

  async #ask<Answer>(target: Target, url: string): Promise<Answer | undefined> {
    try {
      const signal = AbortSignal.timeout(LIST_MS);
      const pending = { method: 'GET', url, headers: {}, body: undefined };
      const answer = await this.#hops.ask(target, pending, signal);
      if (answer.statusCode !== 200) {
        answer.resume();
        throw new Error(`It responded with ${answer.statusCode}.`);
      }
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      return JSON.parse(Buffer.concat(chunks).toString());
    } catch (error) {
      this.#log.warn({ err: error, kernel: target.id }, 'another kernel did not respond');
      return undefined;
    }
  }

  /** The kernel that runs a module if this kernel does not; null if this one does, or if no kernel runs it. */
  async #placeOfModule(name: string): Promise<Target | null> {
    const { modules } = this.#kernel;
    if (modules.isHere(name)) return null;
    const lists = await this.askAll<ModuleList>('/v1/modules');
    const found = modules.listWith(lists).modules.find(module => module.name === name);
    return (await this.#fleet.others()).find(({ id }) => id === found?.kernel?.id) ?? null;
  }

  /** The kernel on which the request answered by a body is open; if there is none, the kernel of the chat. */
  async #holder(body: Buffer | undefined, orElse: () => Promise<Target | null>): Promise<Target | null> {
    const id = await idIn(body);
    if (id === undefined || this.#kernel.operations.has(id)) return null;
    const holder = this.#kernel.operations.holderOf(id);
    const others = holder === undefined ? [] : await this.#fleet.others();
    const known = others.find(other => other.id === holder) ?? (await orElse());
    return known ?? this.#foundHolder(id);
  }

  /** Finds the kernel of an open request whose event has not arrived here yet. */
  async #foundHolder(id: string): Promise<Target | null> {
    const lists = await this.#askEach<RequestList>('/v1/requests');
    return lists.find(({ answer }) => answer.requests.some(request => request.id === id))?.kernel ?? null;
  }
}

/** The id in the address. */
const getIdParam = (request: FastifyRequest): string => (request.params as { id: string }).id;

/** The name in the address. */
const getNameParam = (request: FastifyRequest): string => (request.params as { name: string }).name;

/** The id of the request that a body answers, under either of its names; undefined if there is none. */
async function idIn(body: Buffer | undefined): Promise<string | undefined> {
  try {
    const { id, op_id } = (await runInSteps(parseJson(body ?? Buffer.alloc(0)))) as Record<string, unknown>;
    return [id, op_id].find(each => typeof each === 'string');
  } catch {
    // The kernel that handles the request reports the mistake.
    return undefined;
  }
}
