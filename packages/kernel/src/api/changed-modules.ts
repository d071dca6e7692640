/**
 * Handles modules that have changed since they were approved: the kernel asks the user about each with a request
 * outside of chats. Until the user decides, their stages block the payloads that they would have received.
 */
import { type JsonObject, type Module, NOWHERE_ID } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import type { ChangedModule, Extensions, Log, RequestEnding, RequestHandle } from '../ports/index.ts';
import { OUTSIDE_TURNS, type Requests } from '../requests/requests.ts';

interface ChangedModulesDeps {
  extensions: Extensions;
  requests: Requests;
  /** The timeout of a question; after it, the user is asked again about an undecided module. */
  timeout_secs: number;
  log: Log;
}

const APPROVE = 'Approve';
const REVOKE = 'Revoke';

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

/** The origin of a request of the kernel itself, outside of chats. */
const NOWHERE = { ...OUTSIDE_TURNS, chat_id: NOWHERE_ID };

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
