/** For authors of modules, which are tools, stages and surfaces in processes of their own. */
export {
  KernelApiError,
  KernelClient,
  type TurnEvent,
  type TurnStart,
  TurnStream,
} from '@chat-kernel/client';
export { RpcError } from '@chat-kernel/json-rpc';
export type { StageName, StagePayload, TurnContext } from '@chat-kernel/protocol';
/** The zod for the schemas of tool inputs; a module need not install one. */
export { z } from 'zod';
export { block, replace, ToolError } from './answers.ts';
export { type LoadedConfig, loadConfig, type ModuleConfig } from './config.ts';
export {
  type CallContext,
  defineModule,
  type ModuleDefinition,
  type RunContext,
  type StageContext,
  tool,
} from './define.ts';
export type { Logger } from './logger.ts';
export { refuse } from './refuse.ts';
export { type RunningModule, type ServeOptions, serve } from './serve.ts';
export { type TestedCall, type TestKernel, testKernel } from './test-kernel.ts';
