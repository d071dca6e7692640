/** Defines the type of a feature. Each feature is one folder, and FEATURES lists them. */
import type { MachinePaths } from '@chat-kernel/hands/own-machine';
import { type RouteOf, type RouteTag, routesTagged } from '@chat-kernel/http';
import type { Feature, FeatureHost, Log, Tool, ToolGroup, VoiceModels } from '@chat-kernel/kernel';
import type { Settings } from '@chat-kernel/protocol';
import type { SqlStore, StoreHooks } from '@chat-kernel/storage';

/** An open feature: its routes call the service, and the kernel calls the members of `Feature`. */
interface OpenFeature<Service> extends Omit<Feature, 'name'> {
  service: Service;
}

/** The dependencies of a feature: parts of the kernel, and the configuration of the program. */
export interface FeatureServices extends FeatureHost {
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  voiceModels: VoiceModels;
}

/** A page of a list: the entries before one, which is named by its id or time. */
export interface Page {
  limit: number;
  before?: string | undefined;
}

/** The dependencies of a feature's queries. */
export type QueryParts = Pick<SqlStore, 'bulkChats' | 'searchIndex' | 'transactions'>;

/** A counter of GET /metrics. */
export interface FeatureCounter<Service> {
  name: string;
  help: string;
  labels: readonly string[];
  /** Returns the counts since the start. */
  read(service: Service): { labels: Record<string, string>; count: number }[];
}

/** The kernel's machine, as far as features use it. */
export interface FeatureMachine {
  /** The paths that tools may touch. */
  paths: MachinePaths;
  /** Folders of skills, the nearest last. Relative folders belong to working directories. */
  skillFolders: readonly string[];
}

interface FeatureDefinition<Stores extends object, Service> {
  name: string;
  /** Creates its queries, each under the name used in traces and in the log; absent: it needs only those of the store. */
  stores?(parts: QueryParts, log: Log): Stores;
  storeHooks?: StoreHooks;
  open(services: FeatureServices, stores: Stores, machine: FeatureMachine): OpenFeature<Service>;
  /** @param service of the open feature; only callable when a tool runs */
  tools?(service: () => Service, machine: FeatureMachine): readonly Tool[];
  /** The groups of its tools. */
  groups?: readonly ToolGroup[];
  counters?: readonly FeatureCounter<Service>[];
  routes: readonly RouteOf<{ service: Service }>[];
  /** The operation after which the API document lists those of the feature; if absent, they come last. */
  documentedAfter?: string;
}

/** A feature without the types of its parts, for lists. */
export type AnyFeature = FeatureDefinition<object, unknown>;

export function defineFeature<Stores extends object, Service>(
  feature: FeatureDefinition<Stores, Service>,
): AnyFeature {
  // The cast is safe: `open` receives the stores of its own feature, and its routes receive its service.
  return feature as unknown as AnyFeature;
}

/**
 * Returns the function that defines routes of a feature, all in one group.
 * @template Service the type that its handlers call
 */
export const featureRoutes = <Service>(tag: RouteTag) => routesTagged<{ service: Service }>(tag);
