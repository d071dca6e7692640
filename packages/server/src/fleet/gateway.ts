/** This kernel as a gate to the others on its database: which requests go on to them, and what all are asked at once. */
import type { Fleet, Kernel, Log, Tracing } from '@chat-kernel/kernel';
import type { ModuleList, RequestList } from '@chat-kernel/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type BodyHook, needsOwner, type OtherKernels, type Route } from '../http/route.ts';
import { ownUrl } from '../http/url.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { forwarding } from './forward.ts';
import type { Target } from './hop.ts';
import { Hops } from './hops.ts';
import { callerOf, isHop, isSigned } from './signature.ts';

/** How long a list waits for a kernel that does not answer. */
const LIST_MS = 1000;
const RUN_OF_SCHEDULE = '/v1/schedules/:id/run';
/** What is decided about a module is done by a kernel that runs it. */
const OF_MODULE = ['/v1/modules/:name/approve', '/v1/modules/:name/revoke'];
/** What is answered by the id in the body, wherever the request is open. */
const BY_REQUEST = ['/v1/chats/:id/ops/result', '/v1/chats/:id/ops/progress'];

type Sharing = Kernel & { fleet: Fleet };

/** Where it is told what goes on. */
interface Seen {
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
}

export class Gateway implements OtherKernels {
  readonly #kernel: Sharing;
  readonly #log: Log;
  readonly #hops: Hops;

  /** Undefined for a kernel that has its database for itself. */
  static of(kernel: Kernel, seen: Seen): Gateway | undefined {
    return kernel.fleet ? new Gateway(kernel as Sharing, seen) : undefined;
  }

  private constructor(kernel: Sharing, { log, metrics, tracing }: Seen) {
    this.#kernel = kernel;
    this.#log = log;
    this.#hops = new Hops(kernel.fleet, metrics, tracing);
  }

  /** The id of this kernel, which each answer names. */
  get id(): string {
    return this.#kernel.fleet.id;
  }

  /** Whether a request comes from another kernel, which has guarded it. */
  isOfKernel(request: FastifyRequest): boolean {
    return isSigned(this.#kernel.fleet, request.raw);
  }

  /** The id of the kernel that asks; undefined: somebody else does. */
  callerOf(request: FastifyRequest): string | undefined {
    return callerOf(this.#kernel.fleet, request.raw);
  }

  /** Whether a request says that it comes from another kernel, and is not, or is meant for another one. */
  isAstray(request: FastifyRequest): boolean {
    return isHop(request.raw) && !this.isOfKernel(request);
  }

  /** The hook of a route that needs the owner of its chat; undefined for any other. */
  hookOf(app: FastifyInstance, route: Route): BodyHook | undefined {
    const deps = { kernel: this.#kernel, hops: this.#hops, ownUrl: () => ownUrl(app.server) };
    if (route.url === RUN_OF_SCHEDULE)
      return forwarding(deps, request => this.#kernel.placeOfRun(idOf(request)));
    if (OF_MODULE.includes(route.url))
      return forwarding(deps, request => this.#placeOfModule(nameOf(request)), { of: 'module' });
    if (!needsOwner(route)) return undefined;
    const ofChat = async (request: FastifyRequest) => this.#kernel.place(idOf(request));
    if (!BY_REQUEST.includes(route.url)) return forwarding(deps, ofChat);
    return forwarding(deps, (request, body) => this.#holder(body, () => ofChat(request)), { byBody: true });
  }

  /** Asks all other kernels; those that do not answer are left out. @param path of a GET with an answer in JSON */
  async askAll<Answer>(path: string): Promise<Answer[]> {
    return (await this.#askEach<Answer>(path)).map(({ answer }) => answer);
  }

  async #askEach<Answer>(path: string): Promise<{ kernel: Target; answer: Answer }[]> {
    const others = await this.#kernel.fleet.others();
    const asked = others.map(async kernel => ({ kernel, answer: await this.#ask<Answer>(kernel, path) }));
    return (await Promise.all(asked)).flatMap(({ kernel, answer }) =>
      answer === undefined ? [] : [{ kernel, answer }],
    );
  }

  async #ask<Answer>(target: Target, url: string): Promise<Answer | undefined> {
    try {
      const signal = AbortSignal.timeout(LIST_MS);
      const asked = { method: 'GET', url, headers: {}, body: undefined };
      const answer = await this.#hops.ask(target, asked, signal);
      if (answer.statusCode !== 200) {
        answer.resume();
        throw new Error(`It answers ${answer.statusCode}.`);
      }
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      return JSON.parse(Buffer.concat(chunks).toString());
    } catch (error) {
      this.#log.warn({ err: error, kernel: target.id }, 'another kernel did not answer');
      return undefined;
    }
  }

  /** The kernel that runs a module which is not here; null where it is, and where nobody has it. */
  async #placeOfModule(name: string): Promise<Target | null> {
    const { modules, fleet } = this.#kernel;
    if (modules.isHere(name)) return null;
    const lists = await this.askAll<ModuleList>('/v1/modules');
    const found = modules.listWith(lists).modules.find(module => module.name === name);
    return (await fleet.others()).find(({ id }) => id === found?.kernel?.id) ?? null;
  }

  /** The kernel where the request is open that a body answers; where nobody has such a one, that of the chat. */
  async #holder(body: Buffer | undefined, orElse: () => Promise<Target | null>): Promise<Target | null> {
    const id = idIn(body);
    if (id === undefined || this.#kernel.operations.has(id)) return null;
    const holder = this.#kernel.operations.holderOf(id);
    const others = holder === undefined ? [] : await this.#kernel.fleet.others();
    const known = others.find(other => other.id === holder) ?? (await orElse());
    return known ?? this.#foundHolder(id);
  }

  /** The kernel that has a request open of which no event has come here yet. */
  async #foundHolder(id: string): Promise<Target | null> {
    const lists = await this.#askEach<RequestList>('/v1/requests');
    return lists.find(({ answer }) => answer.requests.some(request => request.id === id))?.kernel ?? null;
  }
}

/** The id in the address. */
const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;

/** The name in the address. */
const nameOf = (request: FastifyRequest): string => (request.params as { name: string }).name;

/** The id of the request that a body answers, under either of its names; undefined where it has none. */
function idIn(body: Buffer | undefined): string | undefined {
  try {
    const { id, op_id } = JSON.parse(String(body));
    return [id, op_id].find(each => typeof each === 'string');
  } catch {
    // Whoever handles the request says what is wrong with it.
    return undefined;
  }
}
