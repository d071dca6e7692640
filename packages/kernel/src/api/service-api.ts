/** Implements the service as a whole for the API: its tools and models, whether it is ready, and its statistics. */
import { KernelError, type ModelList, type ToolList } from '@chat-kernel/protocol';
import type { Modules } from '../modules/modules.ts';
import { Statistics } from '../statistics/statistics.ts';
import { ApiBase, type ApiParts } from './api-base.ts';

export class ServiceApi extends ApiBase {
  readonly statistics: Statistics;

  constructor(parts: ApiParts, modules: Modules) {
    super(parts);
    this.statistics = new Statistics({ ...parts.services, modules });
  }

  /** All tools in the form that models get (API-4). */
  async tools(): Promise<ToolList> {
    const { machines, toolbox } = this.services;
    const no_sandbox = await machines.local.missingSandbox();
    return { ...toolbox.list(), ...(no_sandbox !== undefined && { no_sandbox }) };
  }

  models(): ModelList {
    return this.services.models.list();
  }

  /** Resolves when the kernel is ready for work. @throws KernelError shutting_down, storage_unavailable */
  async ready(): Promise<void> {
    if (this.turns.refuses) throw new KernelError('shutting_down', 'The kernel is shutting down.');
    await this.services.store.ping();
  }
}
