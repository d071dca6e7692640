/** Asks the owner the questions of modules that are not part of a call, such as those of a surface. */
import { type JsonObject, KernelError, NOWHERE_ID, type QuestionParams } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import type { Extensions, RequestHandle } from '../ports/index.ts';
import { OUTSIDE_TURNS, type Requests } from '../requests/requests.ts';

/** The maximum number of open questions of one module. */
const MAX_OPEN = 20;

interface ModuleQuestionsDeps {
  extensions: Extensions;
  requests: Requests;
  timeout_secs: number;
}

export class ModuleQuestions {
  readonly #deps: ModuleQuestionsDeps;
  /** The open questions, with the names of their modules. */
  readonly #open = new Map<RequestHandle, string>();
  #stopped = false;

  constructor(deps: ModuleQuestionsDeps) {
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
    const open = requests.open(
      { ...OUTSIDE_TURNS, chat_id: NOWHERE_ID },
      {
        kind: 'question',
        event: { type: 'tool_call', id: `module_${newId()}`, name: 'module_question', input },
        timeout_secs,
        question: 0,
        decisions: [],
      },
    );
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
