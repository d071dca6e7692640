/** Helps authors of modules, which are tools, stages and surfaces in separate processes. */
export {
  KernelApiError,
  KernelClient,
  type TurnEvent,
  type TurnStart,
  TurnStream,
} from '@chat-kernel/client';
export { RpcError } from '@chat-kernel/json-rpc';
export type { StageName, StagePayload, TurnContext, UploadedFile } from '@chat-kernel/protocol';
/** The zod for the schemas of tool inputs; a module need not install it. */
export { z } from 'zod';
export { block, replace, ToolError } from './answers.ts';
export { type LoadedConfig, loadConfig, type ModuleConfig } from './config.ts';
export {
  type AskOwner,
  type CallContext,
  defineModule,
  type ModuleDefinition,
  type RunContext,
  type StageContext,
  type StartContext,
  tool,
} from './define.ts';
export type { Logger } from './logger.ts';
export { refuse } from './refuse.ts';
export { type RunningModule, type ServeOptions, serve } from './serve.ts';
export { type TestedCall, type TestKernel, testKernel } from './test-kernel.ts';
