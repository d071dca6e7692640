/**
 * Runs the stages of a turn through the modules, one after the other: each sees the changes of the previous ones
 * (MOD-7).
 */
import { RpcError } from '@chat-kernel/json-rpc';
import type { Log, Stages, StageVerdict } from '@chat-kernel/kernel';
import {
  type JsonObject,
  STAGES,
  type StageDecl,
  type StageName,
  type StagePayload,
  StageResult,
  type TurnContext,
} from '@chat-kernel/protocol';
import type { HostedModule } from '../hosted/hosted-module.ts';
import type { AnchorOwners } from '../session/anchor-owners.ts';

const TIMEOUT_SECS = 10;

/** A module, and its declaration of the stage. */
interface ModuleStage {
  module: HostedModule;
  declared: StageDecl;
}

export class ModuleStages implements Stages {
  readonly #modules: () => readonly HostedModule[];
  readonly #log: Log;
  readonly #anchors: Pick<AnchorOwners, 'add'>;

  /**
   * @param modules returns the modules that are approved, or were before they changed, in the order in which they run
   */
  constructor(modules: () => readonly HostedModule[], log: Log, anchors: Pick<AnchorOwners, 'add'>) {
    this.#modules = modules;
    this.#log = log;
    this.#anchors = anchors;
  }

  anchorSetBy(module: string): void {
    this.#anchors.add(module);
  }

  has(stage: StageName): boolean {
    return this.#takingPart(stage).length > 0;
  }

  async run<Stage extends StageName>(
    stage: Stage,
    payload: StagePayload<Stage>,
    context: TurnContext,
    signal: AbortSignal,
  ): Promise<StageVerdict<Stage>> {
    if (isObserved(stage)) {
      this.#send(stage, payload, context);
      return { payload };
    }
    let current = payload;
    for (const taking of this.#takingPart(stage)) {
      const { name } = taking.module;
      signal.throwIfAborted();
      try {
        const { action, changed, reason } = await this.#ask(taking, stage, current, context, signal);
        if (action !== 'pass')
          this.#log.info({ module: name, stage, action }, 'a module changed or blocked a turn');
        if (action === 'block') return { blocked: { by: name, reason } };
        current = changed;
      } catch (error) {
        signal.throwIfAborted();
        const { on_error } = taking.declared;
        this.#logFailure(taking, stage, error);
        if (on_error === 'block') {
          return { blocked: { by: name, reason: describeFailure(taking.module, stage) } };
        }
      }
    }
    return { payload: current };
  }

  /** Sends the payload to modules that only observe, without waiting for them. */
  #send(stage: StageName, payload: JsonObject, context: TurnContext): void {
    for (const { module, declared } of this.#takingPart(stage)) {
      if (!module.approved) continue;
      module.session?.runStage(stage, payload, context, stageTimeoutMs(declared)).catch(error => {
        this.#logFailure({ module, declared }, stage, error);
      });
    }
  }

  async #ask<Stage extends StageName>(
    { module, declared }: ModuleStage,
    stage: Stage,
    payload: StagePayload<Stage>,
    context: TurnContext,
    signal: AbortSignal,
  ): Promise<{ action: StageResult['action']; changed: StagePayload<Stage>; reason: string }> {
    const { session } = module;
    // A filter that is unavailable cannot filter. Its on_error decides whether that stops the turn.
    if (!module.approved) throw new Error(`the module is disabled: ${module.problem}`);
    if (!session) throw new Error(`the module is not running: ${module.problem}`);
    const shown = stage === 'prompt' ? { fragments: [] } : payload;
    const answer = await session.runStage(stage, shown, context, stageTimeoutMs(declared), signal);
    const parsed = StageResult.safeParse(answer);
    if (!parsed.success) throw new Error('its response is invalid');
    const { action, payload: replaced, reason = '' } = parsed.data;
    if (action === 'block' && !STAGES[stage].blocks) throw new Error('this stage cannot block');
    const changed = action === 'replace' ? replace(stage, payload, replaced) : payload;
    if (isEmptyMessage(changed)) {
      return { action: 'block', changed, reason: 'The module removed all content of the message.' };
    }
    return { action, changed, reason };
  }

  #logFailure({ module, declared: { on_error } }: ModuleStage, stage: StageName, error: unknown): void {
    // The error message of a module may quote the turn, so only its code is logged.
    const problem = error instanceof RpcError ? `it answered with the error ${error.code}` : String(error);
    this.#log.warn({ module: module.name, stage, on_error, problem }, 'a stage of a module failed');
  }

  #takingPart(stage: StageName): ModuleStage[] {
    return this.#modules().flatMap(module => {
      const declared = module.declarationInForce?.stages.find(declared => declared.stage === stage);
      return declared ? [{ module, declared }] : [];
    });
  }
}

const describeFailure = ({ name, changed }: HostedModule, stage: StageName): string =>
  changed
    ? `The module ${name} has changed since its approval and is pending approval.`
    : `The stage ${stage} of the module ${name} failed.`;

/** Applies the fields that may change, and keeps the others. @throws Error if the answer is invalid */
function replace<Stage extends StageName>(
  stage: Stage,
  payload: StagePayload<Stage>,
  replaced: JsonObject | undefined,
): StagePayload<Stage> {
  const fields = STAGES[stage].changes as readonly string[];
  const taken = fields.map(field => [field, replaced?.[field]]);
  const parsed = STAGES[stage].payload.safeParse({ ...payload, ...Object.fromEntries(taken) });
  if (!parsed.success) throw new Error('its replacement payload is invalid');
  const changed = parsed.data as StagePayload<Stage>;
  // A module can only add to the prompt; it cannot see or replace the additions of others.
  if ('fragments' in payload && 'fragments' in changed) {
    return { ...changed, fragments: [...payload.fragments, ...changed.fragments] };
  }
  return changed;
}

/** Whether a message has neither text nor attachments, which no provider accepts. */
const isEmptyMessage = (payload: StagePayload<StageName>): boolean =>
  'attachments' in payload && payload.attachments.length === 0 && payload.text.trim() === '';

/** Whether modules only observe the stage: they can neither change nor stop it. */
const isObserved = (stage: StageName): boolean => STAGES[stage].changes.length === 0 && !STAGES[stage].blocks;

const stageTimeoutMs = ({ timeout_secs = TIMEOUT_SECS }: StageDecl): number => timeout_secs * 1000;
