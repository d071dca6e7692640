/** Writing modules: tools, stages and surfaces as processes of their own. */
export {
  KernelApiError,
  KernelClient,
  type TurnEvent,
  type TurnStart,
  TurnStream,
} from '@chat-kernel/client';
export type { StageName, StagePayload, TurnContext } from '@chat-kernel/protocol';
/** The zod that tool inputs are written in; a module needs none of its own. */
export { z } from 'zod';
export { block, replace, ToolError } from './answer.ts';
export { type LoadedConfig, loadConfig, type ModuleConfig } from './config.ts';
export {
  type CallContext,
  defineModule,
  type Module,
  type ModuleDefinition,
  type RunContext,
  type StageContext,
  tool,
} from './define.ts';
export type { Log } from './log.ts';
export { type RunningModule, type ServeOptions, serve } from './serve.ts';
export { RpcFailure, type TestedCall, type TestKernel, testKernel } from './test-kernel.ts';
