/**
 * Watches the event loop, and names the work that was begun or went on when it was blocked. What blocks cannot tell of
 * itself, so the names are those that were noted around the time: a hint, and not a proof.
 */
import type { LanguageModel, Log, ModelEvent, Models, Store } from '@chat-kernel/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { replaceMethods } from './replace-methods.ts';

const BEAT_MS = 50;
/** A longer block is worth a line in the log. */
const LONG_MS = 200;
/** The most names in a line. */
const MOST_NAMES = 8;

export class LoopWatch {
  readonly #log: Pick<Log, 'warn'>;
  readonly #onBlock: () => void;
  #timer: NodeJS.Timeout | undefined;
  #beat = 0;
  #cpu = process.cpuUsage();
  /** The work that was noted between the last two beats, and since the last. */
  #before = new Set<string>();
  #now = new Set<string>();

  /** @param onBlock called after each block that is logged */
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

  /** Notes the routes that requests take. */
  watchRoutes(app: FastifyInstance): void {
    const note = ({ method, routeOptions }: FastifyRequest) =>
      this.#note(`${method} ${routeOptions.url ?? 'no route'}`);
    // A body has been read just before `preValidation`, and is written just behind `onSend`.
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

  /** Returns the store, of whose parts each call is noted. */
  watchStore(store: Store): Store {
    const parts = Object.entries(store).filter(([, part]) => typeof part === 'object' && part !== null);
    return replaceMethods(
      store,
      Object.fromEntries(parts.map(([name, part]) => [name, this.#part(name, part)])),
    );
  }

  /** Returns the models, of which each event is noted. */
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
    // No generator: it would cost two promises more for each token.
    const stream: LanguageModel['stream'] = (...given) => {
      const events = model.stream(...given);
      return { [Symbol.asyncIterator]: () => noting(events[Symbol.asyncIterator](), note) };
    };
    return { ...model, stream };
  }

  #note(work: string): void {
    if (this.#now.size < MOST_NAMES) this.#now.add(work);
  }

  #look(): void {
    const now = performance.now();
    const ms = now - this.#beat - BEAT_MS;
    const cpu = process.cpuUsage();
    if (ms > LONG_MS) {
      const cpu_ms = (cpu.user + cpu.system - this.#cpu.user - this.#cpu.system) / 1000;
      const work = [...new Set([...this.#now, ...this.#before])].slice(0, MOST_NAMES);
      this.#onBlock();
      // Little time of the processor in a long block: it waited for a disk, or the machine slept.
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
