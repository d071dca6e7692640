/** Asks the owner about modules: the questions of modules outside of calls, and whether to approve changed modules. */
import {
  type JsonObject,
  KernelError,
  type Module,
  NOWHERE_ID,
  type QuestionParams,
} from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import type { ChangedModule, Extensions, Log, RequestEnding, RequestHandle } from '../ports/index.ts';
import { OUTSIDE_TURNS, type Requests } from '../requests/requests.ts';

/** The maximum number of open questions of one module. */
const MAX_OPEN = 20;

interface QuestionDeps {
  extensions: Extensions;
  requests: Requests;
  timeout_secs: number;
}

/** The origin of a request of the kernel itself, outside of chats. */
const NOWHERE = { ...OUTSIDE_TURNS, chat_id: NOWHERE_ID };

/** Asks the questions of modules that are not part of a call, such as those of a surface. */
export class ModuleQuestions {
  readonly #deps: QuestionDeps;
  /** The open questions, with the names of their modules. */
  readonly #open = new Map<RequestHandle, string>();
  #stopped = false;

  constructor(deps: QuestionDeps) {
    this.#deps = deps;
    deps.extensions.onQuestion((module, question, over) => this.#ask(module, question, over));
  }

  /** Ends all questions. */
  stop(): void {
    this.#stopped = true;
    for (const open of this.#open.keys()) open.end();
  }

  /** @throws KernelError too_busy, shutting_down */
  async #ask(module: string, question: QuestionParams, over: AbortSignal): Promise<string | null> {
    const { requests, timeout_secs } = this.#deps;
    over.throwIfAborted();
    if (this.#stopped) throw new KernelError('shutting_down', 'The kernel is shutting down.');
    const others = [...this.#open.values()].filter(name => name === module);
    if (others.length >= MAX_OPEN)
      throw new KernelError('too_busy', 'The module has too many open questions.');
    // The name is the owner's, so a module cannot speak as another one.
    const shown = { ...question, header: module };
    const input = { name: module, questions: [shown], decisions: {} } satisfies JsonObject;
    const open = requests.open(NOWHERE, {
      kind: 'question',
      event: { type: 'tool_call', id: `module_${newId()}`, name: 'module_question', input },
      timeout_secs,
      question: 0,
      decisions: [],
    });
    this.#open.set(open, module);
    const end = () => open.end();
    over.addEventListener('abort', end);
    try {
      const ending = await open.ending;
      if (ending.reason === 'answered') return ending.answer.answer ?? null;
      if (ending.reason === 'expired') return null;
      throw new KernelError('shutting_down', 'The question was withdrawn.');
    } finally {
      over.removeEventListener('abort', end);
      this.#open.delete(open);
    }
  }
}

/** A question about a module that is not answered in time is asked again. */
interface ChangedModulesDeps extends QuestionDeps {
  log: Log;
}

const APPROVE = 'Approve';
const REVOKE = 'Revoke';

/**
 * Asks the owner about each module that has changed since it was approved. Until the owner decides, its stages block the
 * payloads that it would have received.
 */
export class ChangedModules {
  readonly #deps: ChangedModulesDeps;
  /**
   * The question about each module, with the hash of its declaration. An answered question is kept until the
   * declaration changes.
   */
  readonly #asked = new Map<string, { hash: string; open: RequestHandle }>();
  #stopped = false;

  /** Asks about modules that have already changed, and about later changes. */
  constructor(deps: ChangedModulesDeps) {
    this.#deps = deps;
    deps.extensions.onChange(() => this.#look());
    this.#look();
  }

  /** Ends all questions. */
  stop(): void {
    this.#stopped = true;
    for (const { open } of this.#asked.values()) open.end();
  }

  #look(): void {
    if (this.#stopped) return;
    const changed = new Map(this.#deps.extensions.changed().map(each => [each.module.name, each]));
    for (const [name, { hash, open }] of this.#asked) {
      if (changed.get(name)?.hash === hash) continue;
      // The decision was made in another way, or the module has changed again.
      this.#asked.delete(name);
      open.end();
    }
    for (const each of changed.values()) if (!this.#asked.has(each.module.name)) this.#ask(each);
  }

  #ask({ module, hash }: ChangedModule): void {
    const { requests, timeout_secs } = this.#deps;
    const { name } = module;
    const input = { name, questions: [questionAbout(module)], decisions: {} } satisfies JsonObject;
    const open = requests.open(NOWHERE, {
      kind: 'question',
      event: { type: 'tool_call', id: `module_${newId()}`, name: 'module_approve', input },
      timeout_secs,
      question: 0,
      decisions: [],
    });
    this.#asked.set(name, { hash, open });
    open.ending
      .then(ending =>
        ending.reason === 'expired' ? this.#askAgain(name, open) : this.#decide(name, hash, ending),
      )
      .catch(error => {
        this.#deps.log.warn({ module: name, err: error }, 'applying the decision about a module failed');
        this.#askAgain(name, open);
      });
  }

  /** Asks about a module again, unless a newer question about it is open. */
  #askAgain(name: string, open: RequestHandle): void {
    if (this.#asked.get(name)?.open === open) this.#asked.delete(name);
    this.#look();
  }

  async #decide(name: string, hash: string, ending: RequestEnding): Promise<void> {
    if (ending.reason !== 'answered' || ending.answer.error !== undefined) return;
    const { extensions } = this.#deps;
    if (ending.answer.answer === APPROVE) await extensions.approve(name, hash);
    if (ending.answer.answer === REVOKE) await extensions.revoke(name);
  }
}

function questionAbout({ name, version, about, tools, stages }: Module) {
  const does = [
    tools.length > 0 ? `has the tools ${tools.join(', ')}` : 'has no tools',
    stages.length > 0 ? `runs at the stages ${stages.join(', ')}` : 'runs at no stage',
  ];
  return {
    question: `The module ${name} has changed since you approved it. Version ${version} (${about}) ${does.join(' and ')}. Until you decide, its tools are unavailable and its blocking stages block.`,
    header: 'Module',
    options: [
      { label: APPROVE, description: 'The module is active until it changes again.' },
      { label: REVOKE, description: 'The module is disabled and blocks nothing.' },
      { label: 'Decide later', description: 'Its stages block turns until you decide.' },
    ],
  };
}
