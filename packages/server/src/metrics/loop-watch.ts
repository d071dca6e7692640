/**
 * Watches the event loop, and logs which work began or continued when it was blocked. Blocking code cannot report
 * itself, so the names are those noted around that time: a hint, not a proof.
 */
import type { LanguageModel, Log, ModelEvent, Models } from '@chat-kernel/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { replaceMethods } from './replace-methods.ts';

const BEAT_MS = 50;
/** A longer block is logged. */
const LONG_MS = 200;
/** The maximum number of names in a log line. */
const MAX_NAMES = 8;

export class LoopWatch {
  readonly #log: Pick<Log, 'warn'>;
  readonly #onBlock: () => void;
  #timer: NodeJS.Timeout | undefined;
  #beat = 0;
  #cpu = process.cpuUsage();
  /** The work noted between the last two checks, and since then. */
  #before = new Set<string>();
  #now = new Set<string>();

  /** @param onBlock called after each logged block */
  constructor(log: Pick<Log, 'warn'>, onBlock: () => void) {
    this.#log = log;
    this.#onBlock = onBlock;
  }

  start(): void {
    this.#beat = performance.now();
    this.#timer = setInterval(() => this.#look(), BEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Notes the routes of requests. */
  watchRoutes(app: FastifyInstance): void {
    const note = ({ method, routeOptions }: FastifyRequest) =>
      this.#note(`${method} ${routeOptions.url ?? 'no route'}`);
    // A body is read just before `preValidation`, and written just after `onSend`.
    for (const hook of ['onRequest', 'preValidation'] as const) {
      app.addHook(hook as 'onRequest', (request, _reply, done) => {
        note(request);
        done();
      });
    }
    app.addHook('onSend', (request, _reply, body, done) => {
      note(request);
      done(null, body);
    });
  }

  /** Returns the store, or another object with parts, and notes each call. */
  watchStore<Parts extends object>(parts: Parts): Parts {
    const objects = Object.entries(parts).filter(([, part]) => typeof part === 'object' && part !== null);
    return replaceMethods(
      parts,
      Object.fromEntries(objects.map(([name, part]) => [name, this.#part(name, part)])) as Partial<Parts>,
    );
  }

  /** Returns the models, and notes each event. */
  watchModels<Found extends Models>(models: Found): Found {
    const watched = new WeakMap<LanguageModel, LanguageModel>();
    const watch = (model: LanguageModel | undefined): LanguageModel | undefined => {
      if (model === undefined) return undefined;
      const known = watched.get(model) ?? this.#model(model);
      watched.set(model, known);
      return known;
    };
    return { ...models, find: id => watch(models.find(id)), default: () => watch(models.default()) };
  }

  #part<Part extends object>(name: string, part: Part): Part {
    const note = (method: string) => this.#note(`store ${name}.${method}`);
    return new Proxy(part, {
      get(target, method) {
        const value = Reflect.get(target, method);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          note(String(method));
          return value.apply(target, given);
        };
      },
    });
  }

  #model(model: LanguageModel): LanguageModel {
    const note = () => this.#note(`model ${model.record.id}`);
    // Not a generator, which would cost two more promises per token.
    const stream: LanguageModel['stream'] = (...given) => {
      const events = model.stream(...given);
      return { [Symbol.asyncIterator]: () => noting(events[Symbol.asyncIterator](), note) };
    };
    return { ...model, stream };
  }

  #note(work: string): void {
    if (this.#now.size < MAX_NAMES) this.#now.add(work);
  }

  #look(): void {
    const now = performance.now();
    const ms = now - this.#beat - BEAT_MS;
    const cpu = process.cpuUsage();
    if (ms > LONG_MS) {
      const cpu_ms = (cpu.user + cpu.system - this.#cpu.user - this.#cpu.system) / 1000;
      const work = [...new Set([...this.#now, ...this.#before])].slice(0, MAX_NAMES);
      this.#onBlock();
      // Little processor time in a long block: the process waited for a disk, or the machine slept.
      this.#log.warn({ ms: Math.round(ms), cpu_ms: Math.round(cpu_ms), work }, 'the event loop was blocked');
    }
    this.#cpu = cpu;
    this.#beat = now;
    this.#before = this.#now;
    this.#now = new Set();
  }
}

function noting(events: AsyncIterator<ModelEvent>, note: () => void): AsyncIterator<ModelEvent> {
  return {
    next() {
      note();
      return events.next();
    },
    return: value => events.return?.(value) ?? Promise.resolve({ done: true, value }),
  };
}
