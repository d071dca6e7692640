/**
 * Modules that have changed since they were approved: their owner is asked about each by a request of the kernel itself,
 * which stands in no chat. While nobody has decided, their stages stop what they would have seen.
 */
import { type JsonObject, type Module, NOWHERE_ID } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import type { ChangedModule, Extensions, Log, RequestEnding, RequestHandle } from '../ports/index.ts';
import { OUTSIDE_TURNS, type Requests } from '../requests/requests.ts';

interface ChangedModulesDeps {
  extensions: Extensions;
  requests: Requests;
  /** How long a question waits; a module that is still undecided then is asked about anew. */
  timeout_secs: number;
  log: Log;
}

const APPROVE = 'Approve';
const REVOKE = 'Revoke';

export class ChangedModules {
  readonly #deps: ChangedModulesDeps;
  /** The question about each module, with the hash of what it declares. One that was answered stays until that changes. */
  readonly #asked = new Map<string, { hash: string; open: RequestHandle }>();
  #stopped = false;

  /** Asks about modules that have changed already, and then about each that does. */
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
      // It was decided about elsewhere, or has changed again.
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
        this.#deps.log.warn(
          { module: name, err: error },
          'what was decided about a module could not be done',
        );
        this.#askAgain(name, open);
      });
  }

  /** Asks about a module anew, unless a newer question about it is open. */
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

/** A request of the kernel itself, in no chat. */
const NOWHERE = { ...OUTSIDE_TURNS, chat_id: NOWHERE_ID };

function questionAbout({ name, version, tools, stages }: Module) {
  const does = [
    tools.length > 0 ? `has the tools ${tools.join(', ')}` : 'has no tools',
    stages.length > 0 ? `takes part at the stages ${stages.join(', ')}` : 'takes part at no stage',
  ];
  return {
    question: `The module ${name} has changed since you approved it. Version ${version} ${does.join(' and ')}. Until you decide, its tools are gone, and stages that block stop what they would have seen.`,
    header: 'Module',
    options: [
      { label: APPROVE, description: 'It is used as it is now, until it changes.' },
      { label: REVOKE, description: 'It is not used any more, and stops nothing.' },
      { label: 'Leave it', description: 'Its stages go on stopping turns until you decide.' },
    ],
  };
}
